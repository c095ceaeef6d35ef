import * as z from 'zod';
import { momentOf } from './moments.ts';

/** Times in payloads and queries: epoch milliseconds up to the year 2100. */

const MAX_MOMENT = Date.UTC(2100, 0, 1);

export const epoch = z
  .number()
  .int()
  .min(0, 'must be in 1970 or later')
  .max(MAX_MOMENT, 'must be before the year 2100');

/** Error message for an invalid time. */
export const MOMENT_FORMS = 'must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z';

function toMoment(value: number | string, context: z.RefinementCtx): number {
  const at = typeof value === 'number' || /^\d{1,15}$/.test(value) ? Number(value) : momentOf(value);
  if (at !== null && Number.isInteger(at) && at >= 0 && at <= MAX_MOMENT) return at;
  context.addIssue({ code: 'custom', message: MOMENT_FORMS });
  return z.NEVER;
}

/** A time in an address: epoch milliseconds or ISO. */
export const writtenMoment = z.string().transform(toMoment);

/** A time from people or scripts: epoch milliseconds, also as a number, or ISO. */
export const anyMoment = z.union([z.number(), z.string()], MOMENT_FORMS).transform(toMoment);

/** A day (UTC) in a query, if it names one. */
export const day = z.iso.date('must be a day, such as 2026-11-21.').optional();
