import { createHash } from 'node:crypto';
import {
  type BoardId,
  type GameBoards,
  METRIC_IDS,
  type Metric,
  ROWS_PER_PAGE,
} from '../../../domain/boards/leaderboard.ts';
import { HIDDEN_ID } from '../../../domain/boards/profile.ts';
import { type BoardRow, keyOfRow, metricIn, type RowDay } from '../../../domain/boards/rows.ts';
import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { nearestPart } from '../../gateways/board-cache.ts';
import type { BoardPart, BoardSet } from '../../gateways/board-store.ts';
import { boardRows, packedAnswer } from './board-rows.ts';

/**
 * Number of pages requested ahead, because most rows stay on their page. Cloudflare allows six simultaneous
 * connections.
 */
const AHEAD = 6;

interface Walk {
  store: R2Bucket;
  boards: GameBoards;
  game: GameId;
  board: BoardId;
  /** Newest first. The first is the day of the board on which the row is looked up. */
  days: readonly Day[];
}

/**
 * Returns the row at a place on the first day, and the same row on earlier days, newest first. Each row says which
 * place it came from, so a day needs one page of its board. Ends when the row was not on the board.
 */
async function rowDays(walk: Walk, place: number): Promise<RowDay[]> {
  const found: RowDay[] = [];
  let next: number | null = place;
  let key: string | number | undefined;
  for (const [index, day] of walk.days.entries()) {
    if (index % AHEAD === 0) await warm(walk, walk.days.slice(index, index + AHEAD), next);
    const row = await rowOn(walk, day, next, key);
    if (!row) break;
    key ??= keyOn(row);
    found.push(rowDayOf(day, row));
    if (row.moved === null) break;
    next = row.rank + row.moved;
  }
  return found;
}

/** Returns the days oldest first, in the format of stored parts. */
export const packedRowDays = async (walk: Walk, place: number): Promise<ArrayBuffer> =>
  packedAnswer({ days: (await rowDays(walk, place)).reverse() });

/**
 * Returns the name of a row's history. It changes with every board that the history shows, because a late scan may
 * change only those of earlier days.
 */
export function rowDaysName({ boards, board, days }: Walk, place: number): string {
  const versions = days.map((day) => boards.days[day]?.boards[board]?.version).join();
  return `row-${place}-${createHash('sha256').update(versions).digest('hex').slice(0, 16)}`;
}

const pageOf = (place: number): BoardPart => `page-${Math.floor((place - 1) / ROWS_PER_PAGE)}`;

function setOf({ boards, game, board }: Walk, day: Day): BoardSet | null {
  const version = boards.days[day]?.boards[board]?.version;
  return version === undefined ? null : { game, board, day, version };
}

async function warm(walk: Walk, days: readonly Day[], place: number): Promise<void> {
  await Promise.all(
    days.map(async (day) => {
      const set = setOf(walk, day);
      if (set) await nearestPart(walk.store, set, pageOf(place));
    }),
  );
}

/** Returns a row's key on all days. Governors who asked not to be shown have only their place. */
const keyOn = (row: BoardRow): string | number | undefined =>
  'governor_id' in row && row.governor_id === HIDDEN_ID ? undefined : keyOfRow(row);

/**
 * Finds the row with this key on the page of a place, or the row at the place if no key is given. On a rebuilt board
 * the place may differ slightly.
 */
async function rowOn(
  walk: Walk,
  day: Day,
  place: number,
  key: string | number | undefined,
): Promise<BoardRow | undefined> {
  const set = setOf(walk, day);
  const rows = set && (await boardRows(walk.store, set, pageOf(place)))?.rankings;
  return rows?.find((row) => (key === undefined ? row.rank === place : keyOfRow(row) === key));
}

function rowDayOf(day: Day, row: BoardRow): RowDay {
  const figures = Object.fromEntries(METRIC_IDS.map((metric) => [metric, metricIn(row, metric)])) as Record<
    Metric,
    number | null
  >;
  return { day, rank: row.rank, ...figures, count: countOf(row) };
}

/** Returns the number of governors behind a row. */
function countOf(row: BoardRow): number | null {
  if ('player_count' in row) return row.player_count;
  return 'member_count' in row ? row.member_count : null;
}
