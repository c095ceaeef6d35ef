import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MAX_BOT_KINGDOMS } from '../../domain/fleet/contract.ts';
import { GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';
import { say } from '../../domain/language/text.ts';
import { type FileReport, MAX_REPORTED_PROBLEMS } from '../../domain/scans/file-report.ts';
import type { FileScan } from '../../domain/scans/file-scan.ts';
import { sourceByFileTime } from '../../domain/scans/file-time.ts';
import { cellOf, presentColumns, type Row } from '../../domain/scans/rows.ts';
import { twinsIn } from '../../domain/scans/twins.ts';
import { kingdomIn } from '../../scan-files/file-name.ts';
import { type FileReading, readScanFile, SCAN_FILE } from '../../scan-files/read.ts';
import { kingdomTitle, type Source } from './source.ts';

/** A file in the folder: its scans, or why it has none. */
interface Indexed {
  path: string;
  /** Size and time of the content that was read; empty if none was. */
  stamp: string;
  /** When it was written, in epoch milliseconds: the fallback for the scan's time. */
  written_at: number;
  content: FileReading | { unreadable: string };
  /** A newer state of the file, which is read once it stays unchanged for a while. */
  settling: { stamp: string; since: number } | null;
}

interface ScanFolder extends Source {
  /** Reports what was read from each file, by path. */
  reports(): FileReport[];
}

export interface FolderOptions {
  now?: () => number;
  /** How long a file must stay unchanged before it is read, in ms. */
  settleMs?: number;
  /** Called with the report of each new or changed file. */
  onFile?: (report: FileReport) => void;
  /** Called with a sentence if the folder cannot be read. */
  onTrouble?: (text: string) => void;
}

/** A scanner that writes row by row takes up to half a minute per row. */
export const SETTLE_MS = 60_000;

/** How long a listing of the folder is reused, in ms. */
const LISTING_LIFE = 2000;

/**
 * Serves the scan files of a folder and its subfolders. A kingdom's newest file wins. Files may come and go. A changed
 * file keeps its old content until the new one has settled.
 */
export async function scanFolder(folder: string, options: FolderOptions = {}): Promise<ScanFolder> {
  const { now = Date.now, onTrouble = () => undefined } = options;
  let files = await list(folder, null, options);
  let listed = now();
  let running: Promise<void> | null = null;
  const listAgain = async () => {
    try {
      files = await list(folder, files, options);
    } catch (error) {
      // Earlier content remains valid.
      onTrouble(
        `The folder ${folder} cannot be read (${(error as Error).message}). Check that it is there and mounted.`,
      );
    }
    listed = now();
    running = null;
  };
  // Overlapping calls share one listing, so that each new file is read once.
  const refresh = async () => {
    if (!running && now() - listed < LISTING_LIFE) return;
    running ??= listAgain();
    await running;
  };
  return {
    name: 'scan folder',
    describe: () => describe(folder, files),
    reports: () => files.map(reportOf),
    async canScan() {
      await refresh();
      return Object.fromEntries(
        GAME_IDS.map((game) => {
          const numbers = kingdomsOf(files, game);
          return [game, numbers.length > MAX_BOT_KINGDOMS ? 'all' : numbers];
        }),
      );
    },
    async scan(game, kingdom_id) {
      await refresh();
      const newest = newestOf(files, game, kingdom_id);
      if (!newest) return { unknown: whyNone(files, game, kingdom_id) };
      const { path, scan, captured_at } = newest;
      const name = basename(path).slice(0, 200);
      return { captured_at, source: scan.captured_at === null ? sourceByFileTime(name) : name, rows: rowsOf(scan) };
    },
  };
}

/** Lists the folder's files by path. Unchanged files are not read again, and new ones only once they have settled. */
async function list(
  folder: string,
  before: readonly Indexed[] | null,
  { now = Date.now, settleMs = SETTLE_MS, onFile = () => undefined, onTrouble = () => undefined }: FolderOptions,
): Promise<Indexed[]> {
  const known = new Map(before?.map((file) => [file.path, file]));
  const paths = (await readdir(folder, { recursive: true })).filter((path) => SCAN_FILE.test(path)).sort();
  const files: Indexed[] = [];
  for (const path of paths) {
    const place = join(folder, path);
    const state = await stateOf(place);
    if (!state) continue;
    const old = known.get(path) ?? null;
    if (old?.stamp === state.stamp) files.push({ ...old, settling: null });
    else {
      // On the first listing, the file's own time shows how long it has been unchanged.
      const since = before ? now() : Math.min(now(), state.written_at);
      const settling = old?.settling?.stamp === state.stamp ? old.settling : { stamp: state.stamp, since };
      const read = now() - settling.since >= settleMs ? await readSettled(place, state.stamp, onTrouble) : null;
      const file: Indexed = read
        ? { path, ...state, content: read, settling: null }
        : { ...(old ?? { path, stamp: '', written_at: state.written_at, content: unsettled(settleMs) }), settling };
      files.push(file);
      if (read || !old) onFile(reportOf(file));
    }
  }
  return files;
}

const unsettled = (settleMs: number) => ({
  unreadable: `It is being written. It is read once it has stayed the same for ${Math.ceil(settleMs / 1000)} seconds.`,
});

/** Returns null if the file is gone. */
async function stateOf(place: string): Promise<{ stamp: string; written_at: number } | null> {
  try {
    const { size, mtimeMs } = await stat(place);
    return { stamp: `${size} ${mtimeMs}`, written_at: Math.floor(mtimeMs) };
  } catch {
    return null;
  }
}

/** Returns null if the file changed while it was read or cannot be opened; the next listing tries again. */
async function readSettled(
  place: string,
  stamp: string,
  onTrouble: (text: string) => void,
): Promise<Indexed['content'] | null> {
  try {
    const bytes = await readFile(place);
    if ((await stateOf(place))?.stamp !== stamp) return null;
    return await readScanFile(basename(place), bytes, { maxScans: Number.POSITIVE_INFINITY });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) return { unreadable: message };
    onTrouble(`${place} cannot be opened (${code}). Close it in other programs, and let the agent's user read it.`);
    return null;
  }
}

