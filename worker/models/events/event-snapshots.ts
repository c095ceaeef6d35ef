import type { GameId } from '../../../domain/games/games.ts';
import { TIME_OF_FILE } from '../../../domain/scans/file-time.ts';
import type { Db } from '../../db/open.ts';
import {
  type Admin,
  byEvent,
  type Event,
  type EventRow,
  eventAudit,
  eventStatement,
  eventsSql,
  REMOVED,
  type RemovedRow,
  shownEvent,
} from './events.ts';
import { FOLLOW, HERE, standInSql, WITHDRAW } from './stand-ins.ts';

/** Snapshots of events: which snapshot of each kingdom belongs to a timestamp. */

/** A snapshot of an event, without its parts. */
export interface EventSnapshot {
  ts: number;
  source: string;
  corrected_at: number | null;
  /** Number of governors in its parts. */
  rows: number;
  /** Kingdoms not scanned for it, with the time of the scan used instead (null if there is none). */
  missing: { kingdom: number; captured_at: number | null }[];
  /** Kingdoms whose scan has only the time of its file for a moment. */
  by_file_time: number[];
}

/** An event and its snapshots, oldest first, read consistently. */
export interface EventHead {
  event: Event;
  snapshots: EventSnapshot[];
  /** When the newest finished gathering failed, and the internal reason; null if it succeeded. */
  failed: { at: number; msg: string } | null;
  /** When the running gathering was due; null if none is running. */
  gathering: number | null;
}

interface SnapshotRow {
  event_id: number;
  ts: number;
  source: string;
  corrected_at: number | null;
  rows: number;
  missing: string;
  by_file_time: string;
}

/** SQL of ids that came as JSON, with `?1` bound to them. */
const BOUND = '?1';

/** Reads the snapshots of the events in `ids`, which is SQL of a JSON array. */
const snapshotsSql = (ids: string): string => `
  SELECT event_snapshots.event_id, ts, event_snapshots.source, corrected_at, coalesce(sum(snapshots.rows), 0) AS rows,
    json_group_array(json_object('kingdom', event_parts.kingdom_id, 'captured_at', snapshots.captured_at))
      FILTER (WHERE stands_in) AS missing,
    json_group_array(event_parts.kingdom_id)
      FILTER (WHERE snapshots.source LIKE '%${TIME_OF_FILE}') AS by_file_time
  FROM event_snapshots
  LEFT JOIN event_parts ON event_parts.event_snapshot_id = event_snapshots.id
  LEFT JOIN snapshots ON snapshots.id = event_parts.snapshot_id
  WHERE event_snapshots.event_id IN (SELECT value FROM json_each(${ids})) GROUP BY event_snapshots.id ORDER BY ts`;

/** Reads the two newest gatherings of each event in `ids`, which is SQL of a JSON array. */
const gatheringsSql = (ids: string): string => `
  SELECT newest.event_id, due_at, state, msg, ended_at FROM json_each(${ids}) wanted
  JOIN event_refreshes newest ON newest.id IN
    (SELECT id FROM event_refreshes WHERE event_id = wanted.value ORDER BY due_at DESC LIMIT 2)
  ORDER BY newest.event_id, due_at DESC`;

interface GatheringRow {
  event_id: number;
  due_at: number;
  state: string;
  msg: string;
  ended_at: number;
}

/** Reads events and their snapshots in one batch. `ids` is SQL of a JSON array. */
async function headsIn(db: Db, ids: string, bound: readonly unknown[]): Promise<EventHead[]> {
  const statements = [eventsSql(ids), snapshotsSql(ids), gatheringsSql(ids)];
  const [events, snapshots, gatherings, removed] = await db.$client.batch<unknown>([
    ...statements.map((sql) => db.$client.prepare(sql).bind(...bound)),
    db.$client.prepare(REMOVED),
  ]);
  const ofSnapshots = Map.groupBy((snapshots?.results ?? []) as SnapshotRow[], ({ event_id }) => event_id);
  const ofGatherings = Map.groupBy((gatherings?.results ?? []) as GatheringRow[], ({ event_id }) => event_id);
  const ofGames = (removed?.results ?? []) as RemovedRow[];
  return ((events?.results ?? []) as EventRow[]).map((row) =>
    headFrom(shownEvent(row, ofGames).event, ofSnapshots.get(row.id) ?? [], ofGatherings.get(row.id) ?? []),
  );
}

