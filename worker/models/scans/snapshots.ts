import { dayOf } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Kind } from '../../../domain/scans/layouts.ts';
import type { Quality } from '../../../domain/scans/quality.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { alliancesOf, totalsOf } from '../../../domain/scans/totals.ts';
import { writeBoth } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { type DirectoryChange, directoryStatements } from '../kingdoms/directory.ts';
import { type Bought, isComplete, shortfallStatements } from '../money/returns.ts';
import type { Digested } from './digest.ts';

/** What D1 stores about a snapshot. */
export interface SnapshotRecord {
  key: string;
  game: GameId;
  /** Undefined: a scan. */
  kind?: Kind;
  kingdom_id: number;
  /** Epoch ms. */
  captured_at: number;
  source: string;
  rows: number;
  bytes: number;
  quality: Partial<Record<Quality, number>>;
  item_id: string | null;
  version: number;
  /** Who paid for it; undefined if nobody did. */
  bought?: Bought;
}

const snapshotStatement = (db: Db, record: SnapshotRecord, now: number): D1PreparedStatement => {
  const { key, game, kind = 'scan', kingdom_id, captured_at, source, rows, bytes, quality, item_id, version } = record;
  return db.$client
    .prepare(
      `INSERT INTO snapshots (key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality, item_id, version,
         created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
    )
    .bind(
      key,
      game,
      kind,
      kingdom_id,
      captured_at,
      source,
      rows,
      bytes,
      JSON.stringify(quality),
      item_id,
      version,
      now,
    );
};

/**
 * Returns the statement that leaves a kingdom to the cron again if a scan precedes its newest one, which is digested.
 * The trigger does so only for newer scans.
 */
const waitingStatement = (db: Db, { game, kingdom_id, captured_at }: SnapshotRecord): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE kingdoms SET digested_at = 0
       WHERE game = ?1 AND kingdom_id = ?2 AND captured_at > ?3 AND digested_at >= captured_at`,
    )
    .bind(game, kingdom_id, captured_at);

/**
 * Returns the statement that requests another packing if the history was packed after this scan was added to it, because
 * packing did not find the scan recorded.
 */
const unpackStatement = (
  db: Db,
  { game, kingdom_id }: SnapshotRecord,
  { packed_at }: Pick<ScanChanges, 'packed_at'>,
): D1PreparedStatement =>
  db.$client
    .prepare(`UPDATE kingdoms SET packed_at = NULL WHERE game = ?1 AND kingdom_id = ?2 AND packed_at <> ?3`)
    .bind(game, kingdom_id, packed_at);

/** Returns the statement that marks a new kingdom as packed: its only scan was added to the history before. */
const packedStatement = (db: Db, { key, game, kingdom_id }: SnapshotRecord, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE kingdoms SET packed_at = ?4 WHERE game = ?1 AND kingdom_id = ?2 AND packed_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM snapshots WHERE game = ?1 AND kingdom_id = ?2 AND kind = 'scan' AND key <> ?3)`,
    )
    .bind(game, kingdom_id, key, now);

/** Returns the statement that marks the item as done. Without an item it changes nothing. */
const itemStatement = (db: Db, { key, item_id }: SnapshotRecord, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE items SET state = 'done', finished_at = ?1, snapshot_id = (SELECT id FROM snapshots WHERE key = ?2)
       WHERE id = ?3 AND state IN ('open', 'finishing')`,
    )
    .bind(now, key, item_id);

/** Returns the statements that end the item. They refund the chunks that `got` governors do not fill. */
function endingStatements(db: Db, record: SnapshotRecord, got: number, now: number): D1PreparedStatement[] {
  const { item_id, version, bought } = record;
  const ending = itemStatement(db, record, now);
  if (!item_id || !bought || isComplete(bought, got)) return [ending];
  return [ending, ...shortfallStatements(db, { itemId: item_id, version, userId: bought.user_id, got }, now)];
}

/** SQL condition: a snapshot read at least one profile. */
const WITH_PROFILES = `rows > coalesce(quality ->> 'listed', 0)`;

const hasProfiles = (snapshotId: string): string =>
  `EXISTS (SELECT 1 FROM snapshots WHERE id = ${snapshotId} AND ${WITH_PROFILES})`;

/**
 * Returns the statement that makes a digested scan its kingdom's newest. It precedes the snapshot's row, whose trigger
 * would leave the scan to the cron. Changes nothing if another scan came first.
 */
const digestedStatement = (
  db: Db,
  { game, kingdom_id, captured_at }: SnapshotRecord,
  { after }: Digested,
): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE kingdoms SET captured_at = ?3, digested_at = ?3
       WHERE game = ?1 AND kingdom_id = ?2 AND captured_at = ?4 AND digested_at >= captured_at`,
    )
    .bind(game, kingdom_id, captured_at, after);

type RecordedScan = Pick<SnapshotRecord, 'key' | 'game' | 'kingdom_id' | 'captured_at'>;

/**
 * Returns the statement that stores a scan's totals for its day. The deepest scan of a day represents it, so that a later
 * one of the top 300 does not. Among equally deep scans those with profiles win, then the newest, in whatever order they
 * arrive.
 */
const dayStatement = (
  db: Db,
  table: Table,
  { key, game, kingdom_id, captured_at }: RecordedScan,
  inactive: number | null,
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO kingdom_days (game, kingdom_id, day, captured_at, snapshot_id, totals, alliances, inactive)
       SELECT ?1, ?2, ?3, ?4, id, ?5, ?7, ?8 FROM snapshots WHERE key = ?6
       ON CONFLICT (game, kingdom_id, day) DO UPDATE SET captured_at = excluded.captured_at,
         snapshot_id = excluded.snapshot_id, totals = excluded.totals, alliances = excluded.alliances
       WHERE (excluded.totals ->> 'player_count', ${hasProfiles('excluded.snapshot_id')}, excluded.captured_at)
         > (totals ->> 'player_count', ${hasProfiles('kingdom_days.snapshot_id')}, kingdom_days.captured_at)`,
    )
    .bind(
      game,
      kingdom_id,
      dayOf(captured_at),
      captured_at,
      JSON.stringify(totalsOf(table)),
      key,
      JSON.stringify(alliancesOf(table)),
      inactive,
    );

