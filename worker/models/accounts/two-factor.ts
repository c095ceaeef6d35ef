import { randomInt } from 'node:crypto';
import { and, eq, isNotNull } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { hashOf, seal, unseal } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import { two_factor } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';
import { type Credentials, withNewCredentials } from './credentials.ts';

type KeyEnv = Pick<Env, 'SESSION_KEYS'>;

const STEP_SECONDS = 30;
/** Phone clocks drift, so the previous and next codes are valid too. */
const WINDOW = 1;
const MAX_FAILURES = 5;
/** How long codes are refused after too many wrong ones. */
export const BLOCKED_SECONDS = 15 * 60;
const RECOVERY_CODES = 10;

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: 'Muster',
    label,
    secret: Secret.fromBase32(secret),
    period: STEP_SECONDS,
    digits: 6,
    algorithm: 'SHA1',
  });

/** True if the user has a second factor confirmed by a first code. */
export async function hasTwoFactor(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: two_factor.user_id })
    .from(two_factor)
    .where(and(eq(two_factor.user_id, userId), isNotNull(two_factor.confirmed_at)));
  return row !== undefined;
}

/**
 * Creates a secret for the user's authenticator, which becomes active when confirmed. Returns null if the user already
 * has a second factor.
 */
export async function startTwoFactor(
  db: Db,
  env: KeyEnv,
  user: { id: string; username: string },
): Promise<{ secret: string; uri: string } | null> {
  const secret = new Secret({ size: 20 }).base32;
  const row = await db.$client
    .prepare(
      `INSERT INTO two_factor (user_id, secret) VALUES (?, ?)
       ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, failures = 0 WHERE confirmed_at IS NULL
       RETURNING user_id`,
    )
    .bind(user.id, await seal(env, user.id, secret))
    .first();
  return row ? { secret, uri: totpOf(secret, user.username).toString() } : null;
}

/** Returns five groups of five characters without look-alikes: 123 random bits, so a fast hash is safe. */
function newRecoveryCode(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}

interface FactorContext {
  user: Credentials;
  sessionId: string;
  mail: NewMail;
  address: string;
}

/**
 * Activates the authenticator with its first code. Returns the recovery codes, or null if the code is wrong or no
 * authenticator is waiting.
 */
export async function confirmTwoFactor(
  db: Db,
  env: KeyEnv,
  code: string,
  { user, sessionId, mail, address }: FactorContext,
  now = Date.now(),
): Promise<string[] | null> {
  const userId = user.id;
  const [row] = await db.select().from(two_factor).where(eq(two_factor.user_id, userId));
  if (!row || row.confirmed_at !== null) return null;
  const step = await stepOf(env, row, code, now);
  if (step === null) return null;
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = await Promise.all(codes.map(hashOf));
  await withNewCredentials(db, user, [
    // If the secret changed since the code was checked, the column gets NULL, which fails the batch.
    db.$client
      .prepare(
        `UPDATE two_factor SET confirmed_at = ?1, last_step = ?2,
           secret = CASE WHEN secret = ?4 AND confirmed_at IS NULL THEN secret END
         WHERE user_id = ?3`,
      )
      .bind(now, step, userId, row.secret),
    db.$client.prepare(`DELETE FROM recovery_codes WHERE user_id = ?`).bind(userId),
    db.$client
      .prepare(`INSERT INTO recovery_codes (user_id, code_hash) SELECT ?1, value FROM json_each(?2)`)
      .bind(userId, JSON.stringify(hashes)),
    // This session has just proved the factor; all others signed in without it.
    db.$client.prepare(`UPDATE sessions SET two_factor = 1 WHERE id = ?`).bind(sessionId),
    db.$client.prepare(`DELETE FROM sessions WHERE user_id = ? AND id <> ?`).bind(userId, sessionId),
    mailStatement(db, mail, now),
    auditStatement(db, { userId, actor: 'user', action: 'two_factor.on', address }, now),
  ]);
  return codes;
}

/** Returns the time step that this code belongs to, or null. */
async function stepOf(
  env: KeyEnv,
  row: { user_id: string; secret: string },
  code: string,
  now: number,
): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  // If the secret's key was removed, no code matches. Recovery codes still work.
  const secret = await unseal(env, row.user_id, row.secret).catch(() => null);
  const delta = secret && totpOf(secret, '').validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + Number(delta);
}

/** Uses up a recovery code. Returns false if it is not an unused code of this user. */
async function spendRecoveryCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(`UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL`)
    .bind(now, userId, await hashOf(code.toLowerCase()))
    .run();
  return meta.changes > 0;
}

/**
 * Counts an attempt before checking it, so that parallel attempts cannot exceed the limit. Returns null while blocked.
 */
const takeTry = (db: Db, userId: string, now: number): Promise<{ user_id: string; secret: string } | null> =>
  db.$client
    .prepare(
      `UPDATE two_factor SET failures = (failures + 1) % ?2,
         blocked_until = CASE WHEN failures + 1 >= ?2 THEN ?4 ELSE blocked_until END
       WHERE user_id = ?1 AND confirmed_at IS NOT NULL AND blocked_until <= ?3
       RETURNING user_id, secret`,
    )
    .bind(userId, MAX_FAILURES, now, now + BLOCKED_SECONDS * 1000)
    .first<{ user_id: string; secret: string }>();

/** Uses up an authenticator code. Returns false if it is wrong or its time step was used before. */
async function spendCode(env: KeyEnv, db: Db, row: { user_id: string; secret: string }, code: string, now: number) {
  const step = await stepOf(env, row, code, now);
  if (step === null) return false;
  const { meta } = await db.$client
    .prepare(`UPDATE two_factor SET last_step = ?1 WHERE user_id = ?2 AND last_step < ?1`)
    .bind(step, row.user_id)
    .run();
  return meta.changes > 0;
}

/**
 * Checks an authenticator or recovery code; each works once. Returns `blocked` for 15 minutes after five wrong codes in
 * a row, whatever the code, and `wrong` if the user has no second factor.
 */
export async function checkSecondFactor(
  db: Db,
  env: KeyEnv,
  userId: string,
  code: string,
  now = Date.now(),
): Promise<'right' | 'wrong' | 'blocked'> {
  if (!(await hasTwoFactor(db, userId))) return 'wrong';
  const row = await takeTry(db, userId, now);
  if (!row) return 'blocked';
  const right = (await spendCode(env, db, row, code, now)) || (await spendRecoveryCode(db, userId, code, now));
  if (!right) return 'wrong';
  await db.$client
    .prepare(`UPDATE two_factor SET failures = 0, blocked_until = 0 WHERE user_id = ?`)
    .bind(userId)
    .run();
  return 'right';
}

/** Removes the second factor. */
export async function endTwoFactor(
  db: Db,
  { user, mail, address }: Omit<FactorContext, 'sessionId'>,
  now = Date.now(),
): Promise<void> {
  const userId = user.id;
  await withNewCredentials(db, user, [
    db.$client.prepare(`DELETE FROM recovery_codes WHERE user_id = ?`).bind(userId),
    db.$client.prepare(`DELETE FROM two_factor WHERE user_id = ?`).bind(userId),
    db.$client.prepare(`UPDATE sessions SET two_factor = 0 WHERE user_id = ?`).bind(userId),
    mailStatement(db, mail, now),
    auditStatement(db, { userId, actor: 'user', action: 'two_factor.off', address }, now),
  ]);
}
