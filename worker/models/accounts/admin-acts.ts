import type { Role } from '../../../domain/accounts/roles.ts';
import type { Db } from '../../db/open.ts';
import { mailStatement } from '../messages/outbox.ts';
import { factorRemovedMail } from '../messages/user-mails.ts';
import { NO_RUN } from '../orders/schedules.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';
import { type Credentials, withNewCredentials } from './credentials.ts';
import { endSessionsStatement } from './sessions.ts';
import { isActiveAdminSql } from './user.ts';

/** Acts on accounts by admins and the operator. Each is logged in the same batch. */

/** SQL: another admin than ?1 can act. */
const ANOTHER_ADMIN = `EXISTS (SELECT 1 FROM users others WHERE ${isActiveAdminSql('others')} AND others.id <> ?1)`;

/**
 * Locks an account: ends its sessions, pauses its schedules, stops its keys and refuses a sign-in that has begun. Returns
 * false if it is locked already or is the last admin.
 */
export async function lockAccount(
  db: Db,
  userId: string,
  reason: string,
  entry: AuditEntry,
  now = Date.now(),
): Promise<boolean> {
  const locked = `EXISTS (SELECT 1 FROM users WHERE id = ?1 AND locked_at IS NOT NULL)`;
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE users SET locked_at = ?2, locked_reason = ?3, credentials_version = credentials_version + 1
         WHERE id = ?1 AND locked_at IS NULL AND deleted_at IS NULL AND (role <> 'admin' OR ${ANOTHER_ADMIN}) RETURNING id`,
      )
      .bind(userId, now, reason),
    auditIfChanged(db, entry, now),
    db.$client.prepare(`DELETE FROM sessions WHERE user_id = ?1 AND ${locked}`).bind(userId),
    db.$client
      .prepare(
        `UPDATE schedules SET state = 'paused', paused_by_lock = 1, ${NO_RUN}
         WHERE user_id = ?1 AND state = 'active' AND ${locked}`,
      )
      .bind(userId),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/** Unlocks an account. Its schedules stay paused until its user resumes them. Returns false if it is not locked. */
export async function unlockAccount(db: Db, userId: string, entry: AuditEntry, now = Date.now()): Promise<boolean> {
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE users SET locked_at = NULL, locked_reason = NULL WHERE id = ? AND locked_at IS NOT NULL RETURNING id`,
      )
      .bind(userId),
    auditIfChanged(db, entry, now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/**
 * Changes a role, if it is still `before` and an admin remains. A user who loses a role loses all sessions. Returns
 * false if nothing changed.
 */
export async function changeRole(
  db: Db,
  { userId, before, role }: { userId: string; before: Role; role: Role },
  entry: AuditEntry,
  now = Date.now(),
): Promise<boolean> {
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE users SET role = ?2
         WHERE id = ?1 AND role = ?3 AND ?2 <> ?3 AND deleted_at IS NULL AND (?3 <> 'admin' OR ${ANOTHER_ADMIN}) RETURNING id`,
      )
      .bind(userId, role, before),
    auditIfChanged(db, entry, now),
    db.$client
      .prepare(
        `DELETE FROM sessions WHERE user_id = ?1 AND ?3 <> 'user' AND (SELECT role FROM users WHERE id = ?1) = ?2`,
      )
      .bind(userId, role, before),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/**
 * Removes a user's lost second factor, ends their sessions and mails them in the current language. Returns false if
 * they have none. @throws Refusal conflict if their credentials change meanwhile.
 */
export async function removeFactor(
  db: Db,
  { userId, email }: { userId: string; email: string },
  entry: AuditEntry,
  now = Date.now(),
): Promise<boolean> {
  const mail = {
    to: email,
    ...factorRemovedMail(),
    reference: `two_factor_reset:${userId}:${now}`,
  };
  const user = await db.$client
    .prepare(
      `SELECT id, credentials_version FROM users JOIN two_factor ON user_id = id
       WHERE id = ? AND confirmed_at IS NOT NULL`,
    )
    .bind(userId)
    .first<Credentials>();
  if (!user) return false;
  await withNewCredentials(db, user, [
    db.$client.prepare(`DELETE FROM two_factor WHERE user_id = ?`).bind(userId),
    auditIfChanged(db, entry, now),
    db.$client.prepare(`DELETE FROM recovery_codes WHERE user_id = ?`).bind(userId),
    endSessionsStatement(db, userId),
    mailStatement(db, mail, now),
  ]);
  return true;
}
