import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement, record } from '../service/audit.ts';
import type { User } from './accounts.ts';
import { endKeysStatement } from './api-keys.ts';
import { type Credentials, withNewCredentials } from './credentials.ts';
import {
  spendTokensStatement,
  TOKEN_LIFE_MS,
  tokenOf,
  tokenStatement,
  tokenWorks,
  USER_OF_TOKEN,
} from './mail-tokens.ts';
import { hashPassword } from './passwords.ts';
import { endSessionsStatement } from './sessions.ts';

/** Makes the mails that go with a token: the one that carries it, and one to whoever else should hear of it. */
export type TokenMails = (tokenId: string, expiresAt: number) => Promise<NewMail[]>;

/** What mails with links do: prove an address, change it, set a password. */

const RESEND_MS = 60_000;

/** Sends a user a verification mail, unless one went out within the last minute. */
export async function resendVerification(db: Db, user: User, mails: TokenMails, now = Date.now()): Promise<void> {
  // A held account has no address (models/registration.ts); a verified one needs no mail.
  if (user.verified_at !== null || user.email === '' || user.deleted_at !== null) return;
  const last = await db.$client
    .prepare(`SELECT max(created_at) AS at FROM mail_tokens WHERE user_id = ? AND kind = 'verify'`)
    .bind(user.id)
    .first<{ at: number | null }>();
  if (last?.at && now - last.at < RESEND_MS) return;
  await sendToken(db, user, 'verify', mails, {}, now);
}

/** Writes a token and the mails that go with it. Its link is dead once the user's credentials are others than here. */
export async function sendToken(
  db: Db,
  user: Credentials,
  kind: 'verify' | 'reset' | 'change_email',
  mails: TokenMails,
  { email = '', address = '' }: { email?: string; address?: string },
  now = Date.now(),
): Promise<void> {
  const id = crypto.randomUUID();
  await db.$client.batch([
    tokenStatement(db, { id, user, kind, email }, now),
    ...(await mails(id, now + TOKEN_LIFE_MS[kind])).map((mail) => mailStatement(db, mail, now)),
    auditStatement(db, { userId: user.id, actor: 'user', action: `${kind}.requested`, address }, now),
  ]);
}

/** Proves a user's address by the token that was mailed to it. False where the token is used, stale or unknown. */
export async function verifyAddress(db: Db, tokenId: string, address: string, now = Date.now()): Promise<boolean> {
  const [verified] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(`UPDATE users SET verified_at = coalesce(verified_at, ?) WHERE id = ${USER_OF_TOKEN} RETURNING id`)
      .bind(now, tokenId, 'verify', now),
    spendTokensStatement(db, tokenId, 'verify', now),
  ]);
  const [user] = verified?.results ?? [];
  if (user) await record(db, { userId: user.id, actor: 'user', action: 'email.verified', address }, now);
  return user !== undefined;
}

/** Gives a user the address that the token was mailed to, and tells the old one. */
export async function changeAddress(
  db: Db,
  { tokenId, user, address }: TokenUse,
  told: (email: string) => NewMail,
  now = Date.now(),
): Promise<'changed' | 'refused' | 'taken'> {
  const token = await tokenOf(db, tokenId, 'change_email');
  if (!tokenWorks(token, user, now)) return 'refused';
  try {
    await withNewCredentials(db, user, [
      db.$client
        .prepare(`UPDATE users SET email = ?, email_key = ?, verified_at = ? WHERE id = ?`)
        .bind(token.email, token.email.toLowerCase(), now, user.id),
      mailStatement(db, told(token.email), now),
      auditStatement(db, { userId: user.id, actor: 'user', action: 'email.changed', address }, now),
    ]);
    return 'changed';
  } catch (error) {
    if (brokeConstraint(error, 'users.email_key')) return 'taken';
    throw error;
  }
}

/** Ends a change of address that waits to be confirmed, with every other link of the account. False where none waits. */
export async function stopAddressChange(
  db: Db,
  { tokenId, user, address }: TokenUse,
  now = Date.now(),
): Promise<boolean> {
  if (!tokenWorks(await tokenOf(db, tokenId, 'change_email'), user, now)) return false;
  await withNewCredentials(db, user, [
    auditStatement(db, { userId: user.id, actor: 'user', action: 'change_email.stopped', address }, now),
  ]);
  return true;
}

/** A mailed token in use: by which user, as he was read, and from where. */
export interface TokenUse {
  tokenId: string;
  user: User;
  address: string;
}

/**
 * Sets a new password by a mailed token, which also proves the address, ends every session and API key and tells the
 * user. False where the token is used, stale or unknown.
 */
export async function resetPassword(
  db: Db,
  { tokenId, user, address }: TokenUse,
  password: string,
  mail: NewMail,
  now = Date.now(),
): Promise<boolean> {
  if (!tokenWorks(await tokenOf(db, tokenId, 'reset'), user, now)) return false;
  await withNewCredentials(db, user, [
    db.$client
      .prepare(`UPDATE users SET password_hash = ?, verified_at = coalesce(verified_at, ?) WHERE id = ?`)
      .bind(await hashPassword(password), now, user.id),
    endSessionsStatement(db, user.id),
    endKeysStatement(db, user.id, now),
    mailStatement(db, mail, now),
    auditStatement(db, { userId: user.id, actor: 'user', action: 'password.reset', address }, now),
  ]);
  return true;
}
