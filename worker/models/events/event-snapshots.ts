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
  /** Why the newest gathering gave no snapshot; null where it gave one or still runs. */
  failed: { at: number; msg: string } | null;
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
      .prepare(
        `SELECT state, msg, ended_at FROM event_refreshes
         WHERE event_id = ? AND state <> 'running' ORDER BY due_at DESC LIMIT 1`,
      )
      .bind(id),
  ]);
  const row = found?.results[0] as EventRow | undefined;
  if (!row) return null;
  const [last] = (ended?.results ?? []) as { state: string; msg: string; ended_at: number }[];
  return {
    event: eventFrom(row),
    snapshots: ((snapshots?.results ?? []) as SnapshotRow[]).map(({ missing, ...rest }) => ({
      ...rest,
      missing: JSON.parse(missing ?? '[]') as EventSnapshot['missing'],
    })),
    failed: last?.state === 'failed' ? { at: last.ended_at, msg: last.msg } : null,
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
  /** True: where there is one of that moment, this corrects it. */
  corrects: boolean;
}

/**
 * The statements that put a snapshot of an event: its moment, the parts that came in, and for kingdoms that did not the
 * scans that stand in. Parts that are there are replaced, which is a correction; every time gives the same.
 */
export function snapshotStatements(db: Db, eventId: number, snapshot: NewSnapshot, now: number): D1PreparedStatement[] {
  const { ts, source, kingdoms, parts, corrects } = snapshot;
  const here = `(SELECT id FROM event_snapshots WHERE event_id = ?1 AND ts = ?2)`;
  const statement = (sql: string, ...more: unknown[]) => db.$client.prepare(sql).bind(eventId, ts, ...more);
  return [
    statement(
      `INSERT INTO event_snapshots (event_id, ts, source, created_at) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (event_id, ts) DO ${corrects ? 'UPDATE SET corrected_at = ?4' : 'NOTHING'}`,
      source,
      now,
    ),
    statement(
      `INSERT INTO event_parts (event_snapshot_id, kingdom_id, snapshot_id, stands_in)
       SELECT ${here}, value ->> 'kingdom_id', (SELECT id FROM snapshots WHERE key = value ->> 'key'), 0
       FROM json_each(?3) WHERE true
       ON CONFLICT (event_snapshot_id, kingdom_id) DO UPDATE SET snapshot_id = excluded.snapshot_id, stands_in = 0`,
      JSON.stringify(parts),
    ),
    statement(
      `INSERT INTO event_parts (event_snapshot_id, kingdom_id, snapshot_id, stands_in)
       SELECT ${here}, value, ${standInSql('value')}, 1 FROM json_each(?3) WHERE true
       ON CONFLICT (event_snapshot_id, kingdom_id) DO NOTHING`,
      JSON.stringify(kingdoms),
    ),
    db.$client.prepare(`UPDATE events SET revision = revision + 1, updated_at = ?2 WHERE id = ?1`).bind(eventId, now),
  ];
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
  const here = `(SELECT id FROM event_snapshots WHERE event_id = ?1 AND ts = ?2)`;
  const statement = (sql: string) => db.$client.prepare(sql).bind(eventId, ts);
  const results = await db.$client.batch<{ id: number }>([
    statement(`DELETE FROM event_files WHERE event_snapshot_id = ${here}`),
    statement(`DELETE FROM event_parts WHERE event_snapshot_id = ${here}`),
    statement(`UPDATE events SET revision = revision + 1 WHERE id = ?1 AND ${here} IS NOT NULL`),
    statement(`DELETE FROM event_snapshots WHERE event_id = ?1 AND ts = ?2 RETURNING id`),
  ]);
  if (results[3]?.results.length !== 1) return false;
  await eventAudit(db, admin, { action: 'snapshot_deleted', id: eventId, detail: { ts } }, now).run();
  return true;
}
