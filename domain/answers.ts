import * as z from 'zod';

/** Parts that many answers share. */

/** A time in epoch milliseconds. */
export const moment = z.number();
/** A number of things. */
export const count = z.int().min(0);
/** A figure of a governor, an alliance or a kingdom; null if unknown. */
export const figure = z.number().nullable();

/** The `before` of a list's next page; null on the last page. */
export const next = z.number().nullable();
/** Answer to a change that returns nothing. */
export const done = z.object({});
/** A sentence for the caller. */
export const message = z.object({ message: z.string() });
