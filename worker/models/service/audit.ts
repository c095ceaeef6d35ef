import { and, desc, eq } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { audit_entries } from '../../db/schema.ts';

type Row = typeof audit_entries.$inferSelect;

export interface AuditEntry {
  /** The account concerned; null if unknown. */
  userId: string | null;
  /** The actor: 'user', 'key:<id>', 'admin:<user id>', 'operator', 'system'. */
  actor: string;
  /** Noun and verb: 'session.opened', 'password.changed', 'balance.adjusted'. */
  action: string;
  /** The object of the action, if it is not the account. */
  subject?: string;
  /** Further details; never secrets. */
  detail?: Record<string, unknown>;
  /** The caller's IP address as reported by Cloudflare. */
  address?: string;
}

/** Returns the statement that writes an audit entry, for the batch of the action itself. */
export const auditStatement = (db: Db, entry: AuditEntry, now: number): D1PreparedStatement =>
  statement(db, entry, now, '1');

/** Like `auditStatement`, but only if the preceding statement in the batch changed something. */
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

/** Writes an audit entry for an action without a batch. */
export async function record(db: Db, entry: AuditEntry, now = Date.now()): Promise<void> {
  await auditStatement(db, entry, now).run();
}

const ENTRIES_SHOWN = 100;

/** Returns a reference without the id of the admin, which that of an adjustment contains. */
export const withoutAdmin = (reference: string): string => reference.replace(/^adjustment:[^:]+:/, 'adjustment:');

/** Returns who acted, on what and from where as the account's user may see it: not which admin, nor their address. */
export const actShown = <Act extends Pick<Row, 'actor' | 'subject' | 'address'>>(act: Act): Act =>
  act.actor.startsWith('admin:') ? { ...act, actor: 'admin', subject: withoutAdmin(act.subject), address: '' } : act;

/** Returns the newest entries of an account for its user. */
export const auditOf = async (db: Db, userId: string): Promise<Omit<Row, 'user_id' | 'detail'>[]> => {
  const { id, at, actor, action, subject, address } = audit_entries;
  const entries = await db
    .select({ id, at, actor, action, subject, address })
    .from(audit_entries)
    .where(eq(audit_entries.user_id, userId))
    .orderBy(desc(audit_entries.id))
    .limit(ENTRIES_SHOWN);
  return entries.map(actShown);
};

const EDITS_SHOWN = 30;

/** Returns the newest entries of an account about one object. */
export const auditAbout = (db: Db, userId: string, subject: string) =>
  db
    .select({ at: audit_entries.at, actor: audit_entries.actor, detail: audit_entries.detail })
    .from(audit_entries)
    .where(and(eq(audit_entries.user_id, userId), eq(audit_entries.subject, subject)))
    .orderBy(desc(audit_entries.id))
    .limit(EDITS_SHOWN);

/** The table's triggers prevent earlier deletion (migrations). */
const KEPT_MS = 366 * DAY_MS;
const DROPPED_AT_ONCE = 5000;

/** Deletes entries after a year. Ids follow time, so only the oldest are checked. */
export async function dropOldEntries(db: Db, now: number): Promise<void> {
  const statement = db.$client
    .prepare(
      `DELETE FROM audit_entries
       WHERE id IN (SELECT id FROM audit_entries ORDER BY id LIMIT ${DROPPED_AT_ONCE}) AND at < ?`,
    )
    .bind(now - KEPT_MS);
  while ((await statement.run()).meta.changes > 0);
}
