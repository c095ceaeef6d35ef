import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/** The directory of governors: in which kingdom each was last seen, under which name. */

export interface Elsewhere {
  governor_id: number;
  kingdom_id: number;
  /** Time of the scan that showed them there. */
  captured_at: number;
}

/** Returns those of the governors who were last seen in another kingdom. */
export async function lastSeenElsewhere(
  db: Db,
  game: GameId,
  kingdom: number,
  governors: readonly number[],
): Promise<Elsewhere[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT known.governor_id, known.kingdom_id, known.captured_at FROM json_each(?3) one
       CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = one.value AND known.kingdom_id <> ?2`,
    )
    .bind(game, kingdom, JSON.stringify(governors))
    .all<Elsewhere>();
  return results;
}

/** A kingdom whose history is read. */
export interface Asked {
  game: GameId;
  kingdom_id: number;
}

const keyOf = ({ game, kingdom_id }: Asked): string => `${game} ${kingdom_id}`;

/**
 * Returns the governors who were seen in each kingdom and are now known in another. Their lines follow them with the
 * next scan that shows them, so lines that stay behind no longer count.
 */
export async function departedFrom(db: Db, kingdoms: readonly Asked[]): Promise<(asked: Asked) => ReadonlySet<number>> {
  const { results } = await db.$client
    .prepare(
      `SELECT DISTINCT change.game, CAST(change.old_value AS INTEGER) AS kingdom_id, change.governor_id
       FROM json_each(?1) one
       CROSS JOIN governor_changes change INDEXED BY governor_changes_left ON change.game = one.value ->> 'game' AND change.field = 'kingdom_id'
         AND change.old_value = CAST(one.value ->> 'kingdom_id' AS TEXT)
       CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
         AND CAST(known.kingdom_id AS TEXT) <> change.old_value`,
    )
    .bind(JSON.stringify(kingdoms.map(({ game, kingdom_id }) => ({ game, kingdom_id }))))
    .all<Asked & { governor_id: number }>();
  const ids = Map.groupBy(results, keyOf);
  const sets = new Map([...ids].map(([key, rows]) => [key, new Set(rows.map(({ governor_id }) => governor_id))]));
  return (asked) => sets.get(keyOf(asked)) ?? new Set();
}

export interface Named {
  governor_id: number;
  name: string;
  alliance_tag: string;
}

/** Returns names and alliances of governors, in the order given. */
export async function namesOf(db: Db, game: GameId, governors: readonly number[]): Promise<Named[]> {
  if (governors.length === 0) return [];
  const { results } = await db.$client
    .prepare(
      `SELECT known.governor_id, known.name, known.alliance_tag FROM json_each(?2) one
       CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = one.value ORDER BY one.key`,
    )
    .bind(game, JSON.stringify(governors))
    .all<Named>();
  return results;
}

/** A stored scan that belongs in a history. */
export interface StoredCapture {
  key: string;
  captured_at: number;
  source: string;
}

/** Returns a kingdom's scans since a time, oldest first. */
export async function scansToPack(db: Db, { game, kingdom_id }: Asked, since: number): Promise<StoredCapture[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT key, captured_at, source FROM snapshots
       WHERE game = ? AND kingdom_id = ? AND kind = 'scan' AND captured_at >= ? ORDER BY captured_at, id`,
    )
    .bind(game, kingdom_id, since)
    .all<StoredCapture>();
  return results;
}

/** Name of the cron's job. */
export const PACKING = 'packing';
const PACKED_AT_ONCE = 24;

/** Returns kingdoms whose history is not packed, except those in backoff. */
export async function unpacked(db: Db, now: number): Promise<Asked[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT game, kingdom_id FROM kingdoms
       WHERE packed_at IS NULL AND ${notInBackoffSql(PACKING, `(game || ' ' || kingdom_id)`, 1)} LIMIT ${PACKED_AT_ONCE}`,
    )
    .bind(now)
    .all<Asked>();
  return results;
}

/** Returns whether a kingdom's history is packed, and so has all of its scans. */
export const isPacked = async (db: Db, { game, kingdom_id }: Asked): Promise<boolean> =>
  (await db.$client
    .prepare(`SELECT 1 FROM kingdoms WHERE game = ? AND kingdom_id = ? AND packed_at IS NOT NULL`)
    .bind(game, kingdom_id)
    .first()) !== null;

/** Marks a kingdom's history as packed. It is digested again, because its inactive governors are found in the history. */
export const notePacked = (db: Db, { game, kingdom_id }: Asked, now: number): Promise<unknown> =>
  db.$client
    .prepare(`UPDATE kingdoms SET packed_at = ?3, digested_at = 0 WHERE game = ?1 AND kingdom_id = ?2`)
    .bind(game, kingdom_id, now)
    .run();

/** Requests that these kingdoms, or all if there are none, are packed again. Until then their present files answer. */
export async function unpack(db: Db, kingdoms: readonly Asked[] | 'all'): Promise<void> {
  const listed =
    kingdoms === 'all'
      ? ''
      : `WHERE (game, kingdom_id) IN (
    SELECT value ->> 'game', value ->> 'kingdom_id' FROM json_each(?1))`;
  const statement = db.$client.prepare(`UPDATE kingdoms SET packed_at = NULL ${listed}`);
  await (kingdoms === 'all' ? statement : statement.bind(JSON.stringify(kingdoms))).run();
}

/** Returns how many kingdoms are known and how many of them are not packed. */
export const packingState = async (db: Db): Promise<{ kingdoms: number; unpacked: number }> =>
  (await db.$client
    .prepare(`SELECT count(*) AS kingdoms, count(*) - count(packed_at) AS unpacked FROM kingdoms`)
    .first<{ kingdoms: number; unpacked: number }>()) ?? { kingdoms: 0, unpacked: 0 };
