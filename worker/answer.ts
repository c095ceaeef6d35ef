import type { Context, TypedResponse } from 'hono';
import type * as z from 'zod';

/** The data that a route has promised by `answers(schema)`, or `Else` where it has promised none. */
type Promised<Variables, Else> = 'answers' extends keyof Variables
  ? z.output<Extract<Variables['answers'], z.ZodType>>
  : Else;

/** The envelope of every successful answer. Data is plain JSON: no dates, no undefined. */
export const answer = <Variables, Data extends Promised<Variables, unknown>>(
  context: { readonly var: Variables } & Pick<Context, 'json'>,
  data: Data,
): Response & TypedResponse<{ success: 1; data: Promised<Variables, Data> }, 200, 'json'> =>
  // The annotation states what Hono would infer, which is too long a type to write into a declaration file.
  context.json({ success: 1, data }) as never;

/** Says to the typed client what an answer holds whose text was made elsewhere, in the envelope. */
export const typed = <Schema extends z.ZodType>(_: Schema, response: Response) =>
  response as Response & TypedResponse<{ success: 1; data: z.output<Schema> }, 200, 'json'>;
