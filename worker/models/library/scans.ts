import type { GameId } from '../../../domain/games/games.ts';
import type { LibraryScan } from '../../../domain/library/answers.ts';
import type { Mapping } from '../../../domain/scans/dialect.ts';
import type { Quality } from '../../../domain/scans/quality.ts';
import type { Db } from '../../db/open.ts';
import { type Import, rememberStatements } from './imports.ts';

/** An own scan whose file is stored but which is not yet in the library. */
export interface OwnScan {
  id: string;
  game: GameId;
  kingdom_id: number;
  captured_at: number;
  range_from: number | null;
  stage: string | null;
  key: string;
  source: string;
  dialect: string;
  rows: number;
  bytes: number;
  quality: Partial<Record<Quality, number>>;
}

export interface Saved {
  file: Import;
  scans: readonly OwnScan[];
  /** The mapping to save for the next file with these headers; null if the user chose none. */
  remember: { headersHash: string; mapping: Mapping } | null;
  expires_at: number;
  /** Maximum number of rows that the account may store. */
  rowsKept: number;
}

/**
 * Adds all scans of a waiting file to the library and returns them, or adds none. Returns null if the file is no longer
 * waiting or the account would exceed its rows. Scans of the same content that exist already stay unchanged.
 */
export async function addScans(db: Db, saved: Saved, now = Date.now()): Promise<Pick<OwnScan, 'id' | 'key'>[] | null> {
  const { file, scans, remember, expires_at, rowsKept } = saved;
  const told = JSON.stringify(scans.map((scan) => ({ ...scan, quality: JSON.stringify(scan.quality) })));
  const same = `scans.user_id = ?2 AND scans.content_hash = ?3 AND scans.game = value ->> 'game'
    AND scans.kingdom_id = value ->> 'kingdom_id' AND scans.captured_at = value ->> 'captured_at'`;
  // Existing scans take no additional room.
  const fresh = `SELECT coalesce(sum(value ->> 'rows'), 0) FROM json_each(?1)
    WHERE NOT EXISTS (SELECT 1 FROM scans WHERE ${same})`;
  const added = db.$client
    .prepare(
      `INSERT INTO scans (id, user_id, game, kingdom_id, captured_at, range_from, stage, key, source, dialect, rows,
         bytes, quality, content_hash, created_at, expires_at)
       SELECT value ->> 'id', ?2, value ->> 'game', value ->> 'kingdom_id', value ->> 'captured_at',
         value ->> 'range_from', value ->> 'stage', value ->> 'key', value ->> 'source', value ->> 'dialect',
         value ->> 'rows', value ->> 'bytes', value ->> 'quality', ?3, ?4, ?5
       FROM json_each(?1)
       WHERE (SELECT coalesce(sum(rows), 0) FROM scans WHERE user_id = ?2) + (${fresh}) <= ?6
         AND EXISTS (SELECT 1 FROM imports WHERE id = ?7 AND user_id = ?2 AND state = 'waiting')
       ON CONFLICT (user_id, content_hash, game, kingdom_id, captured_at) DO NOTHING`,
    )
    .bind(told, file.user_id, file.content_hash, now, expires_at, rowsKept, file.id);
  // The import is complete only if all of its scans exist.
  const there = `SELECT scans.id FROM json_each(?1) JOIN scans ON ${same}`;
  const closed = db.$client
    .prepare(
      `UPDATE imports SET state = 'saved', scan_ids = (SELECT json_group_array(id) FROM (${there}))
       WHERE id = ?4 AND user_id = ?2 AND state = 'waiting' AND (SELECT count(*) FROM (${there})) = json_array_length(?1)
       RETURNING scan_ids`,
    )
    .bind(told, file.user_id, file.content_hash, file.id);
  const remembered = remember ? rememberStatements(db, file.user_id, remember.headersHash, remember.mapping, now) : [];
  const [, ended] = await db.$client.batch<{ scan_ids: string }>([added, closed, ...remembered]);
  const row = ended?.results[0];
  return row ? keysOf(db, file.user_id, JSON.parse(row.scan_ids) as string[]) : null;
}

/** Returns those of a user's own scans that exist, with their keys in R2. */
export async function keysOf(db: Db, userId: string, ids: readonly string[]): Promise<Pick<OwnScan, 'id' | 'key'>[]> {
  const { results } = await db.$client
    .prepare(`SELECT id, key FROM scans WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))`)
    .bind(userId, JSON.stringify(ids))
    .all<Pick<OwnScan, 'id' | 'key'>>();
  return results;
}

/** Counts the rows in a user's own scans. */
export async function rowsOf(db: Db, userId: string): Promise<number> {
  const row = await db.$client
    .prepare(`SELECT coalesce(sum(rows), 0) AS rows FROM scans WHERE user_id = ?`)
    .bind(userId)
    .first<{ rows: number }>();
  return row?.rows ?? 0;
}

