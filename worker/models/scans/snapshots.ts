import { dayOf } from '../../../domain/days.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import type { Kind } from '../../../domain/scans/layouts.ts';
import type { Quality } from '../../../domain/scans/quality.ts';
import { orderBy, type Table, textsOf } from '../../../domain/scans/rows.ts';
import { alliancesOf, totalsOf } from '../../../domain/scans/totals.ts';
import type { Db } from '../../db/open.ts';
import { type Bought, isWhole, shortfallStatements } from '../money/returns.ts';
import { figureAt, numbered, type PackedRows, packRows, textAt } from './governor-rows.ts';

/** What D1 keeps of a snapshot beside its rows. */
export interface SnapshotRecord {
  key: string;
  game: GameId;
  /** Absent: a scan. */
  kind?: Kind;
  kingdom_id: number;
  /** Epoch milliseconds. */
  captured_at: number;
  source: string;
  rows: number;
  bytes: number;
  quality: Partial<Record<Quality, number>>;
  item_id: string | null;
  version: number;
  /** Who paid for it; absent where nobody did. */
  bought?: Bought;
}

// 1,000 rows are some 100 kB of figures and 300 kB of texts: few statements, and little to hold at a time.
const ROWS_PER_STATEMENT = 1000;

const FIGURES = ['power', 'score', 'deads', 'hall', 't1', 't2', 't3', 't4', 't5'] as const;
const DAY_FIGURES = ['rank', 'power', 'score', 'deads', 't4', 't5'] as const;

// A row of a release before profiles had a moment of their own: what it has was read with its scan.
const READ_AT = `coalesce(profile_at, CASE WHEN coalesce(score, deads, hall, t1) IS NOT NULL THEN captured_at END)`;
const IS_READ_LATER = `excluded.profile_at > coalesce(${READ_AT}, 0)`;

/**
 * Who a governor is and his power are of the newest scan, what a profile tells of the newest one that read it, in
 * whichever order they come in. A figure that this one does not have is unknown: none from before stands in for it.
 */
const latest = (texts: readonly string[]): string =>
  [
    ...['kingdom_id', ...texts, 'power', 'captured_at'].map(
      (column) => `${column} = CASE WHEN excluded.captured_at > captured_at THEN excluded.${column} ELSE ${column} END`,
    ),
    ...['score', 'deads', 'hall', 't1', 't2', 't3', 't4', 't5', 'profile'].map(
      (column) => `${column} = CASE WHEN ${IS_READ_LATER} THEN excluded.${column} ELSE ${column} END`,
    ),
    `profile_at = CASE WHEN ${IS_READ_LATER} THEN excluded.profile_at ELSE ${READ_AT} END`,
  ].join(', ');

const governorsSql = (packed: PackedRows, texts: readonly string[]): string => `
  WITH RECURSIVE ${numbered(packed)}
  INSERT INTO governors (game, governor_id, kingdom_id, name, alliance_tag, power, score, deads, hall, t1, t2, t3, t4,
    t5, profile, captured_at, profile_at)
  SELECT ?1, ${figureAt(packed, 'id', '?4')}, ?2, ${textAt(packed, 'name', '?4', '?5')},
    ${textAt(packed, 'tag', '?4', '?5')}, ${FIGURES.map((field) => figureAt(packed, field, '?4')).join(', ')},
    ${textAt(packed, 'profile', '?4', '?5')}, ?3, CASE WHEN ${figureAt(packed, 'read', '?4')} THEN ?3 END
  FROM numbered WHERE true
  ON CONFLICT (game, governor_id) DO UPDATE SET ${latest(texts)}
  WHERE excluded.captured_at > captured_at OR ${IS_READ_LATER}`;

// A scan of the day without profiles leaves what an earlier one of it read.
const DAY_PROFILE = ['score', 'deads', 't4', 't5']
  .map(
    (column) =>
      `${column} = CASE WHEN coalesce(excluded.score, excluded.deads, excluded.t4, excluded.t5) IS NULL
        THEN ${column} ELSE excluded.${column} END`,
  )
  .join(', ');

const governorDaysSql = (packed: PackedRows): string => `
  WITH RECURSIVE ${numbered(packed)}
  INSERT INTO governor_days (game, governor_id, day, kingdom_id, rank, power, score, deads, t4, t5, captured_at)
  SELECT ?1, ${figureAt(packed, 'id', '?4')}, ?5, ?2,
    ${DAY_FIGURES.map((field) => figureAt(packed, field, '?4')).join(', ')}, ?3
  FROM numbered WHERE true
  ON CONFLICT (game, governor_id, day) DO UPDATE SET
    kingdom_id = excluded.kingdom_id, rank = excluded.rank, power = excluded.power,
    ${DAY_PROFILE}, captured_at = excluded.captured_at
  WHERE excluded.captured_at > captured_at`;

/** Names and tags as far as the scan has any: a file of a tool that does not read them takes nobody's away. */
function textsIn(table: Table): string[] {
  const { name, tag } = GAMES[table.game].roles;
  const columns = [
    ['name', name],
    ['alliance_tag', tag],
  ] as const;
  return columns.filter(([, key]) => textsOf(table, key).some(Boolean)).map(([column]) => column);
}

