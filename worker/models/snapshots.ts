import { dayOf } from '../../domain/days.ts';
import { GAMES, type GameId } from '../../domain/games.ts';
import type { Kind } from '../../domain/layouts.ts';
import type { Quality } from '../../domain/quality.ts';
import { cellOf, numbersOf, orderBy, type Table, textsOf } from '../../domain/rows.ts';
import { totalsOf } from '../../domain/totals.ts';
import type { Db } from '../db/open.ts';

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
}

// 2,000 rows are about 300 kB of JSON: few statements, far below D1's 2 MB a value.
const ROWS_PER_STATEMENT = 2000;

/** Figures that `governors` has columns for; everything else goes into its profile. */
function governorRows(table: Table, order: Uint32Array): unknown[][] {
  const { roles, columns } = GAMES[table.game];
  const own = new Set([roles.id, roles.name, roles.kingdom, roles.tag, roles.power, roles.score, roles.deads]);
  for (const key of [roles.hall, ...roles.tiers]) own.add(key);
  const others = columns.filter(({ key, ours }) => !ours && !own.has(key));
  const ids = numbersOf(table, roles.id);
  const names = textsOf(table, roles.name);
  const tags = textsOf(table, roles.tag);
  const figures = [roles.power, roles.score, roles.deads, roles.hall, ...roles.tiers].map((key) =>
    numbersOf(table, key),
  );
  return Array.from(order, (row, rank) => {
    const profile: Record<string, string | number> = {};
    for (const column of others) {
      const value = cellOf(table, column, row);
      if (value !== null) profile[column.key] = value;
    }
    const cells = figures.map((column) => (Number.isNaN(column[row] as number) ? null : column[row]));
    return [ids[row], names[row] ?? '', tags[row] ?? '', rank + 1, ...cells, JSON.stringify(profile)];
  });
}

// Positions of `governorRows` inside the JSON arrays that the statements read.
const FIELD = {
  id: 0,
  name: 1,
  tag: 2,
  rank: 3,
  power: 4,
  score: 5,
  deads: 6,
  hall: 7,
  t1: 8,
  t4: 11,
  t5: 12,
  profile: 13,
};
const at = (index: number): string => `row.value ->> ${index}`;

// Every `->>` walks its row from the start, so a statement that needs few fields gets rows of those alone.
const CHANGE_FIELDS = [FIELD.id, FIELD.name, FIELD.tag];
const DAY_FIELDS = [FIELD.id, FIELD.rank, FIELD.power, FIELD.score, FIELD.deads, FIELD.t4, FIELD.t5];
const jsonOf = (rows: unknown[][], fields: readonly number[]): string =>
  JSON.stringify(rows.map((row) => fields.map((field) => row[field])));

// CROSS JOIN keeps SQLite from walking all governors of the game and parsing the array again for each of them.
const CHANGES = `
  INSERT OR IGNORE INTO governor_changes (game, governor_id, field, captured_at, old_value, new_value, kingdom_id)
  SELECT known.game, known.governor_id, field.value, ?3,
    CASE field.value WHEN 'name' THEN known.name WHEN 'alliance_tag' THEN known.alliance_tag ELSE known.kingdom_id END,
    CASE field.value WHEN 'name' THEN ${at(FIELD.name)} WHEN 'alliance_tag' THEN ${at(FIELD.tag)} ELSE CAST(?2 AS INTEGER) END,
    ?2
  FROM json_each(?4) row
  CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = ${at(FIELD.id)} AND known.captured_at < ?3
    AND (known.name <> ${at(FIELD.name)} OR known.alliance_tag <> ${at(FIELD.tag)} OR known.kingdom_id <> ?2)
  JOIN json_each('["name","alliance_tag","kingdom_id"]') field
  WHERE CASE field.value WHEN 'name' THEN known.name <> ${at(FIELD.name)}
    WHEN 'alliance_tag' THEN known.alliance_tag <> ${at(FIELD.tag)} ELSE known.kingdom_id <> ?2 END`;

// A scan without profiles must not wipe the figures of the last full one, and an older scan must not win.
const GOVERNORS = `
  INSERT INTO governors (game, governor_id, kingdom_id, name, alliance_tag, power, score, deads, hall, t1, t2, t3, t4,
    t5, profile, captured_at)
  SELECT ?1, ${at(FIELD.id)}, ?2, ${at(FIELD.name)}, ${at(FIELD.tag)}, ${[4, 5, 6, 7, 8, 9, 10, 11, 12].map(at).join(', ')},
    ${at(FIELD.profile)}, ?3
  FROM json_each(?4) row WHERE true
  ON CONFLICT (game, governor_id) DO UPDATE SET
    kingdom_id = excluded.kingdom_id, name = excluded.name, alliance_tag = excluded.alliance_tag,
    power = excluded.power, score = coalesce(excluded.score, score), deads = coalesce(excluded.deads, deads),
    hall = coalesce(excluded.hall, hall), t1 = coalesce(excluded.t1, t1), t2 = coalesce(excluded.t2, t2),
    t3 = coalesce(excluded.t3, t3), t4 = coalesce(excluded.t4, t4), t5 = coalesce(excluded.t5, t5),
    profile = CASE WHEN excluded.score IS NULL THEN profile ELSE excluded.profile END,
    captured_at = excluded.captured_at
  WHERE excluded.captured_at > captured_at`;

