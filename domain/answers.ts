import * as z from 'zod';

/** Parts that many answers share. */

/** The `before` of a list's next page; null on the last page. */
export const next = z.number().nullable();
/** Answer to a change that returns nothing. */
export const done = z.object({});
/** A sentence for the caller. */
export const message = z.object({ message: z.string() });
