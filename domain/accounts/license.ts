import * as z from 'zod';

/** What an account may see, and until when: the page of licences. */
export const licensesAnswer = z.object({
  licenses: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      text: z.string().describe('What it opens, in a sentence.'),
      held: z.boolean().describe('False where the account does not have it (yet).'),
      until: z.number().nullable().describe('Epoch milliseconds; null: without an end.'),
      limits: z
        .array(z.object({ name: z.string(), limit: z.number(), used: z.number().nullable(), per: z.string() }))
        .describe('What is counted and how many of it there are, where something is.'),
    }),
  ),
});
export type LicensesAnswer = z.infer<typeof licensesAnswer>;