const GOVERNOR_DAYS = `
  INSERT INTO governor_days (game, governor_id, day, kingdom_id, rank, power, score, deads, t4, t5, captured_at)
  SELECT ?1, ${at(0)}, ?5, ?2, ${[1, 2, 3, 4, 5, 6].map(at).join(', ')}, ?3
  FROM json_each(?4) row WHERE true
  ON CONFLICT (game, governor_id, day) DO UPDATE SET
    kingdom_id = excluded.kingdom_id, rank = excluded.rank, power = excluded.power,
    score = coalesce(excluded.score, score), deads = coalesce(excluded.deads, deads),
    t4 = coalesce(excluded.t4, t4), t5 = coalesce(excluded.t5, t5), captured_at = excluded.captured_at
  WHERE excluded.captured_at > captured_at`;

function rowStatements(db: Db, table: Table, record: SnapshotRecord): D1PreparedStatement[][] {
  const { game, kingdom_id, captured_at } = record;
  const rows = governorRows(table, orderBy(table, GAMES[game].roles.power));
  const batches: D1PreparedStatement[][] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const slice = rows.slice(from, from + ROWS_PER_STATEMENT);
    // Changes first: they compare with the row that the next statement replaces.
    batches.push([
      db.$client.prepare(CHANGES).bind(game, kingdom_id, captured_at, jsonOf(slice, CHANGE_FIELDS)),
      db.$client.prepare(GOVERNORS).bind(game, kingdom_id, captured_at, JSON.stringify(slice)),
      db.$client
        .prepare(GOVERNOR_DAYS)
        .bind(game, kingdom_id, captured_at, jsonOf(slice, DAY_FIELDS), dayOf(captured_at)),
    ]);
  }
  return batches;
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

function closingStatements(db: Db, table: Table, record: SnapshotRecord, now: number): D1PreparedStatement[] {
  const { key, game, kingdom_id, captured_at } = record;
  return [
    snapshotStatement(db, record, now),
    // The deepest scan of a day speaks for it (a later one of the top 300 must not), of equally deep ones those that
    // read profiles, of these the newest: in whichever order they come in.
    db.$client
      .prepare(
        `INSERT INTO kingdom_days (game, kingdom_id, day, captured_at, snapshot_id, totals)
         SELECT ?1, ?2, ?3, ?4, id, ?5 FROM snapshots WHERE key = ?6
         ON CONFLICT (game, kingdom_id, day) DO UPDATE SET
           captured_at = excluded.captured_at, snapshot_id = excluded.snapshot_id, totals = excluded.totals
         WHERE (excluded.totals ->> 'player_count', excluded.totals ->> '$.score.total' > 0, excluded.captured_at)
           > (totals ->> 'player_count', totals ->> '$.score.total' > 0, captured_at)`,
      )
      .bind(game, kingdom_id, dayOf(captured_at), captured_at, JSON.stringify(totalsOf(table)), key),
    itemStatement(db, record, now),
  ];
}

/**
 * Writes what a snapshot means for the rest of the service: what changed since the governors were last seen, their
 * newest rows, the day's history, the kingdom's totals, the snapshot's own row; the item it was bought by is marked
 * last, so a crash before that only means that the same is written again. Any number of times gives the same.
 */
export async function recordSnapshot(db: Db, table: Table, record: SnapshotRecord, now = Date.now()): Promise<void> {
  const closing = closingStatements(db, table, record, now);
  const batches = rowStatements(db, table, record);
  const last = batches.pop() ?? [];
  for (const batch of batches) await db.$client.batch(batch);
  await db.$client.batch([...last, ...closing]);
}

/** Writes that an item's history is there. It says nothing new of the kingdom: it was made of what is known. */
export async function recordHistory(db: Db, record: SnapshotRecord, now = Date.now()): Promise<void> {
  await db.$client.batch([snapshotStatement(db, record, now), itemStatement(db, record, now)]);
}

/** The key of the newest snapshot of an item below that version, or null. */
export async function snapshotBefore(db: Db, itemId: string, version: number): Promise<string | null> {
  const row = await db.$client
    .prepare(`SELECT key FROM snapshots WHERE item_id = ? AND version < ? ORDER BY version DESC LIMIT 1`)
    .bind(itemId, version)
    .first<{ key: string }>();
  return row?.key ?? null;
}

/**
 * The key of the kingdom's newest snapshot with profiles from before a capture, or null: what its counters are compared
 * with. A repaired item keeps rows of its first version, so none that came after that one will do.
 */
export async function snapshotToCompare(
  db: Db,
  { game, kingdom_id, captured_at, item_id }: Pick<SnapshotRecord, 'game' | 'kingdom_id' | 'captured_at' | 'item_id'>,
): Promise<string | null> {
  const row = await db.$client
    .prepare(
      `SELECT key FROM snapshots
       WHERE game = ?1 AND kingdom_id = ?2 AND kind = 'scan' AND rows > coalesce(quality ->> 'listed', 0)
         AND captured_at < coalesce((SELECT min(captured_at) FROM snapshots WHERE item_id = ?4), ?3)
       ORDER BY captured_at DESC LIMIT 1`,
    )
    .bind(game, kingdom_id, captured_at, item_id)
    .first<{ key: string }>();
  return row?.key ?? null;
}

/** The versions of an item's results, newest first. */
export async function versionsOf(
  db: Db,
  itemId: string,
): Promise<{ version: number; key: string; captured_at: number; rows: number }[]> {
  const { results } = await db.$client
    .prepare(`SELECT version, key, captured_at, rows FROM snapshots WHERE item_id = ? ORDER BY version DESC LIMIT 100`)
    .bind(itemId)
    .all<{ version: number; key: string; captured_at: number; rows: number }>();
  return results;
}
