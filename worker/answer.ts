import type { Context, TypedResponse } from 'hono';

/** The envelope of every successful answer. Data is plain JSON: no dates, no undefined. */
export const answer = <Data>(
  context: Context,
  data: Data,
): Response & TypedResponse<{ success: 1; data: Data }, 200, 'json'> =>
  // The annotation states what Hono would infer, which is too long a type to write into a declaration file.
  context.json({ success: 1, data }) as never;
