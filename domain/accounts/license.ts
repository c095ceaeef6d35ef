import * as z from 'zod';

/** Answer of the licences page: what an account may see, and until when. */
export const licensesAnswer = z.object({
  licenses: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      text: z.string().describe('What it gives access to, in a sentence.'),
      held: z.boolean().describe('False if the account does not have it (yet).'),
      until: z.number().nullable().describe('Epoch milliseconds; null if it does not end.'),
      limits: z
        .array(z.object({ name: z.string(), limit: z.number(), used: z.number().nullable(), per: z.string() }))
        .describe('The limits that apply and how much of each is used; empty if there are none.'),
    }),
  ),
});
export type LicensesAnswer = z.infer<typeof licensesAnswer>;
