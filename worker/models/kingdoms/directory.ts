import type { GameId } from '../../../domain/games/games.ts';
import { batchDirectories } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/** The directory of governors: in which kingdom each was last seen, under which name. */

/** A governor as a scan shows them. A null text means that the scan has none of its kind. */
export type ShownGovernor = readonly [governor_id: number, name: string | null, alliance_tag: string | null];

/** A governor of whom the directory says something else than a scan. */
export interface ListedOtherwise {
  governor_id: number;
  /** Null if the directory does not have the governor. */
  kingdom_id: number | null;
  name: string | null;
  /** Time of a scan that showed them there: the one that last changed what the directory says, or a later one. */
  captured_at: number | null;
}

const SHOWN_AT_ONCE = 5000;

/** Returns those of the governors in a kingdom's scan of whom the directory says something else, or nothing. */
export async function listedOtherwise(
  db: Db,
  game: GameId,
  kingdom: number,
  shown: readonly ShownGovernor[],
): Promise<ListedOtherwise[]> {
  const directory = db.directory(game);
  const statements = partsOf(shown, SHOWN_AT_ONCE).map((part) =>
    directory
      .prepare(
        `SELECT json_group_array(json_array(one.value ->> 0, known.kingdom_id, known.name, known.captured_at)) AS listed
         FROM json_each(?3) one LEFT JOIN governors known ON known.game = ?1 AND known.governor_id = one.value ->> 0
         WHERE known.governor_id IS NULL OR known.kingdom_id <> ?2 OR known.name <> one.value ->> 1
           OR known.alliance_tag <> one.value ->> 2`,
      )
      .bind(game, kingdom, JSON.stringify(part)),
  );
  if (statements.length === 0) return [];
  const answers = await directory.batch<{ listed: string }>(statements);
  // A first scan lists each of its governors, and as one text they take a tenth of the time that D1 needs for rows.
  return answers.flatMap(({ results }) =>
    (JSON.parse(results[0]?.listed ?? '[]') as [number, number | null, string | null, number | null][]).map(
      ([governor_id, kingdom_id, name, captured_at]) => ({ governor_id, kingdom_id, name, captured_at }),
    ),
  );
}

function partsOf<Each>(all: readonly Each[], size: number): Each[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
}

/**
 * What a scan changes in the directory: a governor who is new, came from another kingdom or has another name or tag.
 */
export interface DirectoryChange {
  governor_id: number;
  name: string;
  alliance_tag: string;
  power: number;
  /** True if the directory has them in this kingdom already. */
  isHere: boolean;
  /** True if the directory has them under another name, or not at all. */
  isRenamed: boolean;
}

const CHANGED_AT_ONCE = 1000;

/**
 * Returns the statements that enter what a scan changed. The columns that only earlier releases read get what they need
 * to keep running. SQLite writes a row's entry in the index of kingdoms again whenever `kingdom_id` is set, even to the
 * same value, so it is set only for governors who come.
 */
export function directoryStatements(
  db: Db,
  { game, kingdom_id, captured_at }: Asked & { captured_at: number },
  changes: readonly DirectoryChange[],
): D1PreparedStatement[] {
  const statement = (isHere: boolean) => (part: readonly DirectoryChange[]) =>
    db
      .directory(game)
      .prepare(
        `INSERT INTO governors (game, governor_id, kingdom_id, name, alliance_tag, power, profile, captured_at)
         SELECT ?1, value ->> 0, ?2, value ->> 1, value ->> 2, value ->> 3, '{}', ?3 FROM json_each(?4) WHERE true
         ON CONFLICT (game, governor_id) DO UPDATE SET ${isHere ? '' : 'kingdom_id = excluded.kingdom_id,'}
           name = excluded.name, alliance_tag = excluded.alliance_tag, captured_at = excluded.captured_at
         WHERE excluded.captured_at > captured_at`,
      )
      .bind(
        game,
        kingdom_id,
        captured_at,
        JSON.stringify(
          part.map(({ governor_id, name, alliance_tag, power }) => [governor_id, name, alliance_tag, power]),
        ),
      );
  return [true, false].flatMap((isHere) =>
    partsOf(
      changes.filter((each) => each.isHere === isHere),
      CHANGED_AT_ONCE,
    ).map(statement(isHere)),
  );
}

