import {
  closeSync,
  existsSync,
  fsyncSync,
  globSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { Problem } from './settings.ts';

/**
 * Reads and writes the files of a copy's folder. Files are written atomically; broken ones are refused with a sentence.
 */

/** What is lost with a broken file, and what to do. */
interface Loss {
  lost: string;
  remedy: string;
}

const broken = (file: string, what: string, { lost, remedy }: Loss): Problem =>
  new Problem(`${file} is ${what}: ${lost} lost. ${remedy}`);

/**
 * Reads JSON from a file; null if there is no such file. Throws a Problem if it is empty, truncated, or fails
 * `isWhole`.
 */
export function readState<Value>(file: string, isWhole: (value: unknown) => value is Value, loss: Loss): Value | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (isWhole(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw broken(file, 'empty or cut', loss);
}

/** Writes JSON to a file atomically: if the process or machine stops, either the old or the new file is complete. */
export function writeState(file: string, value: unknown, mode = 0o644): void {
  const next = `${file}.new`;
  writeFileSync(next, JSON.stringify(value, null, 2), { mode });
  const written = openSync(next, 'r+');
  fsyncSync(written);
  closeSync(written);
  renameSync(next, file);
}

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/** Returns whether a database file has its header and all pages stated there. SQLite itself checks the log. */
function isWholeDatabase(file: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  const opened = openSync(file, 'r');
  const read = readSync(opened, header, 0, HEADER_BYTES, 0);
  closeSync(opened);
  if (read < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return false;
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return log > 0 || statSync(file).size >= header.readUInt32BE(28) * pageBytes;
}

const lossOfDatabase = (stateDir: string): Loss => ({
  lost: 'accounts, balances and orders of this copy are',
  remedy: `Put the folder ${stateDir} back from a copy of it, or delete it and start anew.`,
});

/** Refuses a seeded copy whose D1 file is missing, empty or truncated, because it would start as a new one. */
export function checkDatabaseFile(stateDir: string): void {
  if (!existsSync(join(stateDir, 'seeded.json'))) return;
  const folder = join(stateDir, 'v3', 'd1');
  const files = globSync('*/*.sqlite', { cwd: folder }).filter((name) => !name.endsWith('metadata.sqlite'));
  if (files.length === 0) throw broken(join(folder, '*.sqlite'), 'missing', lossOfDatabase(stateDir));
  for (const name of files)
    if (!isWholeDatabase(join(folder, name)))
      throw broken(join(folder, name), 'empty or cut', lossOfDatabase(stateDir));
}

/** Has SQLite check the database. Throws a Problem if pages are missing or damaged. */
export async function checkDatabase(db: D1Database, stateDir: string): Promise<void> {
  // For unreadable pages, D1 reports 'internal error' and workerd logs the details.
  const verdict = await db
    .prepare('PRAGMA quick_check(1)')
    .first<string>('quick_check')
    .catch((error: Error) => error.message);
  if (verdict !== 'ok') throw broken(join(stateDir, 'v3', 'd1'), 'damaged', lossOfDatabase(stateDir));
}
