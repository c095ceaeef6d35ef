import type { Context, TypedResponse } from 'hono';
import type * as z from 'zod';

/** The data type that a route declares with `answers(schema)`, or `Else` if it declares none. */
type Promised<Variables, Else> = 'answers' extends keyof Variables
  ? z.output<Extract<Variables['answers'], z.ZodType>>
  : Else;

/** Wraps data in the envelope of a successful response. Data is plain JSON: no dates, no undefined. */
export const answer = <Variables, Data extends Promised<Variables, unknown>>(
  context: { readonly var: Variables } & Pick<Context, 'json'>,
  data: Data,
): Response & TypedResponse<{ success: 1; data: Promised<Variables, Data> }, 200, 'json'> =>
  // This annotation states what Hono would infer; the inferred type is too long for a declaration file.
  context.json({ success: 1, data }) as never;

/** Types a response whose JSON text already exists, envelope included, for the typed client. */
export const typed = <Schema extends z.ZodType>(_: Schema, response: Response) =>
  response as Response & TypedResponse<{ success: 1; data: z.output<Schema> }, 200, 'json'>;
