import * as z from 'zod';

/** What answers of every noun have. */

/** Where a list goes on: the `before` of the page after it, or null on the last one. */
export const next = z.number().nullable();
/** A change that has nothing to say. */
export const done = z.object({});
/** A sentence for the one who called. */
export const message = z.object({ message: z.string() });
