import { desc, eq } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { audit_entries } from '../../db/schema.ts';

export interface AuditEntry {
  /** The account it concerns; null where none is known. */
  userId: string | null;
  /** Who acted: 'user', 'key:<id>', 'admin:<user id>', 'operator', 'system'. */
  actor: string;
  /** Noun and verb: 'session.opened', 'password.changed', 'balance.adjusted'. */
  action: string;
  /** What it was done to, where that is not the account. */
  subject?: string;
  /** Further facts; never a secret. */
  detail?: Record<string, unknown>;
  /** Where the caller sits, as the platform tells. */
  address?: string;
}

/** The statement that writes an audit entry, for the batch of the act itself. */
export const auditStatement = (db: Db, entry: AuditEntry, now: number): D1PreparedStatement =>
  statement(db, entry, now, '1');

/** The same, where the statement right before it in the batch has changed something. */
export const auditIfChanged = (db: Db, entry: AuditEntry, now: number): D1PreparedStatement =>
  statement(db, entry, now, 'changes() > 0');

const statement = (db: Db, entry: AuditEntry, now: number, condition: string): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO audit_entries (at, user_id, actor, action, subject, detail, address)
       SELECT ?, ?, ?, ?, ?, ?, ? WHERE ${condition}`,
    )
    .bind(
      now,
      entry.userId,
      entry.actor,
      entry.action,
      entry.subject ?? '',
      JSON.stringify(entry.detail ?? {}),
      entry.address ?? '',
    );

/** Writes an audit entry of an act that has no batch of its own. */
export async function record(db: Db, entry: AuditEntry, now = Date.now()): Promise<void> {
  await auditStatement(db, entry, now).run();
}

const ENTRIES_SHOWN = 100;

/** The newest entries of an account. */
export const auditOf = (db: Db, userId: string) =>
  db
    .select()
    .from(audit_entries)
    .where(eq(audit_entries.user_id, userId))
    .orderBy(desc(audit_entries.id))
    .limit(ENTRIES_SHOWN);

/** The triggers of the table let nothing go sooner (migrations). */
const KEPT_MS = 366 * DAY_MS;
const DROPPED_AT_ONCE = 5000;

/** Drops entries after a year. They are numbered in the order of their time, so only the oldest are looked at. */
export async function dropOldEntries(db: Db, now: number): Promise<void> {
  const statement = db.$client
    .prepare(
      `DELETE FROM audit_entries
       WHERE id IN (SELECT id FROM audit_entries ORDER BY id LIMIT ${DROPPED_AT_ONCE}) AND at < ?`,
    )
    .bind(now - KEPT_MS);
  while ((await statement.run()).meta.changes > 0);
}
