import type { BoardOrder } from '../../../domain/boards/leaderboard.ts';
import type { BoardRow } from '../../../domain/boards/rows.ts';
import { SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { knownPlacesOf } from '../../../domain/scans/text-order.ts';
import type { BoardSet } from '../../gateways/board-store.ts';
import { withMemory } from '../../isolate/memory.ts';
import { boardRows, packedAnswer } from './board-rows.ts';

/**
 * Rows of a board in another order than by rank, as the web sorts them. Equal rows stay in the order of their ranks.
 */

/** Returns the `page`th `count` rows of a board in an order, packed; null if the board is not stored. */
export const packedSorted = (
  store: R2Bucket,
  set: BoardSet,
  { field, ascending, count, page }: BoardOrder & { count: number; page: number },
): Promise<ArrayBuffer | null> =>
  withMemory('sortedBoard', async () => {
    const data = await boardRows(store, set, 'all');
    if (!data) return null;
    const { rankings } = data;
    const order = orderOf(valuesOf(rankings, field), ascending).subarray(page * count, (page + 1) * count);
    return packedAnswer({ ...data, rankings: Array.from(order, (row) => rankings[row]) });
  });

/** Returns what a field sorts by: its figures, or the alphabetical ranks of its texts. NaN if unknown. */
function valuesOf(rows: readonly BoardRow[], field: string): Float64Array {
  const values = rows.map((row) => (row as unknown as Record<string, string | number | null | undefined>)[field]);
  if (typeof values[0] !== 'string') return Float64Array.from(values, (value) => Number(value ?? Number.NaN));
  const steps = knownPlacesOf(values.map(String), SOURCE_LOCALE);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
