import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';
import { type FileReport, MAX_REPORTED_PROBLEMS } from '../../domain/scans/file-report.ts';
import type { FileScan } from '../../domain/scans/reading.ts';
import { cellOf, presentColumns, type Row } from '../../domain/scans/rows.ts';
import { kingdomIn } from '../../scan-files/file-name.ts';
import { type FileReading, readScanFile, SCAN_FILE } from '../../scan-files/read.ts';
import { type Source, titleOf } from './source.ts';

/** A file of the folder: what is needed to see that it changed, and its scans or why it has none. */
interface Indexed {
  path: string;
  stamp: string;
  /** Epoch milliseconds at which it was written: the moment of last resort. */
  written_at: number;
  content: FileReading | { unreadable: string };
}

export interface ScanFolder extends Source {
  /** What was taken of each file and what was not, by path. */
  reports(): FileReport[];
}

export interface FolderOptions {
  now?: () => number;
  /** Is told what was taken of a file that is new or has changed. */
  onFile?: (report: FileReport) => void;
}

/** How long a listing of the folder is believed before new files are looked for, in milliseconds. */
const LISTING_LIFE = 5000;

/** A folder of scan files (with its folders) as a source. A kingdom's newest file wins; files may come and go. */
export async function scanFolder(folder: string, options: FolderOptions = {}): Promise<ScanFolder> {
  const { now = Date.now, onFile = () => undefined } = options;
  let files = await list(folder, [], onFile);
  let listed = now();
  const refresh = async () => {
    if (now() - listed < LISTING_LIFE) return;
    listed = now();
    files = await list(folder, files, onFile);
  };
  return {
    name: 'scan folder',
    describe: () => describe(folder, files),
    reports: () => files.map(reportOf),
    async scan(game, kingdom_id) {
      await refresh();
      const newest = newestOf(files, game, kingdom_id);
      if (!newest) return { unknown: whyNone(files, game, kingdom_id) };
      const { path, scan, captured_at } = newest;
      return { captured_at, source: basename(path).slice(0, 200), rows: rowsOf(scan) };
    },
  };
}

/** The files of the folder by path; what did not change since the last listing is not read again. */
async function list(
  folder: string,
  before: readonly Indexed[],
  onFile: (report: FileReport) => void,
): Promise<Indexed[]> {
  const known = new Map(before.map((file) => [file.path, file]));
  const paths = (await readdir(folder, { recursive: true })).filter((path) => SCAN_FILE.test(path)).sort();
  const files: Indexed[] = [];
  for (const path of paths) {
    const { size, mtimeMs } = await stat(join(folder, path));
    const stamp = `${size} ${mtimeMs}`;
    const old = known.get(path);
    if (old?.stamp === stamp) files.push(old);
    else {
      const file = { path, stamp, written_at: Math.floor(mtimeMs), content: await read(join(folder, path)) };
      files.push(file);
      onFile(reportOf(file));
    }
  }
  return files;
}

async function read(path: string): Promise<Indexed['content']> {
  try {
    return await readScanFile(basename(path), await readFile(path), { maxScans: Number.POSITIVE_INFINITY });
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

interface Readable {
  path: string;
  utf8: boolean;
  scan: FileScan;
  /** From the file or its name, else when it was written. */
  captured_at: number;
}

/** Sums over days are no snapshot, and of moments side by side nobody says when they were. */
const WITHOUT_MOMENT = 'Its figures are of no single moment, so bots cannot deliver them.';

const isOfNoMoment = ({ range, scans }: FileReading): boolean =>
  range !== null || scans.some(({ stage, captured_at }) => stage !== null && captured_at === null);

const readable = (files: readonly Indexed[], game: GameId): Readable[] =>
  files.flatMap(({ path, written_at, content }) => {
    if ('unreadable' in content || content.game !== game || isOfNoMoment(content)) return [];
    const { scans, utf8 } = content;
    return scans.map((scan) => ({ path, utf8, scan, captured_at: scan.captured_at ?? written_at }));
  });

function rowsOf({ table }: FileScan): Row[] {
  const columns = presentColumns(table);
  const row = (_: unknown, at: number): Row =>
    Object.fromEntries(columns.map((column) => [column.key, cellOf(table, column, at)]));
  return Array.from({ length: table.count }, row);
}

/** The newest scan of the kingdom. Of two of the same moment the one whose names are whole, then by path. */
function newestOf(files: readonly Indexed[], game: GameId, kingdom_id: number): Readable | undefined {
  return readable(files, game)
    .filter(({ scan }) => scan.kingdom_id === kingdom_id)
    .reduce<Readable | undefined>((best, file) => (best && !newer(file, best) ? best : file), undefined);
}

const newer = (one: Readable, other: Readable): boolean =>
  one.captured_at === other.captured_at ? one.utf8 && !other.utf8 : one.captured_at > other.captured_at;

/** Why there is no scan of a kingdom, as a sentence for the customer who asked for it. */
function whyNone(files: readonly Indexed[], game: GameId, kingdom_id: number): string {
  const title = titleOf(game, kingdom_id);
  const own = files
    .map((file) => ({ ...reportOf(file), path: file.path }))
    .find(({ path, refused }) => refused !== null && kingdomIn(basename(path)) === kingdom_id);
  if (own) return `${title}: its file could not be read. ${own.refused}`;
  return `${title} is not among the scans of this bot.`;
}

function reportOf({ path, written_at, content }: Indexed): FileReport {
  const nothing = {
    path: path.slice(-300),
    dialect: null,
    game: null,
    kingdoms: [],
    captured_at: null,
    rows: 0,
    dropped: 0,
    unknown_headers: [],
    problems: [],
    problem_count: 0,
  };
  if ('unreadable' in content) return { ...nothing, refused: content.unreadable.slice(0, 500) };
  const { dialect, game, scans, lines, unknown_headers, problems, problem_count } = content;
  const kingdoms = new Set(scans.flatMap(({ kingdom_id }) => kingdom_id ?? []));
  const own = {
    ...nothing,
    refused: null,
    dialect,
    game,
    kingdoms: [...kingdoms].sort((a, b) => a - b).slice(0, 200),
    captured_at: Math.max(...scans.map(({ captured_at }) => captured_at ?? written_at)),
    rows: lines.kept,
    dropped: lines.dropped,
    unknown_headers: unknown_headers.slice(0, 100),
    problems: problems
      .slice(0, MAX_REPORTED_PROBLEMS)
      .map(({ line, column, reason, dropped }) => ({ line, column, reason: reason.slice(0, 500), dropped })),
    problem_count,
  };
  if (isOfNoMoment(content)) return { ...own, refused: WITHOUT_MOMENT, rows: 0, captured_at: null };
  if (scans.length === 0) return { ...own, refused: 'None of its lines could be taken.', captured_at: null };
  return own;
}

function describe(folder: string, files: readonly Indexed[]): string {
  const parts = GAME_IDS.flatMap((game) => {
    const { kingdom } = GAMES[game];
    const kingdoms = new Set(readable(files, game).flatMap(({ scan }) => scan.kingdom_id ?? []));
    const numbers = [...kingdoms].sort((a, b) => a - b);
    if (numbers.length === 0) return [];
    const shown = `${numbers.slice(0, 8).join(', ')}${numbers.length > 8 ? ', …' : ''}`;
    return [`${numbers.length} ${numbers.length === 1 ? kingdom.one : kingdom.many} (${shown})`];
  });
  return `scan files in ${folder}: ${parts.join(' and ') || 'none that can be read'}`;
}
