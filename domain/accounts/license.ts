import * as z from 'zod';

/** What an account may see, and until when: the page of licences. */
export const licensesAnswer = z.object({
  licenses: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** What it opens, in a sentence. */
      text: z.string(),
      /** False where the account does not have it (yet). */
      held: z.boolean(),
      /** Epoch milliseconds; null: without an end. */
      until: z.number().nullable(),
      /** What is counted and how many of it there are, where something is. */
      limits: z.array(z.object({ name: z.string(), limit: z.number(), used: z.number().nullable(), per: z.string() })),
    }),
  ),
});
export type LicensesAnswer = z.infer<typeof licensesAnswer>;
