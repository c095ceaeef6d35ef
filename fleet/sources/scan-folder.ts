import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { MAX_FILE_BYTES, readScanFile, SCAN_FILE, type ScanFile } from '../scan-files/read.ts';
import { type Source, titleOf } from './source.ts';

/** A file of the folder: what is needed to see that it changed, and its scan or why it has none. */
interface Indexed {
  path: string;
  stamp: string;
  scan: ScanFile | { unreadable: string };
}

export interface ScanFolder extends Source {
  /** Files that hold no scan, each with a sentence that says why. */
  unreadable(): { path: string; reason: string }[];
}

/** How long a listing of the folder is believed before new files are looked for, in milliseconds. */
const LISTING_LIFE = 5000;

/** A folder of scan files (with its folders) as a source. A kingdom's newest file wins; files may come and go. */
export async function scanFolder(folder: string, now: () => number = Date.now): Promise<ScanFolder> {
  let files = await list(folder, []);
  let listed = now();
  const refresh = async () => {
    if (now() - listed < LISTING_LIFE) return;
    files = await list(folder, files);
    listed = now();
  };
  return {
    name: 'scan folder',
    describe: () => describe(folder, files),
    unreadable: () =>
      files.flatMap(({ path, scan }) => ('unreadable' in scan ? [{ path, reason: scan.unreadable }] : [])),
    async scan(game, kingdom_id) {
      await refresh();
      const newest = newestOf(files, game, kingdom_id);
      if (!newest) return { unknown: `${titleOf(game, kingdom_id)} is not among the scans of this bot.` };
      const rows = rowsOf(newest.scan, kingdom_id);
      const { power } = GAMES[game].roles;
      const ranked = withHighestPower(game, rows, files).sort((a, b) => Number(b[power]) - Number(a[power]));
      return { captured_at: newest.scan.captured_at, source: basename(newest.path).slice(0, 200), rows: ranked };
    },
  };
}

/** The files of the folder by path; what did not change since the last listing is not read again. */
async function list(folder: string, before: readonly Indexed[]): Promise<Indexed[]> {
  const known = new Map(before.map((file) => [file.path, file]));
  const paths = (await readdir(folder, { recursive: true })).filter((path) => SCAN_FILE.test(path)).sort();
  const files: Indexed[] = [];
  for (const path of paths) {
    const { size, mtimeMs } = await stat(join(folder, path));
    const stamp = `${size} ${mtimeMs}`;
    const old = known.get(path);
    files.push(old?.stamp === stamp ? old : { path, stamp, scan: await index(join(folder, path), size, mtimeMs) });
  }
  return files;
}

async function index(path: string, size: number, written_at: number): Promise<Indexed['scan']> {
  if (size > MAX_FILE_BYTES) return { unreadable: 'The file is larger than 50 MB.' };
  try {
    return readScanFile(basename(path), await readFile(path), written_at);
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

interface Readable {
  path: string;
  scan: ScanFile;
}

const readable = (files: readonly Indexed[], game: GameId): Readable[] =>
  files.flatMap(({ path, scan }) => ('unreadable' in scan || scan.game !== game ? [] : [{ path, scan }]));

const rowsOf = (scan: ScanFile, kingdom_id: number): Row[] =>
  scan.rows.filter((row) => row[GAMES[scan.game].roles.kingdom] === kingdom_id);

/** The newest file that holds the kingdom. Of two of the same moment the one whose names are whole, then by path. */
function newestOf(files: readonly Indexed[], game: GameId, kingdom_id: number): Readable | undefined {
  const { kingdom } = GAMES[game].roles;
  return readable(files, game)
    .filter(({ scan }) => scan.rows.some((row) => row[kingdom] === kingdom_id))
    .reduce<Readable | undefined>((best, file) => (best && !newer(file.scan, best.scan) ? best : file), undefined);
}

const newer = (one: ScanFile, other: ScanFile): boolean =>
  one.captured_at === other.captured_at ? one.utf8 && !other.utf8 : one.captured_at > other.captured_at;

/**
 * Rows with the highest power that the files know of each governor, where the file itself has none and the profile
 * was read: a filled highest power is the product's sign of a full row (specification, section 3).
 */
function withHighestPower(game: GameId, rows: readonly Row[], files: readonly Indexed[]): Row[] {
  const { id, power, highestPower } = GAMES[game].roles;
  const opened = GAMES[game].columns.filter((column) => column.profile && column.key !== highestPower);
  const wanted = new Set(rows.map((row) => row[id]));
  const seen = new Map<Row[string], number>();
  for (const { scan } of readable(files, game))
    for (const row of scan.rows)
      if (wanted.has(row[id])) {
        const value = Math.max(Number(row[power]), Number(row[highestPower] ?? 0), seen.get(row[id] ?? null) ?? 0);
        seen.set(row[id] ?? null, value);
      }
  return rows.map((row) => {
    // A highest power below the power is a misread one: the files' maximum stands in for it.
    const stated = Number(row[highestPower] ?? 0);
    if (stated > 0 && stated >= Number(row[power])) return row;
    const read = stated > 0 || opened.some(({ key }) => row[key] !== null && row[key] !== undefined);
    return read ? { ...row, [highestPower]: seen.get(row[id] ?? null) ?? null } : row;
  });
}

function describe(folder: string, files: readonly Indexed[]): string {
  const parts = GAME_IDS.flatMap((game) => {
    const { roles, kingdom } = GAMES[game];
    const kingdoms = new Set(readable(files, game).flatMap(({ scan }) => scan.rows.map((row) => row[roles.kingdom])));
    kingdoms.delete(null);
    const numbers = [...kingdoms].sort((a, b) => Number(a) - Number(b));
    if (numbers.length === 0) return [];
    const shown = `${numbers.slice(0, 8).join(', ')}${numbers.length > 8 ? ', …' : ''}`;
    return [`${numbers.length} ${numbers.length === 1 ? kingdom.one : kingdom.many} (${shown})`];
  });
  return `scan files in ${folder}: ${parts.join(' and ') || 'none that can be read'}`;
}
