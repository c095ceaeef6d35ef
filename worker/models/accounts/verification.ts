import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';
import type { User } from './accounts.ts';
import {
  type MailToken,
  spendTokensStatement,
  TOKEN_LIFE_MS,
  tokenOf,
  tokenStatement,
  USER_OF_TOKEN,
} from './mail-tokens.ts';
import { hashPassword } from './passwords.ts';

/** Makes the mail that carries a token. */
export type TokenMail = (tokenId: string, expiresAt: number) => Promise<NewMail>;

/** What mails with links do: prove an address, change it, set a password. */

const RESEND_MS = 60_000;

/** Sends a user a verification mail, unless one went out within the last minute. */
export async function resendVerification(db: Db, user: User, mail: TokenMail, now = Date.now()): Promise<void> {
  // A held account has no address (models/registration.ts); a verified one needs no mail.
  if (user.verified_at !== null || user.email === '' || user.deleted_at !== null) return;
  const last = await db.$client
    .prepare(`SELECT max(created_at) AS at FROM mail_tokens WHERE user_id = ? AND kind = 'verify'`)
    .bind(user.id)
    .first<{ at: number | null }>();
  if (last?.at && now - last.at < RESEND_MS) return;
  await sendToken(db, user, 'verify', mail, {}, now);
}

/** Writes a token and the mail that carries it. */
export async function sendToken(
  db: Db,
  user: Pick<User, 'id'>,
  kind: 'verify' | 'reset' | 'change_email',
  mail: TokenMail,
  { email = '', address = '' }: { email?: string; address?: string },
  now = Date.now(),
): Promise<void> {
  const id = crypto.randomUUID();
  await db.$client.batch([
    tokenStatement(db, { id, userId: user.id, kind, email }, now),
    mailStatement(db, await mail(id, now + TOKEN_LIFE_MS[kind]), now),
    auditStatement(db, { userId: user.id, actor: 'user', action: `${kind}.requested`, address }, now),
  ]);
}

const works = (token: MailToken | null, now: number): token is MailToken =>
  token !== null && token.used_at === null && token.expires_at > now;

/** Proves a user's address by the token that was mailed to it. False where the token is used, stale or unknown. */
export async function verifyAddress(db: Db, tokenId: string, address: string, now = Date.now()): Promise<boolean> {
  const token = await tokenOf(db, tokenId, 'verify');
  if (!works(token, now)) return false;
  const [verified] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(`UPDATE users SET verified_at = coalesce(verified_at, ?) WHERE id = ${USER_OF_TOKEN} RETURNING id`)
      .bind(now, tokenId, 'verify', now),
    spendTokensStatement(db, tokenId, now),
    auditStatement(db, { userId: token.user_id, actor: 'user', action: 'email.verified', address }, now),
  ]);
  return (verified?.results.length ?? 0) > 0;
}

/** Gives a user the address that the token was mailed to, and tells the old one. */
export async function changeAddress(
  db: Db,
  tokenId: string,
  told: (email: string) => NewMail,
  address: string,
  now = Date.now(),
): Promise<'changed' | 'refused' | 'taken'> {
  const token = await tokenOf(db, tokenId, 'change_email');
  if (!works(token, now)) return 'refused';
  try {
    const [changed] = await db.$client.batch<{ id: string }>([
      db.$client
        .prepare(`UPDATE users SET email = ?, email_key = ?, verified_at = ? WHERE id = ${USER_OF_TOKEN} RETURNING id`)
        .bind(token.email, token.email.toLowerCase(), now, tokenId, 'change_email', now),
      mailStatement(db, told(token.email), now),
      spendTokensStatement(db, tokenId, now),
      auditStatement(db, { userId: token.user_id, actor: 'user', action: 'email.changed', address }, now),
    ]);
    return changed?.results.length ? 'changed' : 'refused';
  } catch (error) {
    if (brokeConstraint(error, 'users.email_key')) return 'taken';
    throw error;
  }
}

export interface Reset {
  tokenId: string;
  password: string;
  address: string;
}

/**
 * Sets a new password by a mailed token, which also proves the address, ends every session and tells the user.
 * False where the token is used, stale or unknown.
 */
export async function resetPassword(db: Db, reset: Reset, mail: NewMail, now = Date.now()): Promise<boolean> {
  const { tokenId, password, address } = reset;
  const token = await tokenOf(db, tokenId, 'reset');
  if (!works(token, now)) return false;
  const allowed = [tokenId, 'reset', now];
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE users SET password_hash = ?, verified_at = coalesce(verified_at, ?) WHERE id = ${USER_OF_TOKEN}
         RETURNING id`,
      )
      .bind(await hashPassword(password), now, ...allowed),
    db.$client.prepare(`DELETE FROM sessions WHERE user_id = ${USER_OF_TOKEN}`).bind(...allowed),
    mailStatement(db, mail, now),
    spendTokensStatement(db, tokenId, now),
    auditStatement(db, { userId: token.user_id, actor: 'user', action: 'password.reset', address }, now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}
