import { randomBytes } from 'node:crypto';
import { hashOf } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { randomCode } from '../accounts/access-codes.ts';
import { removeFactor } from '../accounts/admin-acts.ts';
import { auditIfChanged, record } from './audit.ts';

/** Actions of the operator from their own machine (`npm run admin`). Each is recorded in the audit log. */

/** The operator: the account name on their machine, stored in the audit log. */
export interface Operator {
  name: string;
  /** Set if an admin acts on the pages instead. */
  admin?: { id: string; address: string; reason: string };
}

export const ACTOR = 'operator';

interface Act {
  action: string;
  userId?: string;
  subject?: string;
  detail?: object;
}

/** Returns the audit entry of an action, written only if the preceding statement changed something. */
const entry = (db: Db, { name, admin }: Operator, { userId, detail, ...act }: Act, now: number) =>
  auditIfChanged(
    db,
    {
      ...{ ...act, userId: userId ?? null, address: admin?.address ?? '' },
      actor: admin ? `admin:${admin.id}` : ACTOR,
      detail: { ...detail, by: name, ...(admin ? { reason: admin.reason } : {}) },
    },
    now,
  );

/** Grants or revokes the admin role. Returns false if nothing changed. */
export async function setRole(
  db: Db,
  operator: Operator,
  userId: string,
  role: 'admin' | 'user',
  now = Date.now(),
): Promise<boolean> {
  // Support accounts can become admins, too.
  const from = role === 'admin' ? `role <> 'admin'` : `role = 'admin'`;
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client.prepare(`UPDATE users SET role = ? WHERE id = ? AND ${from} RETURNING id`).bind(role, userId),
    entry(db, operator, { action: 'role.changed', userId, detail: { role } }, now),
    // A user who loses the role also loses all sessions.
    db.$client.prepare(`DELETE FROM sessions WHERE user_id = ? AND ?`).bind(userId, Number(role === 'user')),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/**
 * Removes a user's lost second factor after the user proved their identity as described in `proof`. Ends the user's
 * sessions and notifies them by mail. Returns false if they have none.
 */
export async function resetTwoFactor(
  db: Db,
  operator: Operator,
  { userId, email, proof }: { userId: string; email: string; proof: string },
  now = Date.now(),
): Promise<boolean> {
  const act = { userId, actor: ACTOR, action: 'two_factor.reset', detail: { proof, by: operator.name } };
  return removeFactor(db, { userId, email }, act, now);
}

/** Creates an access code for the first users and returns it. Later codes come from the admin pages. */
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

/** Creates a bot group and returns its token, which is shown only once. Returns null if the id is taken. */
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

/**
 * Replaces a group's token and reactivates a revoked group. The old token stops working within ten seconds. Returns
 * null if the group does not exist.
 */
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

/** Revokes a group's access to the fleet API. Returns false if it does not exist or is already revoked. */
export async function revokeGroup(db: Db, operator: Operator, id: string, now = Date.now()): Promise<boolean> {
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(`UPDATE bot_groups SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id`)
      .bind(now, id),
    entry(db, operator, { action: 'group.revoked', subject: id }, now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/** Records that a backup was taken or restored. */
export async function noteCopy(
  db: Db,
  operator: Operator,
  action: 'backup.taken' | 'backup.restored',
  detail: object,
  now = Date.now(),
): Promise<void> {
  await record(db, { userId: null, actor: ACTOR, action, detail: { ...detail, by: operator.name } }, now);
}

/**
 * Returns false if a message would go to an account or address that came with a restored backup. True for admins, for
 * accounts registered since, for an unused address that such a user changes to, for the notice to their former address,
 * and for everybody if no backup was restored. `recipient` is an address or a user id.
 */
export async function isOwnRecipient(
  db: Db,
  { recipient, reference }: { recipient: string; reference: string },
): Promise<boolean> {
  const found = await db.$client
    .prepare(
      `SELECT 1 FROM (SELECT max(at) AS at FROM audit_entries WHERE actor = ?1 AND action = 'backup.restored') restored
       WHERE restored.at IS NULL OR EXISTS (SELECT 1 FROM users
         WHERE (role = 'admin' OR created_at > restored.at) AND (id = ?2 OR email_key = lower(?2)
           OR id IN (SELECT user_id FROM mail_tokens WHERE 'email_changed:' || mail_tokens.id = ?3)
           OR (id IN (SELECT user_id FROM mail_tokens WHERE kind = 'change_email' AND lower(email) = lower(?2))
             AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = lower(?2)))))`,
    )
    .bind(ACTOR, recipient, reference)
    .first();
  return found !== null;
}