/** Returns the own scans from a file with this content. */
export async function scansFrom(
  db: Db,
  userId: string,
  contentHash: string,
): Promise<{ id: string; game: GameId; kingdom_id: number; captured_at: number; stage: string | null }[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, game, kingdom_id, captured_at, stage FROM scans WHERE user_id = ? AND content_hash = ?
       ORDER BY kingdom_id, captured_at LIMIT 1000`,
    )
    .bind(userId, contentHash)
    .all<{ id: string; game: GameId; kingdom_id: number; captured_at: number; stage: string | null }>();
  return results;
}

/** A scan of the library with its key in R2. */
export type KeptScan = LibraryScan & { key: string };

type StoredScan = Omit<KeptScan, 'quality' | 'tags'> & { quality: string; tags: string };

const scanFrom = ({ quality, tags, ...row }: StoredScan): KeptScan => ({
  ...row,
  quality: JSON.parse(quality) as LibraryScan['quality'],
  tags: JSON.parse(tags) as string[],
});

/** SQL of all scans in a user's library (`?1`): own scans and the newest snapshot of each ordered item. */
const LIBRARY = `
  SELECT scans.id AS scan_id, 'imported' AS origin, game, kingdom_id, captured_at, range_from, rows, quality, source,
    dialect, stage, NULL AS order_id, created_at AS saved_at, expires_at, key
  FROM scans WHERE user_id = ?1
  UNION ALL
  SELECT items.id, 'bought', snapshots.game, snapshots.kingdom_id, snapshots.captured_at, NULL, snapshots.rows,
    snapshots.quality, snapshots.source, NULL, NULL, orders.id, snapshots.created_at, NULL, snapshots.key
  FROM orders JOIN items ON items.order_id = orders.id JOIN snapshots ON snapshots.id = items.snapshot_id
  WHERE orders.user_id = ?1 AND snapshots.kind = 'scan'`;

const LABELLED = `
  SELECT library.*, coalesce(name, '') AS name, coalesce(tags, '[]') AS tags, coalesce(note, '') AS note
  FROM (${LIBRARY}) AS library
  LEFT JOIN scan_labels ON scan_labels.user_id = ?1 AND scan_labels.scan_id = library.scan_id
  WHERE coalesce(hidden, 0) = 0`;

export interface LibraryFilter {
  game?: GameId | undefined;
  kingdom?: number | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  origin?: 'bought' | 'imported' | undefined;
  before?: string | undefined;
}

const SCANS_PER_PAGE = 50;

/** Returns a page of a user's library, newest scan first, and the cursor of the next page. */
export async function listScans(
  db: Db,
  userId: string,
  filter: LibraryFilter,
): Promise<{ scans: KeptScan[]; next: string | null }> {
  const { results } = await db.$client
    .prepare(
      `SELECT * FROM (${LABELLED})
       WHERE (?2 IS NULL OR game = ?2) AND (?3 IS NULL OR kingdom_id = ?3) AND (?4 IS NULL OR origin = ?4)
         AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?5))
         AND (?6 IS NULL OR instr(lower(name || ' ' || note || ' ' || source || ' ' || kingdom_id), lower(?6)) > 0)
         AND (?7 IS NULL OR (captured_at, scan_id) < (?7, ?8))
       ORDER BY captured_at DESC, scan_id DESC LIMIT ?9`,
    )
    .bind(
      userId,
      filter.game ?? null,
      filter.kingdom ?? null,
      filter.origin ?? null,
      filter.tag ?? null,
      filter.search || null,
      ...placeIn(filter.before),
      SCANS_PER_PAGE + 1,
    )
    .all<StoredScan>();
  const page = results.slice(0, SCANS_PER_PAGE).map(scanFrom);
  const last = page.at(-1);
  return { scans: page, next: results.length > SCANS_PER_PAGE && last ? placeOfScan(last) : null };
}

/** Returns the cursor after a scan. */
export const placeOfScan = ({ captured_at, scan_id }: Pick<KeptScan, 'captured_at' | 'scan_id'>): string =>
  `${captured_at}-${scan_id}`;

const placeIn = (before: string | undefined): [number | null, string | null] => {
  const [, at = null, id = null] = /^(\d+)-(.+)$/.exec(before ?? '') ?? [];
  return [at === null ? null : Number(at), id];
};

/** Returns point-in-time scans (not ranges) of a user's library, newest first, and the number remaining from there. */
export async function readingsBefore(
  db: Db,
  userId: string,
  { game, before, origin, most }: Pick<LibraryFilter, 'before' | 'origin'> & { game: GameId; most: number },
): Promise<{
  scans: Pick<KeptScan, 'scan_id' | 'captured_at' | 'kingdom_id' | 'source' | 'rows' | 'key'>[];
  count: number;
}> {
  const { results } = await db.$client
    .prepare(
      `SELECT scan_id, captured_at, kingdom_id, source, rows, key, count(*) OVER () AS count FROM (${LABELLED})
       WHERE game = ?2 AND range_from IS NULL AND (?3 IS NULL OR (captured_at, scan_id) < (?3, ?4))
         AND (?5 IS NULL OR origin = ?5)
       ORDER BY captured_at DESC, scan_id DESC LIMIT ?6`,
    )
    .bind(userId, game, ...placeIn(before), origin ?? null, most)
    .all<KeptScan & { count: number }>();
  return { scans: results, count: results[0]?.count ?? 0 };
}

/** Returns all kingdoms and tags in a user's library. */
export async function libraryOutline(db: Db, userId: string) {
  const [kingdoms, tags] = await db.$client.batch<Record<string, unknown>>([
    db.$client
      .prepare(
        `SELECT game, kingdom_id, count(*) AS scans FROM (${LABELLED})
         GROUP BY game, kingdom_id ORDER BY game, kingdom_id LIMIT 1000`,
      )
      .bind(userId),
    db.$client
      .prepare(`SELECT DISTINCT tag.value AS tag FROM (${LABELLED}), json_each(tags) AS tag ORDER BY 1 LIMIT 200`)
      .bind(userId),
  ]);
  return {
    kingdoms: (kingdoms?.results ?? []) as { game: GameId; kingdom_id: number; scans: number }[],
    tags: (tags?.results ?? []).map(({ tag }) => String(tag)),
  };
}

/** Returns those of the scans that are in the user's library, in the order given. */
export async function scansOf(db: Db, userId: string, ids: readonly string[]): Promise<KeptScan[]> {
  const { results } = await db.$client
    .prepare(`SELECT * FROM (${LABELLED} AND library.scan_id IN (SELECT value FROM json_each(?2)))`)
    .bind(userId, JSON.stringify(ids))
    .all<StoredScan>();
  const byId = new Map(results.map((row) => [row.scan_id, scanFrom(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the scans that a user's report names, as far as they are in the user's library. */
export async function scansOfReport(db: Db, userId: string, reportId: string): Promise<KeptScan[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT * FROM (${LABELLED} AND library.scan_id IN (
         SELECT leaf.atom FROM reports, json_tree(reports.ranges) leaf
         WHERE reports.id = ?2 AND reports.user_id = ?1 AND leaf.type = 'text'))`,
    )
    .bind(userId, reportId)
    .all<StoredScan>();
  return results.map(scanFrom);
}

