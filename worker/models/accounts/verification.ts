import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { dropMailsStatement, mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement, record } from '../service/audit.ts';
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
import type { User } from './user.ts';

/** Creates the mails for a token: the one with the link and any notices to other addresses. */
type TokenMails = (tokenId: string, expiresAt: number) => Promise<NewMail[]>;

/** Actions by mailed link: verify an address, change it, set a password. */

const RESEND_MS = 60_000;

/** Sends a verification mail, unless one was sent within the last minute. */
export async function resendVerification(db: Db, user: User, mails: TokenMails, now = Date.now()): Promise<void> {
  // An account that only reserves a name has no address (models/accounts/registration.ts).
  if (user.verified_at !== null || user.email === '' || user.deleted_at !== null) return;
  const last = await db.$client
    .prepare(`SELECT max(created_at) AS at FROM mail_tokens WHERE user_id = ? AND kind = 'verify'`)
    .bind(user.id)
    .first<{ at: number | null }>();
  if (last?.at && now - last.at < RESEND_MS) return;
  await sendToken(db, user, 'verify', mails, {}, now);
}

/** Creates a token and its mails. The link stops working if the user's credentials change. */
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

/** Verifies a user's address by a mailed token. Returns false if the token is used, expired or unknown. */
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

/** Changes a user's address to the one that the token was mailed to and notifies the old address. */
export async function changeAddress(
  db: Db,
  { tokenId, user, address }: TokenUse,
  told: (email: string) => Promise<NewMail>,
  now = Date.now(),
): Promise<'changed' | 'refused' | 'taken'> {
  const token = await tokenOf(db, tokenId, 'change_email');
  if (!tokenWorks(token, user, now)) return 'refused';
  const mail = await told(token.email);
  try {
    await withNewCredentials(db, user, [
      db.$client
        .prepare(`UPDATE users SET email = ?, email_key = ?, verified_at = ? WHERE id = ?`)
        .bind(token.email, token.email.toLowerCase(), now, user.id),
      dropMailsStatement(db, user.email),
      mailStatement(db, mail, now),
      auditStatement(db, { userId: user.id, actor: 'user', action: 'email.changed', address }, now),
    ]);
    return 'changed';
  } catch (error) {
    if (brokeConstraint(error, 'users.email_key')) return 'taken';
    throw error;
  }
}

/** Cancels a pending change of address and all other mailed links of the account. Returns false if none is pending. */
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

/** A use of a mailed token: the user as read, and the caller's address. */
interface TokenUse {
  tokenId: string;
  user: User;
  address: string;
}

/**
 * Sets a new password by a mailed token. Also verifies the address, ends all sessions and API keys and notifies the
 * user. Returns false if the token is used, expired or unknown.
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
