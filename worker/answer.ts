import type { Context } from 'hono';

/** The envelope of every successful answer. */
export const answer = <Data>(context: Context, data: Data) => context.json({ success: 1 as const, data });
