import { and, eq } from 'drizzle-orm';
import { HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { mail_tokens } from '../../db/schema.ts';
import type { Credentials } from './credentials.ts';

export type MailToken = typeof mail_tokens.$inferSelect;
export type MailTokenKind = MailToken['kind'];

/** How long each kind of token works. */
export const TOKEN_LIFE_MS: Readonly<Record<MailTokenKind, number>> = {
  verify: 24 * HOUR_MS,
  reset: HOUR_MS,
  change_email: 24 * HOUR_MS,
};

/** The statement that makes a token's row. A user who is not there breaks the foreign key, and with it the batch. */
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

/** Whether a token that was read still works for its user as he was read; the write that it allows asks again. */
export const tokenWorks = (token: MailToken | null, user: Credentials | null, now: number): token is MailToken =>
  token !== null &&
  token.used_at === null &&
  token.expires_at > now &&
  token.user_id === user?.id &&
  token.credentials_version === user.credentials_version;

/** The user of an unused token that still works, for the WHERE of the write that it allows: binds id, kind and now. */
export const USER_OF_TOKEN = `(SELECT user_id FROM mail_tokens t
  WHERE id = ? AND kind = ? AND used_at IS NULL AND expires_at > ?
    AND credentials_version = (SELECT u.credentials_version FROM users u WHERE u.id = t.user_id))`;

/** The statement that uses up a user's tokens of a kind, that one, where it still works, and those sent before it. */
export const spendTokensStatement = (db: Db, id: string, kind: MailTokenKind, now: number): D1PreparedStatement =>
  db.$client
    .prepare(`UPDATE mail_tokens SET used_at = ? WHERE used_at IS NULL AND kind = ? AND user_id = ${USER_OF_TOKEN}`)
    .bind(now, kind, id, kind, now);

/** A token's row, whatever its state, or null. */
export async function tokenOf(db: Db, id: string, kind: MailTokenKind): Promise<MailToken | null> {
  const [row] = await db
    .select()
    .from(mail_tokens)
    .where(and(eq(mail_tokens.id, id), eq(mail_tokens.kind, kind)));
  return row ?? null;
}
