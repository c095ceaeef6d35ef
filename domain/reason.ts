import * as z from 'zod';

export const reason = z
  .string()
  .trim()
  .min(5, 'say why, in 5 characters or more.')
  .max(200)
  .describe('Why. It is written to the activity log.');
