import { gunzipSync, gzipSync } from 'node:zlib';
import { type BoardOrder, served } from '../../../domain/boards/leaderboard.ts';
import type { BoardAnswer, BoardRow, KingdomRow } from '../../../domain/boards/rows.ts';
import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { type Locale, SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { knownPlacesOf } from '../../../domain/scans/text-order.ts';
import { currentManifest, nearestPart } from '../../gateways/board-cache.ts';
import type { BoardPart, BoardSet } from '../../gateways/board-store.ts';
import { withMemory } from '../../isolate/memory.ts';

/** Returns a stored part of a board, decompressed, or null if it does not exist. */
export async function boardRows(store: R2Bucket, set: BoardSet, part: BoardPart): Promise<BoardAnswer | null> {
  const bytes = await nearestPart(store, set, part);
  return bytes && (JSON.parse(gunzipSync(bytes).toString()) as { data: BoardAnswer }).data;
}

/** Returns an answer in the format of stored parts: the envelope, gzipped. */
export function packedAnswer(data: unknown): ArrayBuffer {
  const bytes = gzipSync(JSON.stringify({ success: 1, data }));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

/**
 * Returns a game's strongest kingdoms and their day from the published board, so that visitors do not make the database
 * rank kingdoms.
 */
export async function topKingdoms(
  store: R2Bucket,
  game: GameId,
  most: number,
): Promise<{ rows: KingdomRow[]; day: Day | null }> {
  const now = Date.now();
  const board = served((await currentManifest(store, now))[game], 'kingdom-power', now);
  const set = board && ({ game, board: 'kingdom-power', day: board.day, version: board.board.version } as const);
  const stored = set && (await boardRows(store, set, 'page-0'));
  return stored ? { rows: stored.rankings.slice(0, most) as KingdomRow[], day: set.day } : { rows: [], day: null };
}

/**
 * Returns the `page`th `count` rows of a board in another order than by rank, packed; null if the board is not stored.
 * The order is that of the web, and equal rows stay in the order of their ranks.
 */
export const packedSorted = (
  store: R2Bucket,
  set: BoardSet,
  { field, ascending, language, count, page }: BoardOrder & { count: number; page: number },
): Promise<ArrayBuffer | null> =>
  withMemory('sortedBoard', async () => {
    const data = await boardRows(store, set, 'all');
    if (!data) return null;
    const { rankings } = data;
    const order = orderOf(valuesOf(rankings, field, language), ascending).subarray(page * count, (page + 1) * count);
    return packedAnswer({ ...data, rankings: Array.from(order, (row) => rankings[row]) });
  });

/** Returns what a field sorts by: its figures, or the alphabetical ranks of its texts. NaN if unknown. */
function valuesOf(rows: readonly BoardRow[], field: string, language: Locale = SOURCE_LOCALE): Float64Array {
  const values = rows.map((row) => (row as unknown as Record<string, string | number | null | undefined>)[field]);
  if (typeof values[0] !== 'string') return Float64Array.from(values, (value) => Number(value ?? Number.NaN));
  const steps = knownPlacesOf(values.map(String), language);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
