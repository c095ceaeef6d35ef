import { DAY_MS } from '../../../domain/days.ts';
import type { Mapping } from '../../../domain/scans/dialect.ts';
import type { Db } from '../../db/open.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/** An uploaded file, as its owner sees it. */
export interface Import {
  id: string;
  user_id: string;
  name: string;
  content_hash: string;
  said: { kingdom: number | null; captured_at: number | null };
  state: 'waiting' | 'saved' | 'refused';
  scan_ids: string[];
  created_at: number;
  expires_at: number;
}

type StoredImport = Omit<Import, 'said' | 'scan_ids'> & { said: string; scan_ids: string };

const importFrom = ({ said, scan_ids, ...row }: StoredImport): Import => ({
  ...row,
  said: JSON.parse(said) as Import['said'],
  scan_ids: JSON.parse(scan_ids) as string[],
});

/** How long an upload waits to be saved. */
const WAITING_MS = DAY_MS;

/**
 * Records an upload before its file is read. Returns null if the user has reached the daily limit or has deleted the
 * account. If the same file with the same details is already waiting, returns that import.
 */
export async function beginImport(
  db: Db,
  file: Pick<Import, 'user_id' | 'name' | 'content_hash' | 'said'>,
  filesPerDay: number,
  now = Date.now(),
): Promise<Import | null> {
  const { user_id, name, content_hash } = file;
  const said = JSON.stringify(file.said);
  const waiting = await db.$client
    .prepare(
      `SELECT * FROM imports
       WHERE user_id = ? AND content_hash = ? AND name = ? AND said = ? AND state = 'waiting' AND expires_at > ?`,
    )
    .bind(user_id, content_hash, name, said, now + WAITING_MS / 2)
    .first<StoredImport>();
  if (waiting) return importFrom(waiting);
  const made = await db.$client
    .prepare(
      `INSERT INTO imports (id, user_id, name, content_hash, said, state, created_at, expires_at)
       SELECT ?1, id, ?3, ?4, ?5, 'waiting', ?6, ?7 FROM users
       WHERE id = ?2 AND deleted_at IS NULL AND (SELECT count(*) FROM imports WHERE user_id = ?2 AND created_at > ?8) < ?9 RETURNING *`,
    )
    .bind(crypto.randomUUID(), user_id, name, content_hash, said, now, now + WAITING_MS, now - DAY_MS, filesPerDay)
    .first<StoredImport>();
  return made && importFrom(made);
}

/** Returns when a user with as many files in the last day as allowed may bring the next one. */
export async function nextFileAt(db: Db, userId: string, filesPerDay: number, now = Date.now()): Promise<number> {
  const row = await db.$client
    .prepare(
      `SELECT created_at FROM imports WHERE user_id = ? AND created_at > ? ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    )
    .bind(userId, now - DAY_MS, filesPerDay - 1)
    .first<{ created_at: number }>();
  return (row?.created_at ?? now) + DAY_MS;
}

/** Counts the files that a user uploaded in the last day. */
export async function filesToday(db: Db, userId: string, now = Date.now()): Promise<number> {
  const row = await db.$client
    .prepare(`SELECT count(*) AS files FROM imports WHERE user_id = ? AND created_at > ?`)
    .bind(userId, now - DAY_MS)
    .first<{ files: number }>();
  return row?.files ?? 0;
}

/** Returns the user's import, or null if it belongs to someone else, was refused or has expired. */
export async function importOf(db: Db, userId: string, id: string, now = Date.now()): Promise<Import | null> {
  const row = await db.$client
    .prepare(`SELECT * FROM imports WHERE id = ? AND user_id = ? AND state <> 'refused' AND expires_at > ?`)
    .bind(id, userId, now)
    .first<StoredImport>();
  return row && importFrom(row);
}

/**
 * True if an import still exists: deleting the account deletes it. Writes to the database, because a replica may be out
 * of date.
 */
export async function isStillThere(db: Db, { user_id, id }: Pick<Import, 'user_id' | 'id'>): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(`UPDATE imports SET state = state WHERE id = ? AND user_id = ?`)
    .bind(id, user_id)
    .run();
  return meta.changes > 0;
}

/** Marks an import as unreadable. */
export async function refuseImport(db: Db, userId: string, id: string): Promise<void> {
  await db.$client
    .prepare(`UPDATE imports SET state = 'refused' WHERE id = ? AND user_id = ? AND state = 'waiting'`)
    .bind(id, userId)
    .run();
}

const MOST_AT_ONCE = 200;

/** Name of the job that deletes them. */
export const UNSAVED = 'unsaved files';

export type ExpiredImport = Pick<Import, 'id' | 'user_id' | 'state'>;

/** Returns expired imports of all users, except those whose deletion is in backoff. */
export async function expiredImports(db: Db, now = Date.now()): Promise<ExpiredImport[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, user_id, state FROM imports
       WHERE expires_at <= ?1 AND ${notInBackoffSql(UNSAVED, 'imports.id', 1)} ORDER BY expires_at LIMIT ?2`,
    )
    .bind(now, MOST_AT_ONCE)
    .all<ExpiredImport>();
  return results;
}

/** Deletes an expired import after its file. */
export async function dropImport(db: Db, id: string, now: number): Promise<void> {
  await db.$client.prepare(`DELETE FROM imports WHERE expires_at <= ?2 AND id = ?1`).bind(id, now).run();
}

/** Returns the mapping that a user saved for these headers, or null. */
export async function mappingFor(db: Db, userId: string, headersHash: string): Promise<Mapping | null> {
  const row = await db.$client
    .prepare(`SELECT mapping FROM header_mappings WHERE user_id = ? AND headers_hash = ?`)
    .bind(userId, headersHash)
    .first<{ mapping: string }>();
  return row && (JSON.parse(row.mapping) as Mapping);
}

/** Maximum number of saved mappings per user; the most recently used stay. */
const MOST_MAPPINGS = 200;

/** Returns the statements that save a mapping for the next file with these headers. */
export const rememberStatements = (
  db: Db,
  userId: string,
  headersHash: string,
  mapping: Mapping,
  now: number,
): D1PreparedStatement[] => [
  db.$client
    .prepare(
      `INSERT INTO header_mappings (user_id, headers_hash, mapping, updated_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, headers_hash) DO UPDATE SET mapping = excluded.mapping, updated_at = excluded.updated_at`,
    )
    .bind(userId, headersHash, JSON.stringify(mapping), now),
  db.$client
    .prepare(
      `DELETE FROM header_mappings WHERE user_id = ?1 AND headers_hash NOT IN
         (SELECT headers_hash FROM header_mappings WHERE user_id = ?1 ORDER BY updated_at DESC, headers_hash LIMIT ?2)`,
    )
    .bind(userId, MOST_MAPPINGS),
];
