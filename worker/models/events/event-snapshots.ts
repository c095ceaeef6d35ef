import type { Db } from '../../db/open.ts';
import { type Admin, type Event, eventAudit, eventFrom, eventStatement } from './events.ts';

/** Snapshots of events: which kingdoms' snapshots stand under a moment. */

/** A snapshot of an event without its parts. */
export interface EventSnapshot {
  ts: number;
  source: string;
  corrected_at: number | null;
  /** Governors in its parts. */
  rows: number;
  /** Kingdoms that were not scanned for it, with the moment of the scan that stands in (null: there is none). */
  missing: { kingdom: number; captured_at: number | null }[];
}

/** An event with its snapshots, oldest first, as they are at one moment. */
export interface EventHead {
  event: Event;
  snapshots: EventSnapshot[];
  /** When the newest gathering that ended gave no snapshot, and the internal reason; null if it gave one. */
  failed: { at: number; msg: string } | null;
  /** True while a gathering is under way. */
  gathering: boolean;
}

interface SnapshotRow {
  ts: number;
  source: string;
  corrected_at: number | null;
  rows: number;
  missing: string;
}

const SNAPSHOTS = `
  SELECT ts, event_snapshots.source, corrected_at, coalesce(sum(snapshots.rows), 0) AS rows,
    json_group_array(json_object('kingdom', event_parts.kingdom_id, 'captured_at', snapshots.captured_at))
      FILTER (WHERE stands_in) AS missing
  FROM event_snapshots
  LEFT JOIN event_parts ON event_parts.event_snapshot_id = event_snapshots.id
  LEFT JOIN snapshots ON snapshots.id = event_parts.snapshot_id
  WHERE event_snapshots.event_id = ? GROUP BY event_snapshots.id ORDER BY ts`;

/** What `eventFrom` takes. */
type EventRow = Parameters<typeof eventFrom>[0];

/** An event and its snapshots, read in one go; null where there is none of that id. */
export async function eventHead(db: Db, id: number): Promise<EventHead | null> {
  const [found, snapshots, ended] = await db.$client.batch<unknown>([
    eventStatement(db, id),
    db.$client.prepare(SNAPSHOTS).bind(id),
    db.$client
      .prepare(`SELECT state, msg, ended_at FROM event_refreshes WHERE event_id = ? ORDER BY due_at DESC LIMIT 2`)
      .bind(id),
  ]);
  const row = found?.results[0] as EventRow | undefined;
  if (!row) return null;
  const newest = (ended?.results ?? []) as { state: string; msg: string; ended_at: number }[];
  const last = newest.find(({ state }) => state !== 'running');
  return {
    event: eventFrom(row),
    snapshots: ((snapshots?.results ?? []) as SnapshotRow[]).map(({ missing, ...rest }) => ({
      ...rest,
      missing: JSON.parse(missing ?? '[]') as EventSnapshot['missing'],
    })),
    failed: last?.state === 'failed' ? { at: last.ended_at, msg: last.msg } : null,
    gathering: newest.some(({ state }) => state === 'running'),
  };
}

/** A kingdom's snapshot inside an event's. */
export interface Part {
  ts: number;
  kingdom_id: number;
  /** The object in R2; null where nothing is known of the kingdom. */
  key: string | null;
  captured_at: number | null;
  rows: number;
  stands_in: boolean;
}

/** The parts of an event's snapshots at these moments, by kingdom, and the event as it is with them. */
export async function partsOf(
  db: Db,
  id: number,
  moments: readonly number[],
): Promise<{ event: Event; parts: Part[] } | null> {
  const [found, parts] = await db.$client.batch<unknown>([
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
  ]);
  const row = found?.results[0] as EventRow | undefined;
  if (!row) return null;
  const rows = (parts?.results ?? []) as (Omit<Part, 'stands_in'> & { stands_in: number })[];
  return { event: eventFrom(row), parts: rows.map((part) => ({ ...part, stands_in: part.stands_in === 1 })) };
}

/** A kingdom's snapshot that comes in for an event. */
export interface NewPart {
  kingdom_id: number;
  /** Its key in `snapshots`. */
  key: string;
}

/**
 * SQL of the newest scan of a kingdom (`kingdom`, SQL) that may stand in at a moment: the one that stood in the event's
 * snapshot before it, else the newest of any up to then.
 */
