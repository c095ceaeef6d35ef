import * as z from 'zod';

const MAX_KEY = 200;
const LENGTH = `must be 1 to ${MAX_KEY} characters.`;

/** Header of calls that must not take effect twice. A repeat under the same key gets the first answer. */
export const idempotent = z.object({
  'idempotency-key': z
    .string()
    .min(1, LENGTH)
    .max(MAX_KEY, LENGTH)
    .optional()
    .describe(
      'A key that you choose for this call. A repeat under the same key changes nothing and gets the first answer.',
    ),
});
