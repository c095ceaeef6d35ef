import type { FleetAct } from '../../../domain/fleet/admin-contract.ts';
import type { Db } from '../../db/open.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';
import { ONLINE_MS } from './bots.ts';

/** Groups of bots, for admins. */

interface Group {
  group_id: string;
  name: string;
  created_at: number;
  paused_at: number | null;
  revoked_at: number | null;
  bot_count: number;
  online_count: number;
}

export const listGroups = async (db: Db, now: number): Promise<Group[]> =>
  (
    await db.$client
      .prepare(
        `SELECT bot_groups.id AS group_id, name, created_at, bot_groups.paused_at, revoked_at,
           count(bots.bot_id) AS bot_count, count(bots.bot_id) FILTER (WHERE last_connected_at > ?) AS online_count
         FROM bot_groups LEFT JOIN bots ON group_id = bot_groups.id AND retired_at IS NULL
         GROUP BY bot_groups.id ORDER BY revoked_at IS NOT NULL, name LIMIT 500`,
      )
      .bind(now - ONLINE_MS)
      .all<Group>()
  ).results;

/** The column that an act sets to its time or clears, and the rows that it applies to. */
export const BOT_ACTS: Record<FleetAct, string> = {
  pause: 'SET paused_at = ?3 WHERE paused_at IS NULL AND retired_at IS NULL AND',
  resume: 'SET paused_at = NULL, retired_at = NULL WHERE ?3 AND (paused_at IS NOT NULL OR retired_at IS NOT NULL) AND',
  retire: 'SET retired_at = ?3 WHERE retired_at IS NULL AND',
};

/** A lease that ended because its bot was retired. */
export interface EndedLease {
  id: number;
  order_id: number;
  lease: string;
}

/**
 * Pauses, resumes or retires a bot. What a retired bot holds goes to others. Returns the leases that this ended, or null
 * if nothing changed.
 */
export async function actOnBot(
  db: Db,
  { group_id, bot_id, act }: { group_id: string; bot_id: string; act: FleetAct },
  entry: AuditEntry,
  now = Date.now(),
): Promise<EndedLease[] | null> {
  const [changed, , ended] = await db.$client.batch<EndedLease>([
    db.$client.prepare(`UPDATE bots ${BOT_ACTS[act]} group_id = ?1 AND bot_id = ?2`).bind(group_id, bot_id, now),
    auditIfChanged(db, entry, now),
    ...(act === 'retire' ? freeStatements(db, `bot_id = ?1`, `${group_id}/${bot_id}`, now) : []),
  ]);
  return changed?.meta.changes ? (ended?.results ?? []) : null;
}

/**
 * Returns the statements that put leased subtasks back into the queue without counting the attempt. The first one reads
 * their leases, which the second one clears.
 */
const freeStatements = (db: Db, whose: string, value: string, now: number): D1PreparedStatement[] => [
  db.$client.prepare(`SELECT id, order_id, lease FROM subtasks WHERE state = 'leased' AND ${whose}`).bind(value),
  db.$client
    .prepare(
      `UPDATE subtasks SET state = 'waiting', lease = NULL, lease_until = ?2, attempts = attempts - 1
       WHERE state = 'leased' AND ${whose}`,
    )
    .bind(value, now),
];

const GROUP_ACTS: Record<FleetAct, string> = {
  pause: 'SET paused_at = ?2 WHERE paused_at IS NULL AND',
  resume: 'SET paused_at = NULL WHERE ?2 AND paused_at IS NOT NULL AND',
  retire: 'SET revoked_at = ?2 WHERE revoked_at IS NULL AND',
};

/** The same for a group. A retired group's token is refused. */
export async function actOnGroup(
  db: Db,
  { group_id, act }: { group_id: string; act: FleetAct },
  entry: AuditEntry,
  now = Date.now(),
): Promise<EndedLease[] | null> {
  const [changed, , ended] = await db.$client.batch<EndedLease>([
    db.$client.prepare(`UPDATE bot_groups ${GROUP_ACTS[act]} id = ?1`).bind(group_id, now),
    auditIfChanged(db, entry, now),
    ...(act === 'retire' ? freeStatements(db, `bot_id >= ?1 || '/' AND bot_id < ?1 || '0'`, group_id, now) : []),
  ]);
  return changed?.meta.changes ? (ended?.results ?? []) : null;
}
