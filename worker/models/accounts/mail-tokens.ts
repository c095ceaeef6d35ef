import { and, eq } from 'drizzle-orm';
import { HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { mail_tokens } from '../../db/schema.ts';
import type { Credentials } from './credentials.ts';

type MailToken = typeof mail_tokens.$inferSelect;
export type MailTokenKind = MailToken['kind'];

/** Lifetime of each kind of token, in ms. */
export const TOKEN_LIFE_MS: Readonly<Record<MailTokenKind, number>> = {
  verify: 24 * HOUR_MS,
  reset: HOUR_MS,
  change_email: 24 * HOUR_MS,
};

/** Returns the statement that creates a token. A missing user breaks the foreign key and with it the batch. */
export const tokenStatement = (
  db: Db,
  token: { id: string; user: Credentials; kind: MailTokenKind; email?: string },
  now: number,
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO mail_tokens (id, user_id, kind, email, credentials_version, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      token.id,
      token.user.id,
      token.kind,
      token.email ?? '',
      token.user.credentials_version,
      now,
      now + TOKEN_LIFE_MS[token.kind],
    );

/** True if a token still works for this user. The write that it authorises checks again. */
export const tokenWorks = (token: MailToken | null, user: Credentials | null, now: number): token is MailToken =>
  token !== null &&
  token.used_at === null &&
  token.expires_at > now &&
  token.user_id === user?.id &&
  token.credentials_version === user.credentials_version;

/** SQL of the user of a valid, unused token, for the WHERE of the write that it authorises. Binds id, kind and now. */
export const USER_OF_TOKEN = `(SELECT user_id FROM mail_tokens t
  WHERE id = ? AND kind = ? AND used_at IS NULL AND expires_at > ?
    AND credentials_version = (SELECT u.credentials_version FROM users u WHERE u.id = t.user_id))`;

/** Returns the statement that marks a valid token, and the same user's other tokens of its kind, as used. */
export const spendTokensStatement = (db: Db, id: string, kind: MailTokenKind, now: number): D1PreparedStatement =>
  db.$client
    .prepare(`UPDATE mail_tokens SET used_at = ? WHERE used_at IS NULL AND kind = ? AND user_id = ${USER_OF_TOKEN}`)
    .bind(now, kind, id, kind, now);

/** Returns a token in any state, or null. */
export async function tokenOf(db: Db, id: string, kind: MailTokenKind): Promise<MailToken | null> {
  const [row] = await db
    .select()
    .from(mail_tokens)
    .where(and(eq(mail_tokens.id, id), eq(mail_tokens.kind, kind)));
  return row ?? null;
}