/** Stores a recorded scan's totals for its day. `table` has its verdicts. */
export const recordDay = (db: Db, table: Table, scan: RecordedScan): Promise<unknown> =>
  dayStatement(db, table, scan, null).run();

function closingStatements(
  db: Db,
  table: Table,
  record: SnapshotRecord,
  changes: ScanChanges,
  now: number,
): D1PreparedStatement[] {
  const { digested } = changes;
  return [
    ...(digested ? [digestedStatement(db, record, digested)] : []),
    snapshotStatement(db, record, now),
    waitingStatement(db, record),
    unpackStatement(db, record, changes),
    packedStatement(db, record, now),
    dayStatement(db, table, record, digested?.inactive ?? null),
    ...endingStatements(db, record, table.count, now),
  ];
}

/** Changes that follow from a scan, besides those of its kingdom's history. */
export interface ScanChanges {
  directory: readonly DirectoryChange[];
  /** Null if the cron has to digest the scan. */
  digested: Digested | null;
  /**
   * When the kingdom's history had last been packed before the scan was added to it; 0 if it waited for that, null if the
   * kingdom was new.
   */
  packed_at: number | null;
}

/**
 * Writes all that follows from a snapshot: what it changes in the directory, the kingdom's totals and the snapshot's row.
 * A trigger records changes of name, alliance and kingdom. The directory comes first and the item last, so after a crash
 * everything is written again. Idempotent.
 */
export async function recordSnapshot(
  db: Db,
  table: Table,
  record: SnapshotRecord,
  changes: ScanChanges,
  now = Date.now(),
): Promise<void> {
  const listed = directoryStatements(db, record, changes.directory);
  await writeBoth(db, record.game, listed, closingStatements(db, table, record, changes, now));
}

/** Writes a snapshot's row and ends its item. Does not update the kingdom, because a history is made of known data. */
export async function recordAlone(db: Db, record: SnapshotRecord, governors: number, now = Date.now()): Promise<void> {
  await db.$client.batch([snapshotStatement(db, record, now), ...endingStatements(db, record, governors, now)]);
}

/**
 * Returns SQL of the snapshots of the items whose id meets `condition`, such as `= ?1`. An item refers to its newest
 * snapshot and, once repaired, to all of them, because an index by item would cost a row with each scan. The id of a
 * recalled one may have been given again.
 */
export const snapshotsOfItems = (condition: string): string => `
  SELECT own.* FROM items named JOIN snapshots own ON own.id = named.snapshot_id WHERE named.id ${condition}
  UNION
  SELECT own.* FROM items named, json_each(named.snapshot_ids) listed
    JOIN snapshots own ON own.id = listed.value AND own.item_id = named.id
  WHERE named.id ${condition}`;

/** Returns the key of an item's newest snapshot below this version, or null. */
export async function snapshotBefore(db: Db, itemId: string, version: number): Promise<string | null> {
  const row = await db.$client
    .prepare(`SELECT key FROM (${snapshotsOfItems('= ?1')}) WHERE version < ?2 ORDER BY version DESC LIMIT 1`)
    .bind(itemId, version)
    .first<{ key: string }>();
  return row?.key ?? null;
}

/** SQL expressions that identify a capture. */
interface CaptureSql {
  game: string;
  kingdom: string;
  captured_at: string;
  item: string;
}

/**
 * SQL of the key of the kingdom's newest snapshot before a capture. A repaired item keeps rows of its first version, so
 * only snapshots before that version count.
 */
export const earlierSql = (of: CaptureSql, condition = 'true'): string => `
  SELECT key FROM snapshots earlier
  WHERE earlier.game = ${of.game} AND earlier.kingdom_id = ${of.kingdom} AND kind = 'scan' AND ${condition}
    AND earlier.captured_at < coalesce(
      (SELECT min(captured_at) FROM (${snapshotsOfItems(`= ${of.item}`)})), ${of.captured_at})
  ORDER BY earlier.captured_at DESC, earlier.id DESC LIMIT 1`;

/** Like `earlierSql`, but only snapshots with profiles, against which counters are checked. */
export const comparedSql = (of: CaptureSql): string => earlierSql(of, WITH_PROFILES);

/** Returns the key of the snapshot to compare a capture with, or null. */
export async function snapshotToCompare(
  db: Db,
  { game, kingdom_id, captured_at, item_id }: Pick<SnapshotRecord, 'game' | 'kingdom_id' | 'captured_at' | 'item_id'>,
): Promise<string | null> {
  const row = await db.$client
    .prepare(comparedSql({ game: '?1', kingdom: '?2', captured_at: '?3', item: '?4' }))
    .bind(game, kingdom_id, captured_at, item_id)
    .first<{ key: string }>();
  return row?.key ?? null;
}

/** A snapshot of an item, of which repairs made several. */
interface Version {
  version: number;
  key: string;
  kind: Kind;
  captured_at: number;
  source: string;
  rows: number;
}

/** Returns the versions of an item's results, newest first. */
export async function versionsOf(db: Db, itemId: string): Promise<Version[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT version, key, kind, captured_at, source, rows FROM (${snapshotsOfItems('= ?1')})
       ORDER BY version DESC LIMIT 100`,
    )
    .bind(itemId)
    .all<Version>();
  return results;
}