/** The statements of a part of the rows: what the governors are now, and the day's history. */
function rowStatements(
  db: Db,
  record: SnapshotRecord,
  packed: PackedRows,
  texts: readonly string[],
): D1PreparedStatement[] {
  const { game, kingdom_id, captured_at } = record;
  const statement = (sql: string, last: string) =>
    db.$client.prepare(sql).bind(game, kingdom_id, captured_at, packed.figures, last);
  return [statement(governorsSql(packed, texts), packed.texts), statement(governorDaysSql(packed), dayOf(captured_at))];
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

/** Marks the item that bought the snapshot; none where nobody did. */
const itemStatement = (db: Db, { key, item_id }: SnapshotRecord, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE items SET state = 'done', finished_at = ?1, snapshot_id = (SELECT id FROM snapshots WHERE key = ?2)
       WHERE id = ?3 AND state IN ('open', 'finishing')`,
    )
    .bind(now, key, item_id);

/** Ends the item that bought the snapshot: what of its chunks `got` governors do not fill is paid back. */
function endingStatements(db: Db, record: SnapshotRecord, got: number, now: number): D1PreparedStatement[] {
  const { item_id, version, bought } = record;
  const ending = itemStatement(db, record, now);
  if (!item_id || !bought || isWhole(bought, got)) return [ending];
  return [ending, ...shortfallStatements(db, { itemId: item_id, version, userId: bought.user_id, got }, now)];
}

const hasProfiles = (totals: string): string =>
  `coalesce(${totals} ->> '$.score.total', ${totals} ->> '$.deads.total', 0) > 0`;

function closingStatements(db: Db, table: Table, record: SnapshotRecord, now: number): D1PreparedStatement[] {
  const { key, game, kingdom_id, captured_at } = record;
  return [
    snapshotStatement(db, record, now),
    // The deepest scan of a day speaks for it (a later one of the top 300 must not), of equally deep ones those that
    // read profiles, of these the newest: in whichever order they come in.
    db.$client
      .prepare(
        `INSERT INTO kingdom_days (game, kingdom_id, day, captured_at, snapshot_id, totals, alliances)
         SELECT ?1, ?2, ?3, ?4, id, ?5, ?7 FROM snapshots WHERE key = ?6
         ON CONFLICT (game, kingdom_id, day) DO UPDATE SET captured_at = excluded.captured_at,
           snapshot_id = excluded.snapshot_id, totals = excluded.totals, alliances = excluded.alliances
         WHERE (excluded.totals ->> 'player_count', ${hasProfiles('excluded.totals')}, excluded.captured_at)
           > (totals ->> 'player_count', ${hasProfiles('totals')}, captured_at)`,
      )
      .bind(
        game,
        kingdom_id,
        dayOf(captured_at),
        captured_at,
        JSON.stringify(totalsOf(table)),
        key,
        JSON.stringify(alliancesOf(table)),
      ),
    ...endingStatements(db, record, table.count, now),
  ];
}

/**
 * Writes what a snapshot means for the rest of the service: what changed since the governors were last seen, their
 * newest rows, the day's history, the kingdom's totals, the snapshot's own row; the item it was bought by is marked
 * last, so a crash before that only means that the same is written again. Any number of times gives the same.
 */
export async function recordSnapshot(db: Db, table: Table, record: SnapshotRecord, now = Date.now()): Promise<void> {
  const order = orderBy(table, GAMES[table.game].roles.power);
  const texts = textsIn(table);
  // Packed one part after the other: a kingdom's rows are never in memory a second time as a whole.
  for (let from = 0; from < table.count; from += ROWS_PER_STATEMENT) {
    const to = Math.min(from + ROWS_PER_STATEMENT, table.count);
    const statements = rowStatements(db, record, packRows(table, order, from, to), texts);
    if (to < table.count) await db.$client.batch(statements);
    else await db.$client.batch([...statements, ...closingStatements(db, table, record, now)]);
  }
  if (table.count === 0) await db.$client.batch(closingStatements(db, table, record, now));
}

/**
 * Writes that a snapshot is there, and ends the item that bought it; of the kingdom it says nothing new, because a history
 * is made of what is known.
 */
export async function recordAlone(db: Db, record: SnapshotRecord, governors: number, now = Date.now()): Promise<void> {
  await db.$client.batch([snapshotStatement(db, record, now), ...endingStatements(db, record, governors, now)]);
}

/** The key of the newest snapshot of an item below that version, or null. */
export async function snapshotBefore(db: Db, itemId: string, version: number): Promise<string | null> {
  const row = await db.$client
    .prepare(`SELECT key FROM snapshots WHERE item_id = ? AND version < ? ORDER BY version DESC LIMIT 1`)
    .bind(itemId, version)
    .first<{ key: string }>();
  return row?.key ?? null;
}

/** What names a capture, each as SQL. */
interface CaptureSql {
  game: string;
  kingdom: string;
  captured_at: string;
  item: string;
}

/**
 * SQL of the key of the kingdom's newest snapshot from before a capture. A repaired item keeps rows of its first version,
 * so none that came after that one will do.
 */
export const earlierSql = (of: CaptureSql, condition = 'true'): string => `
  SELECT key FROM snapshots earlier
  WHERE earlier.game = ${of.game} AND earlier.kingdom_id = ${of.kingdom} AND kind = 'scan' AND ${condition}
    AND earlier.captured_at < coalesce((SELECT min(captured_at) FROM snapshots WHERE item_id = ${of.item}), ${of.captured_at})
  ORDER BY earlier.captured_at DESC, earlier.id DESC LIMIT 1`;

/** The same of the newest one with profiles: what counters are compared with. */
export const comparedSql = (of: CaptureSql): string => earlierSql(of, `rows > coalesce(quality ->> 'listed', 0)`);

/** The key of what a capture is compared with, or null. */
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

/** The versions of an item's results, newest first. */
export async function versionsOf(
  db: Db,
  itemId: string,
): Promise<{ version: number; key: string; kind: Kind; captured_at: number; rows: number }[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT version, key, kind, captured_at, rows FROM snapshots WHERE item_id = ? ORDER BY version DESC LIMIT 100`,
    )
    .bind(itemId)
    .all<{ version: number; key: string; kind: Kind; captured_at: number; rows: number }>();
  return results;
}
