import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type * as z from 'zod';
import { finderLine } from '../../../domain/boards/finder.ts';
import {
  BOARD_IDS,
  type BoardCounts,
  type BoardId,
  type BoardManifest,
  boardOf,
  type GameBoards,
  KEPT_DAYS,
  METRIC_IDS,
  type Metric,
  missingDays,
  nextPublication,
  noteScans,
  type PublishedBoard,
  type PublishedDay,
  ROWS_PER_PAGE,
  rebuildable,
  showWithout,
} from '../../../domain/boards/leaderboard.ts';
import { type Placement, placedRows, placementOf, type Ranked, rankedAt } from '../../../domain/boards/placing.ts';
import { kingdomRankings, Ranker, rankedColumns } from '../../../domain/boards/ranking.ts';
import { addRow, type BoardInfo, type Ranking, type Total } from '../../../domain/boards/rows.ts';
import { addDays, type Day, dayOf } from '../../../domain/days.ts';
import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { releasePiece, releaseTable } from '../../../domain/release.ts';
import { isFileTime } from '../../../domain/scans/file-time.ts';
import type { boardList } from '../../../domain/service/admin.ts';
import type { Db } from '../../db/open.ts';
import { type Packed, packed } from '../../files/gzip.ts';
import { forgetManifest } from '../../gateways/board-cache.ts';
import {
  type BoardPart,
  boardPart,
  changeManifest,
  dropBoard,
  type Pieces,
  putBoard,
  readBoardManifest,
} from '../../gateways/board-store.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import { BOARDS_TAG, purge } from '../../gateways/workers-cache.ts';
import { withMemory } from '../../isolate/memory.ts';
import { firstDay, kingdomRows, type RankedScan, rankedScans, scansSince } from '../../models/boards/board-rows.ts';
import { record } from '../../models/service/audit.ts';
import { runIsolated } from '../service/one-by-one.ts';

/** Number of scans requested ahead of the one being ranked, because R2 is slower than ranking. */
const AHEAD = 4;

interface DayBoards {
  counts: BoardCounts;
  captured_at: number;
  /** Kingdoms with a scan that has only the time of its file for a moment. */
  by_file_time: number[];
  rankings: Record<BoardId, Ranking>;
}

/** Ranks a game at the end of a day from the scans themselves. Returns null if there were no scans by then. */
async function rankDay(db: Db, store: R2Bucket, game: GameId, day: Day): Promise<DayBoards | null> {
  const scans = await rankedScans(db, game, day);
  const newest = scans[0];
  if (!newest) return null;
  const ranker = new Ranker(game);
  const last = new Map(scans.map(({ kingdom_id }, index) => [kingdom_id, index]));
  const columns = rankedColumns(game);
  const open = (scan: RankedScan) => openIfStored(store, scan.key);
  const ahead = scans.slice(0, AHEAD).map(open);
  for (const [index, scan] of scans.entries()) {
    const snapshot = await ahead.shift();
    const next = scans[index + AHEAD];
    if (next) ahead.push(open(next));
    ranker.begin(scan.kingdom_id);
    // Doubts come at the end of a scan, and few scans have any, so they are fetched only if present.
    const wanted = columns.filter((key) => key !== 'doubted' || snapshot?.filled.has(key));
    for await (const table of snapshot?.groups(wanted) ?? []) {
      ranker.add(table);
      releaseTable(table);
    }
    snapshot?.close();
    if (last.get(scan.kingdom_id) === index) ranker.end(scan.kingdom_id);
  }
  const { counts, boards } = ranker.finish();
  const rankings = { ...boards, ...kingdomRankings(await kingdomRows(db, game, day)) };
  const dated = scans.filter(({ source }) => isFileTime(source)).map(({ kingdom_id }) => kingdom_id);
  const by_file_time = [...new Set(dated)].sort((a, b) => a - b);
  return { counts, captured_at: newest.captured_at, by_file_time, rankings };
}

/** Returns the previous board's standings, for changes in rank and value. */
async function standingBefore(
  store: R2Bucket,
  game: GameId,
  boards: GameBoards,
  board: BoardId,
  day: Day,
): Promise<Placement> {
  const before = Object.keys(boards.days)
    .filter((other) => other < day)
    .sort()
    .at(-1);
  const published = before === undefined ? undefined : boards.days[before]?.boards[board];
  const bytes =
    before !== undefined &&
    published &&
    (await boardPart(store, { game, board, day: before, version: published.version }, 'ranks'));
  return bytes ? placementOf(JSON.parse(gunzipSync(bytes).toString()) as Ranked[]) : placementOf([]);
}

/** Boards are compressed once and sent often. */
const LEVEL = 6;
const ENCODER = new TextEncoder();
const packedText = (text: string): Packed => packed(ENCODER.encode(text), LEVEL);