/** A kingdom whose history is read. */
export interface Asked {
  game: GameId;
  kingdom_id: number;
}

const keyOf = ({ game, kingdom_id }: Asked): string => `${game} ${kingdom_id}`;

/** SQL of the governors of a game (?1) who were seen in the kingdoms of `source` and are now known in another. */
export const departedSql = (source: string): string => `
  SELECT DISTINCT change.game, CAST(change.old_value AS INTEGER) AS kingdom_id, change.governor_id
  FROM (${source}) one
  CROSS JOIN governor_changes change INDEXED BY governor_changes_left ON change.game = ?1 AND change.field = 'kingdom_id'
    AND change.old_value = CAST(one.kingdom_id AS TEXT)
  CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
    AND CAST(known.kingdom_id AS TEXT) <> change.old_value`;

/**
 * Returns the governors who were seen in each kingdom and are now known in another. Their lines follow them with the
 * next scan that shows them, so lines that stay behind no longer count.
 */
export async function departedFrom(db: Db, kingdoms: readonly Asked[]): Promise<(asked: Asked) => ReadonlySet<number>> {
  const sql = departedSql('SELECT value AS kingdom_id FROM json_each(?2)');
  const answers = await batchDirectories<Asked & { governor_id: number }>(
    db,
    [...Map.groupBy(kingdoms, ({ game }) => game)].map(([game, its]) => ({
      ...{ game, sql },
      values: [game, JSON.stringify(its.map(({ kingdom_id }) => kingdom_id))],
    })),
  );
  const ids = Map.groupBy(
    answers.flatMap(({ results }) => results),
    keyOf,
  );
  const sets = new Map([...ids].map(([key, rows]) => [key, new Set(rows.map(({ governor_id }) => governor_id))]));
  return (asked) => sets.get(keyOf(asked)) ?? new Set();
}

/** A stored scan that belongs in a history. */
export interface StoredCapture {
  key: string;
  captured_at: number;
  source: string;
  /** 0 if the kingdom has no totals of its day, because the scan that gave them was recalled. */
  has_day: 0 | 1;
}

/** Returns a kingdom's scans since a time, oldest first. */
export async function scansToPack(db: Db, { game, kingdom_id }: Asked, since: number): Promise<StoredCapture[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT key, captured_at, source, EXISTS (
         SELECT 1 FROM kingdom_days WHERE kingdom_days.game = snapshots.game
           AND kingdom_days.kingdom_id = snapshots.kingdom_id AND day = date(snapshots.captured_at / 1000, 'unixepoch')
       ) AS has_day
       FROM snapshots
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

/**
 * Marks a kingdom's history as packed, unless it lacks a recorded scan: one between `since` and `settled` whose key is
 * not among `keys`. It is digested again, because its inactive governors are found in the history. Returns whether it
 * was marked.
 */
export async function notePacked(
  db: Db,
  { game, kingdom_id }: Asked,
  { keys, since, settled }: { keys: readonly string[]; since: number; settled: number },
): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(
      `UPDATE kingdoms SET packed_at = ?3, digested_at = 0 WHERE game = ?1 AND kingdom_id = ?2 AND NOT EXISTS (
         SELECT 1 FROM snapshots
         WHERE game = ?1 AND kingdom_id = ?2 AND kind = 'scan' AND captured_at BETWEEN ?4 AND ?5
           AND key NOT IN (SELECT value FROM json_each(?6)))`,
    )
    .bind(game, kingdom_id, Date.now(), since, settled, JSON.stringify(keys))
    .run();
  return meta.changes > 0;
}

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
