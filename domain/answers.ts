import * as z from 'zod';

/** Parts that many calls and their answers share. */

/** A time in epoch milliseconds. */
export const moment = z.number();
/** A number of things. */
export const count = z.int().min(0);
/** A figure of a governor, an alliance or a kingdom; null if unknown. */
export const figure = z.number().nullable();

/** A row's id. */
export const rowId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** Continues a list below that row. */
export const pageQuery = z.object({ before: rowId.optional() });
/** The `before` of a list's next page; null on the last page. */
export const next = z.number().nullable();
/** Returns the `next` of a page; null if it has less than `most` rows and is the last one. */
export const nextOf = <Row>(page: readonly Row[], most: number, idOf: (row: Row) => number): number | null =>
  page.length === most ? idOf(page[most - 1] as Row) : null;
/** Answer to a change that returns nothing. */
export const done = z.object({});
/** A sentence for the caller. */
export const message = z.object({ message: z.string() });
