import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { hashOf } from '../../signing.ts';
import { randomCode } from '../accounts/access-codes.ts';
import { mailStatement } from '../messages/outbox.ts';
import { auditIfChanged, record } from './audit.ts';

/** What whoever runs the service does from his own machine (`npm run admin`), each with its entry in the audit log. */

/** Who acts: the account on the operator's machine, which the log keeps. */
export interface Operator {
  name: string;
}

export const ACTOR = 'operator';

interface Act {
  action: string;
  userId?: string;
  subject?: string;
  detail?: object;
}

/** The entry of an act that the statement right before has done. */
const entry = (db: Db, { name }: Operator, { userId, detail, ...act }: Act, now: number) =>
  auditIfChanged(db, { ...act, userId: userId ?? null, actor: ACTOR, detail: { ...detail, by: name } }, now);

/** Gives a user the admin's role, or takes it away; false where he has it already, or has not. */
export async function setRole(
  db: Db,
  operator: Operator,
  userId: string,
  role: 'admin' | 'user',
  now = Date.now(),
): Promise<boolean> {
  const before = role === 'admin' ? 'user' : 'admin';
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client.prepare(`UPDATE users SET role = ? WHERE id = ? AND role = ? RETURNING id`).bind(role, userId, before),
    entry(db, operator, { action: 'role.changed', userId, detail: { role } }, now),
    // Whoever loses the role loses what is open with it.
    db.$client.prepare(`DELETE FROM sessions WHERE user_id = ? AND ?`).bind(userId, Number(role === 'user')),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/**
 * Takes a user's second factor away because he lost it, after he proved who he is in the way that `proof` says: ends his
 * sessions and mails him. False where he has none.
 */
export async function resetTwoFactor(
  db: Db,
  operator: Operator,
  { userId, email, proof }: { userId: string; email: string; proof: string },
  now = Date.now(),
): Promise<boolean> {
  const mail = {
    to: email,
    subject: 'Two-factor sign-in was switched off',
    text:
      'Support switched off two-factor sign-in for your account, because you told us that you lost it, and ended all of your sessions. ' +
      'Sign in with your password and set it up anew under My Account. If you did not ask for this, answer this mail at once.',
    reference: `two_factor_reset:${userId}:${now}`,
  };
  const there = await db.$client.prepare(`SELECT 1 FROM two_factor WHERE user_id = ?`).bind(userId).first();
  if (!there) return false;
  await db.$client.batch([
    db.$client.prepare(`DELETE FROM two_factor WHERE user_id = ?`).bind(userId),
    entry(db, operator, { action: 'two_factor.reset', userId, detail: { proof } }, now),
    db.$client.prepare(`DELETE FROM recovery_codes WHERE user_id = ?`).bind(userId),
    db.$client.prepare(`DELETE FROM sessions WHERE user_id = ?`).bind(userId),
    mailStatement(db, mail, now),
  ]);
  return true;
}

/** Makes an access code for the first users; what the admin pages make later. Answers the code. */
export async function firstCode(
  db: Db,
  operator: Operator,
  { uses, expires_at }: { uses: number; expires_at: number },
  now = Date.now(),
): Promise<string> {
  const code = randomCode();
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO access_codes (code, note, max_uses, expires_at, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .bind(code, `By ${operator.name}`, uses, expires_at, ACTOR, now),
    entry(db, operator, { action: 'access_code.created', subject: code, detail: { uses } }, now),
  ]);
  return code;
}

const newToken = (): string => randomBytes(32).toString('base64url');

/** Makes a group of bots and answers its token, which is shown this once; null where the id is taken. */
export async function addGroup(
  db: Db,
  operator: Operator,
  { id, name }: { id: string; name: string },
  now = Date.now(),
): Promise<string | null> {
  const token = newToken();
  try {
    await db.$client.batch([
      db.$client
        .prepare(`INSERT INTO bot_groups (id, name, token_hash, created_at) VALUES (?, ?, ?, ?)`)
        .bind(id, name, await hashOf(token), now),
      entry(db, operator, { action: 'group.added', subject: id, detail: { name } }, now),
    ]);
    return token;
  } catch (error) {
    if (brokeConstraint(error, 'bot_groups.id')) return null;
    throw error;
  }
}

/** Gives a group another token, also one that was revoked; the one before opens nothing after ten seconds. Null where there is none. */
export async function rotateGroup(db: Db, operator: Operator, id: string, now = Date.now()): Promise<string | null> {
  const token = newToken();
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(`UPDATE bot_groups SET token_hash = ?, revoked_at = NULL WHERE id = ? RETURNING id`)
      .bind(await hashOf(token), id),
    entry(db, operator, { action: 'group.rotated', subject: id }, now),
  ]);
  return changed?.results.length ? token : null;
}

/** Closes the fleet API to a group; false where there is none, or it is closed. */
export async function revokeGroup(db: Db, operator: Operator, id: string, now = Date.now()): Promise<boolean> {
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(`UPDATE bot_groups SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id`)
      .bind(now, id),
    entry(db, operator, { action: 'group.revoked', subject: id }, now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/** Notes that a backup was taken, or that the database was filled from one. */
export async function noteCopy(
  db: Db,
  operator: Operator,
  action: 'backup.taken' | 'backup.restored',
  detail: object,
  now = Date.now(),
): Promise<void> {
  await record(db, { userId: null, actor: ACTOR, action, detail: { ...detail, by: operator.name } }, now);
}