/** Returns the newest imported scan of each of a user's kingdoms, newest first. */
export async function newestImported(
  db: Db,
  userId: string,
): Promise<{ game: GameId; kingdom_id: number; key: string; rows: number }[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT game, kingdom_id, key, rows, max(captured_at) AS newest FROM scans WHERE user_id = ?
       GROUP BY game, kingdom_id ORDER BY newest DESC LIMIT 1000`,
    )
    .bind(userId)
    .all<{ game: GameId; kingdom_id: number; key: string; rows: number }>();
  return results.map(({ game, kingdom_id, key, rows }) => ({ game, kingdom_id, key, rows }));
}

/**
 * For each scan to save, finds the user's newest earlier own scan of the same kingdom, against which its counters are
 * checked. Returns keys in the scans' order, null if there is none. One query for the whole file.
 */
export async function ownScansBefore(
  db: Db,
  userId: string,
  scans: readonly Pick<OwnScan, 'game' | 'kingdom_id' | 'captured_at'>[],
): Promise<(string | null)[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT (SELECT scans.key FROM scans
         WHERE user_id = ?1 AND game = value ->> 'game' AND kingdom_id = value ->> 'kingdom_id'
           AND captured_at < value ->> 'captured_at' AND range_from IS NULL
         ORDER BY captured_at DESC LIMIT 1) AS key
       FROM json_each(?2) ORDER BY json_each.key`,
    )
    .bind(userId, JSON.stringify(scans.map(({ game, kingdom_id, captured_at }) => ({ game, kingdom_id, captured_at }))))
    .all<{ key: string | null }>();
  return results.map(({ key }) => key);
}

export interface Labels {
  name?: string | undefined;
  tags?: readonly string[] | undefined;
  note?: string | undefined;
}

/** Changes a scan's name, tags or note. Fields left out stay. */
export async function labelScan(db: Db, userId: string, id: string, { name, tags, note }: Labels): Promise<void> {
  await db.$client
    .prepare(
      `INSERT INTO scan_labels (user_id, scan_id, name, tags, note)
       VALUES (?1, ?2, coalesce(?3, ''), coalesce(?4, '[]'), coalesce(?5, ''))
       ON CONFLICT (user_id, scan_id) DO UPDATE SET
         name = coalesce(?3, name), tags = coalesce(?4, tags), note = coalesce(?5, note)`,
    )
    .bind(userId, id, name ?? null, tags ? JSON.stringify(tags) : null, note ?? null)
    .run();
}