interface Readable {
  path: string;
  utf8: boolean;
  scan: FileScan;
  /** From the file or its name, else when it was written. */
  captured_at: number;
}

/** True for sums over days, which are not a snapshot, and for stages without times. */
const WITHOUT_MOMENT = 'Its figures are of no single moment, so bots cannot deliver them.';

const isOfNoMoment = ({ range, scans }: FileReading): boolean =>
  range !== null || scans.some(({ stage, captured_at }) => stage !== null && captured_at === null);

/** Returns why bots do not deliver a file's content, or null if they do. */
function whyNotDelivered(content: FileReading): string | null {
  if (content.cut) return `${content.cut} Rows may be missing: copy or save the file again.`;
  if (isOfNoMoment(content)) return WITHOUT_MOMENT;
  const twins = twinsIn(content.game, content.scans, ({ captured_at }) => captured_at);
  if (twins) return say(twins.sentence);
  return content.scans.length === 0 ? 'None of its lines could be taken.' : null;
}

const readable = (files: readonly Indexed[], game: GameId): Readable[] =>
  files.flatMap(({ path, written_at, content }) => {
    if ('unreadable' in content || content.game !== game || whyNotDelivered(content) !== null) return [];
    const { scans, utf8 } = content;
    return scans.map((scan) => ({ path, utf8, scan, captured_at: scan.captured_at ?? written_at }));
  });

function rowsOf({ table }: FileScan): Row[] {
  const columns = presentColumns(table);
  const row = (_: unknown, at: number): Row =>
    Object.fromEntries(columns.map((column) => [column.key, cellOf(table, column, at)]));
  return Array.from({ length: table.count }, row);
}

/**
 * Returns the newest scan of a kingdom. Of two with the same time, it prefers the one with undamaged names, then the
 * first path.
 */
function newestOf(files: readonly Indexed[], game: GameId, kingdom_id: number): Readable | undefined {
  return readable(files, game)
    .filter(({ scan }) => scan.kingdom_id === kingdom_id)
    .reduce<Readable | undefined>((best, file) => (best && !newer(file, best) ? best : file), undefined);
}

const newer = (one: Readable, other: Readable): boolean =>
  one.captured_at === other.captured_at ? one.utf8 && !other.utf8 : one.captured_at > other.captured_at;

/** Returns a game's kingdoms in the files, ascending. */
const kingdomsOf = (files: readonly Indexed[], game: GameId): number[] =>
  [...new Set(readable(files, game).flatMap(({ scan }) => scan.kingdom_id ?? []))].sort((a, b) => a - b);

/** Tells the customer why there is no scan of a kingdom. */
function whyNone(files: readonly Indexed[], game: GameId, kingdom_id: number): string {
  const title = kingdomTitle(game, kingdom_id);
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
  const refused = whyNotDelivered(content);
  return refused === null ? own : { ...own, refused, rows: 0, captured_at: null };
}

function describe(folder: string, files: readonly Indexed[]): string {
  const parts = GAME_IDS.flatMap((game) => {
    const { kingdom } = GAMES[game];
    const numbers = kingdomsOf(files, game);
    if (numbers.length === 0) return [];
    const shown = `${numbers.slice(0, 8).join(', ')}${numbers.length > 8 ? ', …' : ''}`;
    return [`${numbers.length} ${numbers.length === 1 ? kingdom.one : kingdom.many} (${shown})`];
  });
  return `scan files in ${folder}: ${parts.join(' and ') || 'none that can be read'}`;
}
