import * as z from 'zod';

const MAX_KEY = 200;
const LENGTH = `must be 1 to ${MAX_KEY} characters.`;

/** The header of calls that must not happen twice: a repeat under the same key gets what the first one made. */
export const idempotent = z.object({
  'idempotency-key': z
    .string()
    .min(1, LENGTH)
    .max(MAX_KEY, LENGTH)
    .optional()
    .describe('Your own name for this call. A repeat under the same name changes nothing and gets the first answer.'),
});