function headFrom(event: Event, snapshots: readonly SnapshotRow[], newest: readonly GatheringRow[]): EventHead {
  const last = newest.find(({ state }) => state !== 'running');
  return {
    event,
    snapshots: snapshots.map(({ event_id: _, missing, by_file_time, ...rest }) => ({
      ...rest,
      missing: JSON.parse(missing ?? '[]') as EventSnapshot['missing'],
      by_file_time: JSON.parse(by_file_time ?? '[]') as number[],
    })),
    failed: last?.state === 'failed' ? { at: last.ended_at, msg: last.msg } : null,
    gathering: newest.find(({ state }) => state === 'running')?.due_at ?? null,
  };
}

/** Reads these events and their snapshots. */
export const eventHeads = (db: Db, ids: readonly number[]): Promise<EventHead[]> =>
  headsIn(db, BOUND, [JSON.stringify(ids)]);

/** Reads an event and its snapshots. Returns null for an unknown id. */
export const eventHead = async (db: Db, id: number): Promise<EventHead | null> =>
  (await eventHeads(db, [id]))[0] ?? null;

/** Reads the newest published, unarchived events of a game, or of both games if null. */
export const shownHeads = (db: Db, game: GameId | null, most: number): Promise<EventHead[]> =>
  headsIn(
    db,
    `(SELECT json_group_array(id) FROM (
        SELECT id FROM events WHERE mark IN ('open', 'closed') AND (?1 IS NULL OR game = ?1)
        ORDER BY start_at DESC, id DESC LIMIT ?2))`,
    [game, most],
  );

/** A kingdom's snapshot within an event's snapshot. */
export interface SnapshotPart {
  ts: number;
  kingdom_id: number;
  /** The object's key in R2; null if the kingdom was never scanned. */
  key: string | null;
  captured_at: number | null;
  rows: number;
  stands_in: boolean;
}

/**
 * Returns an event, the parts of its snapshots at the given times, by kingdom, and the hidden governors, all read at
 * once.
 */
export async function partsOf(
  db: Db,
  id: number,
  moments: readonly number[],
): Promise<{ event: Event; parts: SnapshotPart[]; removed: number[] } | null> {
  const [found, parts, removed] = await db.$client.batch<unknown>([
    eventStatement(db, id),
    db.$client
      .prepare(
        `SELECT ts, event_parts.kingdom_id, key, captured_at, coalesce(rows, 0) AS rows, stands_in
         FROM event_snapshots
         JOIN event_parts ON event_parts.event_snapshot_id = event_snapshots.id
         LEFT JOIN snapshots ON snapshots.id = event_parts.snapshot_id
         WHERE event_snapshots.event_id = ?1 AND ts IN (SELECT value FROM json_each(?2))
         ORDER BY ts, event_parts.kingdom_id`,
      )
      .bind(id, JSON.stringify(moments)),
    db.$client.prepare(REMOVED),
  ]);
  const row = found?.results[0] as EventRow | undefined;
  if (!row) return null;
  const rows = (parts?.results ?? []) as (Omit<SnapshotPart, 'stands_in'> & { stands_in: number })[];
  return {
    ...shownEvent(row, (removed?.results ?? []) as RemovedRow[]),
    parts: rows.map((part) => ({ ...part, stands_in: part.stands_in === 1 })),
  };
}

/** A kingdom's snapshot to add to an event. */
export interface NewPart {
  kingdom_id: number;
  /** Its key in `snapshots`. */
  key: string;
}

/** A snapshot to add to an event. */
interface NewSnapshot {
  ts: number;
  source: string;
  /** All kingdoms of the event. */
  kingdoms: readonly number[];
  parts: readonly NewPart[];
  /** True for a file that an admin uploads: only files may replace parts from files. */
  corrects: boolean;
}

/** Prefix of the source of snapshots from uploaded files. */
export const FILE_SOURCE = 'file: ';

/**
 * SQL of the incoming parts (?3, JSON) next to the existing ones. `replaced` is null if there is no existing part or it
 * comes from a replacement scan. `taken` says whether the new part is used: a gathering never replaces a file, and a
 * snapshot with fewer rows never replaces one with more.
 */