const COMMA = ENCODER.encode(',');
const ANSWER = '{"success":1,"data":{"rankings":[';

/**
 * Returns a board's rows as JSON without brackets, a hundred per page; their sums; and a hash to which the end of the
 * answer is still to be added. Each page is compressed at once and shared by all parts that contain it, because a
 * board's pages take five times as much memory uncompressed.
 */
function pagesOf(board: BoardId, ranking: Ranking, before: Placement) {
  const pages: Packed[] = [];
  const nothing = (): Total => ({ sum: null, known: 0 });
  const sums: Record<Metric, Total> = { power: nothing(), score: nothing() };
  const hash = createHash('sha256').update(ANSWER);
  for (let from = 0; from === 0 || from < ranking.length; from += ROWS_PER_PAGE) {
    const rows = placedRows(board, ranking, from, from + ROWS_PER_PAGE, before);
    for (const row of rows) for (const metric of METRIC_IDS) addRow(sums[metric], row, metric);
    const page = ENCODER.encode(rows.map((row) => JSON.stringify(row)).join(','));
    if (from > 0) hash.update(COMMA);
    hash.update(page);
    pages.push(packed(page, LEVEL));
  }
  return { pages, sums, hash };
}

/** Rows of a piece without pages. Long ones compress better. */
const ROWS_PER_PIECE = 20 * ROWS_PER_PAGE;

/** Yields the texts of all rows of a ranking, compressed, between a head and a tail. */
function* packedRows(
  ranking: Ranking,
  textOf: (index: number) => string,
  { head = '', between = '', tail = '' } = {},
): Generator<Packed> {
  let text = head;
  for (let index = 0; index < ranking.length; index++) {
    text += `${index > 0 ? between : ''}${textOf(index)}`;
    if ((index + 1) % ROWS_PER_PIECE > 0) continue;
    yield packedText(text);
    text = '';
  }
  yield packedText(text + tail);
}

/** Yields the row keys in order with their values as JSON, from which the next day computes changes. */
const ranksOf = (board: BoardId, ranking: Ranking): Generator<Packed> =>
  packedRows(ranking, (index) => JSON.stringify(rankedAt(board, ranking, index)), {
    head: '[',
    between: ',',
    tail: ']',
  });

/** Yields a board's finder. */
const finderOf = (ranking: Ranking): Generator<Packed> =>
  packedRows(ranking, (index) => {
    const row = ranking.at(index);
    return row ? finderLine({ ...row, rank: index + 1 }) : '';
  });

/** Yields the parts of a board: whole, pages, and data for the next day. */
function* partsOf(
  board: BoardId,
  ranking: Ranking,
  pages: readonly Packed[],
  info: string,
): Generator<[BoardPart, Pieces]> {
  const [head, tail, comma] = [ANSWER, info, ','].map(packedText) as [Packed, Packed, Packed];
  const rows = pages.flatMap((page, index) => (index > 0 ? [comma, page] : [page]));
  for (const [index, page] of pages.entries()) yield [`page-${index}`, [head, page, tail]];
  yield ['all', [head, ...rows, tail]];
  // Only the list of kingdoms is ever requested without info.
  if (boardOf(board).kind === 'kingdom')
    yield ['list', [packedText('{"success":1,"data":['), ...rows, packedText(']}')]];
  yield ['ranks', ranksOf(board, ranking)];
  yield ['finder', finderOf(ranking)];
}

async function publishBoard(
  store: R2Bucket,
  boards: GameBoards,
  { game, board, day }: { game: GameId; board: BoardId; day: Day },
  ranking: Ranking,
  { captured_at, by_file_time }: DayBoards,
): Promise<PublishedBoard> {
  const { pages, sums, hash } = pagesOf(board, ranking, await standingBefore(store, game, boards, board, day));
  const { length: total } = ranking;
  const info: BoardInfo = {
    total,
    sums,
    day,
    captured_at,
    ...(by_file_time.length > 0 && { by_file_time }),
    next_publication: nextPublication(board, day),
  };
  const tail = `],"info":${JSON.stringify(info)}}}`;
  const version = hash.update(tail).digest('hex').slice(0, 16);
  const bytes = await putBoard(store, { game, board, day, version }, partsOf(board, ranking, pages, tail));
  for (const { bytes: page } of pages) releasePiece(page);
  return { version, total, bytes };
}

/**
 * Builds and publishes the boards of a game and day. The manifest refers to them only when all are stored, so a failed
 * build leaves the previous ones in place. Idempotent: the same scans give the same objects. Returns false if there
 * were no scans by then.
 */
export const publishDay = (db: Db, store: R2Bucket, game: GameId, day: Day, now: number): Promise<boolean> =>
  withMemory('boards', () => buildDay(db, store, game, day, now));