const standInSql = (kingdom: string): string => `
  coalesce(
    (SELECT event_parts.snapshot_id FROM event_parts
     JOIN event_snapshots earlier ON earlier.id = event_parts.event_snapshot_id
     WHERE earlier.event_id = ?1 AND earlier.ts < ?2 AND event_parts.kingdom_id = ${kingdom}
       AND event_parts.snapshot_id IS NOT NULL
     ORDER BY earlier.ts DESC LIMIT 1),
    (SELECT id FROM snapshots WHERE snapshots.game = (SELECT game FROM events WHERE id = ?1)
       AND snapshots.kingdom_id = ${kingdom} AND kind = 'scan' AND captured_at <= ?2
     ORDER BY captured_at DESC, id DESC LIMIT 1))`;

/** A snapshot of an event that comes in. */
export interface NewSnapshot {
  ts: number;
  source: string;
  /** All kingdoms of the event. */
  kingdoms: readonly number[];
  parts: readonly NewPart[];
  /** True of a file that an admin loaded: it corrects other files, which nothing else does. */
  corrects: boolean;
}

/** The event's snapshot of the moment, in SQL. */
const HERE = `(SELECT id FROM event_snapshots WHERE event_id = ?1 AND ts = ?2)`;

/** How the source of a loaded file begins, in the tables of snapshots. */
export const FILE_SOURCE = 'file: ';

/**
 * SQL of the incoming parts (?3, JSON) beside those that are there (`replaced`: null if none is, or a scan of another
 * moment stands in), with whether they take their place. A gathering never replaces a file, and a deeper reading never
 * gives way to a shallower one.
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
 * Returns the statements that put a snapshot of an event: its moment, the parts that came in, and for kingdoms that did
 * not the scans that stand in. Parts that are replaced make it a correction and are kept as versions. Again gives the same.
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
    db.$client.prepare(`UPDATE events SET revision = revision + 1, updated_at = ?2 WHERE id = ?1`).bind(eventId, now),
  ];
}

/** A reading of a kingdom that a new part would not replace, because it has more governors. */
export interface DeeperPart {
  kingdom_id: number;
  rows: number;
}

/** The parts of a snapshot that are deeper than those that a file (`parts`, whose snapshots are there) holds. */
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

/** A part of a snapshot that a correction replaced. */
export interface PartVersion {
  ts: number;
  kingdom: number;
  source: string;
  rows: number;
  replaced_at: number;
}

/** The replaced parts of an event's snapshots, newest first. */
export async function partVersions(db: Db, eventId: number): Promise<PartVersion[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT ts, event_part_versions.kingdom_id AS kingdom, snapshots.source, snapshots.rows, replaced_at
       FROM event_snapshots JOIN event_part_versions ON event_snapshot_id = event_snapshots.id
       JOIN snapshots ON snapshots.id = event_part_versions.snapshot_id
       WHERE event_snapshots.event_id = ? ORDER BY replaced_at DESC, kingdom LIMIT 500`,
    )
    .bind(eventId)
    .all<PartVersion>();
  return results;
}

/** Puts a snapshot of an event whose kingdoms' snapshots are there; one of that moment stays as it is. */
export async function putEventSnapshot(
  db: Db,
  eventId: number,
  snapshot: Omit<NewSnapshot, 'corrects'>,
  now = Date.now(),
): Promise<void> {
  await db.$client.batch(snapshotStatements(db, eventId, { ...snapshot, corrects: false }, now));
}

/** A file that is loaded into an event. */
export interface LoadedFile {
  ts: number;
  hash: string;
  source: string;
  kingdoms: readonly number[];
  parts: readonly NewPart[];
  /** What the caller is answered, now and whenever the same file comes again. */
  answer: Record<string, unknown>;
}

/** Puts the snapshot that a file holds, with the file's mark and the log's entry, in one batch. */
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

/** What was answered when the file of that hash was loaded, or null. */
export async function loadedBefore<Answer>(db: Db, eventId: number, hash: string): Promise<Answer | null> {
  const row = await db.$client
    .prepare(`SELECT answer FROM event_files WHERE event_id = ? AND hash = ?`)
    .bind(eventId, hash)
    .first<{ answer: string }>();
  return row ? (JSON.parse(row.answer) as Answer) : null;
}

/** Takes a snapshot out of an event; the scans that it was made of stay. False where there is none of that moment. */
export async function dropEventSnapshot(
  db: Db,
  eventId: number,
  ts: number,
  admin: Admin,
  now = Date.now(),
): Promise<boolean> {
  const statement = (sql: string) => db.$client.prepare(sql).bind(eventId, ts);
  const results = await db.$client.batch<{ id: number }>([
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