const incoming = (corrects: boolean): string => `
  SELECT fresh.kingdom_id, fresh.id AS snapshot_id, iif(part.stands_in, NULL, part.snapshot_id) AS replaced,
    part.kingdom_id IS NULL OR part.stands_in OR part.snapshot_id IS NULL OR (part.snapshot_id <> fresh.id
      AND fresh.rows >= coalesce(kept.rows, 0)
      ${corrects ? '' : `AND coalesce(kept.source, '') NOT LIKE '${FILE_SOURCE}%'`}) AS taken
  FROM json_each(?3) JOIN snapshots fresh ON fresh.key = value ->> 'key'
  LEFT JOIN event_parts part ON part.event_snapshot_id = ${HERE} AND part.kingdom_id = fresh.kingdom_id
  LEFT JOIN snapshots kept ON kept.id = part.snapshot_id`;

/**
 * Returns the statements that store an event's snapshot: its timestamp, the incoming parts, and replacement scans for
 * the other kingdoms, here and in later snapshots. Replaced parts are kept as versions and mark the snapshot as
 * corrected. Idempotent.
 */
export function snapshotStatements(db: Db, eventId: number, snapshot: NewSnapshot, now: number): D1PreparedStatement[] {
  const { ts, source, kingdoms, parts, corrects } = snapshot;
  const taken = `SELECT * FROM (${incoming(corrects)}) WHERE taken`;
  const statement = (sql: string, ...more: unknown[]) => db.$client.prepare(sql).bind(eventId, ts, ...more);
  const came = JSON.stringify(parts);
  return [
    statement(
      `UPDATE event_snapshots SET corrected_at = ?4 WHERE event_id = ?1 AND ts = ?2 AND EXISTS (${taken})`,
      came,
      now,
    ),
    statement(
      `INSERT INTO event_snapshots (event_id, ts, source, created_at) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (event_id, ts) DO NOTHING`,
      source,
      now,
    ),
    statement(
      `INSERT INTO event_part_versions (event_snapshot_id, kingdom_id, snapshot_id, replaced_at)
       SELECT ${HERE}, kingdom_id, replaced, ?4 FROM (${taken}) WHERE replaced IS NOT NULL
       ON CONFLICT (event_snapshot_id, kingdom_id, snapshot_id) DO UPDATE SET replaced_at = excluded.replaced_at`,
      came,
      now,
    ),
    statement(
      `INSERT INTO event_parts (event_snapshot_id, kingdom_id, snapshot_id, stands_in)
       SELECT ${HERE}, kingdom_id, snapshot_id, 0 FROM (${taken}) WHERE true
       ON CONFLICT (event_snapshot_id, kingdom_id) DO UPDATE SET snapshot_id = excluded.snapshot_id, stands_in = 0`,
      came,
    ),
    statement(
      `INSERT INTO event_parts (event_snapshot_id, kingdom_id, snapshot_id, stands_in)
       SELECT ${HERE}, value, ${standInSql('value')}, 1 FROM json_each(?3) WHERE true
       ON CONFLICT (event_snapshot_id, kingdom_id) DO NOTHING`,
      JSON.stringify(kingdoms),
    ),
    statement(FOLLOW, came),
    db.$client.prepare(`UPDATE events SET revision = revision + 1, updated_at = ?2 WHERE id = ?1`).bind(eventId, now),
  ];
}

/** An existing part that a new one would not replace, because it has more governors. */
export interface DeeperPart {
  kingdom_id: number;
  rows: number;
}

/**
 * Returns the existing parts with more governors than those in a file. `parts` are the file's, already stored as
 * snapshots.
 */