async function buildDay(db: Db, store: R2Bucket, game: GameId, day: Day, now: number): Promise<boolean> {
  const begun = Date.now();
  const ranked = await rankDay(db, store, game, day);
  if (!ranked) return false;
  const { manifest } = await readBoardManifest(store);
  const boards = {} as Record<BoardId, PublishedBoard>;
  for (const board of BOARD_IDS) {
    const ranking = ranked.rankings[board];
    boards[board] = await publishBoard(store, manifest[game], { game, board, day }, ranking, ranked);
    ranking.free?.();
  }
  const published: PublishedDay = {
    published_at: now,
    captured_at: ranked.captured_at,
    counts: ranked.counts,
    boards,
    finders: true,
    built_ms: Date.now() - begun,
  };
  await changeManifest(store, (latest) => {
    latest[game].days[day] = published;
    showWithout(latest[game], latest[game].hidden);
  });
  await purge([BOARDS_TAG]);
  return true;
}

/**
 * Rebuilds a day's boards for an admin and records it in the audit log. Visible here at once, everywhere within half a
 * minute.
 */
export async function publishDayAgain(
  db: Db,
  store: R2Bucket,
  { game, day, actor, address }: { game: GameId; day: Day; actor: string; address: string },
  now = Date.now(),
): Promise<PublishedDay | null> {
  if (!(await publishDay(db, store, game, day, now))) return null;
  const { manifest } = await readBoardManifest(store);
  const published = manifest[game].days[day] ?? null;
  const detail = { boards: published?.boards };
  await record(
    db,
    { userId: null, actor, action: 'boards.published', subject: `${game} ${day}`, detail, address },
    now,
  );
  forgetManifest();
  return published;
}

async function knowSince(db: Db, store: R2Bucket, manifest: BoardManifest): Promise<BoardManifest> {
  const unknown = GAME_IDS.filter((game) => manifest[game].since === null);
  const found = await Promise.all(unknown.map(async (game) => ({ game, since: await firstDay(db, game) })));
  const news = found.filter(({ since }) => since !== null);
  if (news.length === 0) return manifest;
  return changeManifest(store, (latest) => {
    for (const { game, since } of news) latest[game].since = since;
  });
}

/** Checks for scans stored since the last check, and marks published days with late scans for rebuilding. */
async function followScans(db: Db, store: R2Bucket, manifest: BoardManifest): Promise<BoardManifest> {
  const seen = await Promise.all(
    GAME_IDS.map(async (game) => ({ game, ...(await scansSince(db, game, manifest[game].followed)) })),
  );
  if (seen.every(({ game, last }) => manifest[game].followed === last)) return manifest;
  return changeManifest(store, (latest) => {
    for (const { game, days, last } of seen) noteScans(latest[game], days, last);
  });
}

async function dropOldDays(store: R2Bucket, manifest: BoardManifest, now: number): Promise<void> {
  const oldest = addDays(dayOf(now), -KEPT_DAYS);
  for (const game of GAME_IDS) {
    const old = Object.keys(manifest[game].days).filter((day) => day < oldest);
    if (old.length === 0) continue;
    // Removed from the manifest first, so that everything in the manifest always exists.
    await changeManifest(store, (latest) => {
      for (const day of old) delete latest[game].days[day];
    });
    for (const day of old) for (const board of BOARD_IDS) await dropBoard(store, game, board, day);
  }
}

/**
 * Publishes, oldest first, every past day without boards or with late scans: yesterday and any that an outage skipped.
 * May be called at any time. Starts no new day after `until` (epoch ms).
 */
export async function publishDueBoards(db: Db, store: R2Bucket, now: number, until = Infinity): Promise<Day[]> {
  const known = await knowSince(db, store, (await readBoardManifest(store)).manifest);
  const manifest = await followScans(db, store, known);
  await runIsolated(db, { job: 'boards', subject: 'old days' }, () => dropOldDays(store, manifest, now), now);
  const done: Day[] = [];
  for (const game of GAME_IDS)
    for (const day of missingDays(manifest[game], now)) {
      if (Date.now() > until) return done;
      const publish = async () => {
        if (await publishDay(db, store, game, day, now)) done.push(day);
      };
      await runIsolated(db, { job: 'boards', subject: `${game} ${day}` }, publish, now);
    }
  return done;
}

/** Returns the boards that are published, and the days that the night has still to build. */
export async function listBoards(store: R2Bucket, now = Date.now()): Promise<z.infer<typeof boardList>> {
  const { manifest } = await readBoardManifest(store);
  const days = GAME_IDS.flatMap((game) =>
    Object.entries(manifest[game].days).map(([day, published]) => ({ game, day, ...published })),
  );
  return {
    rebuildable: rebuildable(now),
    days: days.sort((one, other) => (one.day < other.day ? 1 : one.day > other.day ? -1 : 0)),
    missing: GAME_IDS.flatMap((game) => missingDays(manifest[game], now).map((day) => ({ game, day }))),
  };
}
