import * as z from 'zod';

/** Fields of admins' acts. */

export const reason = z
  .string()
  .trim()
  .min(5, 'say why, in 5 characters or more.')
  .max(200)
  .describe('Why. It is written to the activity log.');

export const code = z.string().max(80).optional().describe("A code of the admin's second factor, if there is one.");

/** Body of acts that cannot be undone. */
export const proof = z.strictObject({ code });