export async function deeperParts(
  db: Db,
  eventId: number,
  ts: number,
  parts: readonly NewPart[],
): Promise<DeeperPart[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT found.kingdom_id, kept.rows FROM (${incoming(true)}) found JOIN snapshots kept ON kept.id = found.replaced
       WHERE NOT found.taken AND found.replaced <> found.snapshot_id ORDER BY found.kingdom_id`,
    )
    .bind(eventId, ts, JSON.stringify(parts))
    .all<DeeperPart>();
  return results;
}

/** A part that a correction replaced. */
interface PartVersion {
  ts: number;
  kingdom: number;
  source: string;
  rows: number;
  replaced_at: number;
}

const LISTED_VERSIONS = 500;

/** Returns the replaced parts of each event's snapshots, newest first. */
export async function partVersions(db: Db, events: readonly number[]): Promise<Map<number, PartVersion[]>> {
  const { results } = await db.$client
    .prepare(
      `SELECT event_id, ts, kingdom, source, rows, replaced_at FROM (
         SELECT event_id, ts, event_part_versions.kingdom_id AS kingdom, snapshots.source, snapshots.rows, replaced_at,
           row_number() OVER (PARTITION BY event_id ORDER BY replaced_at DESC, event_part_versions.kingdom_id) AS place
         FROM event_snapshots JOIN event_part_versions ON event_snapshot_id = event_snapshots.id
         JOIN snapshots ON snapshots.id = event_part_versions.snapshot_id
         WHERE event_id IN (SELECT value FROM json_each(?)))
       WHERE place <= ${LISTED_VERSIONS} ORDER BY event_id, place`,
    )
    .bind(JSON.stringify(events))
    .all<PartVersion & { event_id: number }>();
  return byEvent(results);
}

/** Stores a snapshot of an event from stored kingdom snapshots. Never replaces parts from files. */
export async function putEventSnapshot(
  db: Db,
  eventId: number,
  snapshot: Omit<NewSnapshot, 'corrects'>,
  now = Date.now(),
): Promise<void> {
  await db.$client.batch(snapshotStatements(db, eventId, { ...snapshot, corrects: false }, now));
}

/** A file uploaded into an event. */
interface LoadedFile {
  ts: number;
  hash: string;
  source: string;
  kingdoms: readonly number[];
  parts: readonly NewPart[];
  /** The response, also returned when the same file is uploaded again. */
  answer: Record<string, unknown>;
}

/** Stores a file's snapshot, its hash and the audit entry in one batch. */
export async function putLoadedFile(
  db: Db,
  eventId: number,
  file: LoadedFile,
  admin: Admin,
  now = Date.now(),
): Promise<void> {
  await db.$client.batch([
    ...snapshotStatements(db, eventId, { ...file, corrects: true }, now),
    db.$client
      .prepare(
        `INSERT INTO event_files (event_id, hash, event_snapshot_id, answer)
         SELECT ?1, ?2, id, ?4 FROM event_snapshots WHERE event_id = ?1 AND ts = ?3
         ON CONFLICT (event_id, hash) DO NOTHING`,
      )
      .bind(eventId, file.hash, file.ts, JSON.stringify(file.answer)),
    eventAudit(
      db,
      admin,
      { action: 'snapshot_loaded', id: eventId, detail: { ts: file.ts, kingdoms: file.parts.length } },
      now,
    ),
  ]);
}

/** Returns the response to an earlier upload of the file with this hash, or null. */
export async function loadedBefore<Answer>(db: Db, eventId: number, hash: string): Promise<Answer | null> {
  const row = await db.$client
    .prepare(`SELECT answer FROM event_files WHERE event_id = ? AND hash = ?`)
    .bind(eventId, hash)
    .first<{ answer: string }>();
  return row ? (JSON.parse(row.answer) as Answer) : null;
}

/**
 * Removes a snapshot from an event. Its scans are kept but no longer replace missing ones. Returns false if there is
 * none at this time.
 */
export async function dropEventSnapshot(
  db: Db,
  eventId: number,
  ts: number,
  admin: Admin,
  now = Date.now(),
): Promise<boolean> {
  const statement = (sql: string) => db.$client.prepare(sql).bind(eventId, ts);
  const results = await db.$client.batch<{ id: number }>([
    statement(WITHDRAW),
    statement(`DELETE FROM event_files WHERE event_snapshot_id = ${HERE}`),
    statement(`DELETE FROM event_part_versions WHERE event_snapshot_id = ${HERE}`),
    statement(`DELETE FROM event_parts WHERE event_snapshot_id = ${HERE}`),
    statement(`UPDATE events SET revision = revision + 1 WHERE id = ?1 AND ${HERE} IS NOT NULL`),
    statement(`DELETE FROM event_snapshots WHERE event_id = ?1 AND ts = ?2 RETURNING id`),
  ]);
  if (results.at(-1)?.results.length !== 1) return false;
  await eventAudit(db, admin, { action: 'snapshot_deleted', id: eventId, detail: { ts } }, now).run();
  return true;
}
