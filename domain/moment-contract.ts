import * as z from 'zod';
import { momentOf } from './moments.ts';

/** Moments in payloads and queries: up to 2100, in epoch milliseconds. */

const MAX_MOMENT = Date.UTC(2100, 0, 1);

export const epoch = z
  .number()
  .int()
  .min(0, 'must be in 1970 or later')
  .max(MAX_MOMENT, 'must be before the year 2100');

/** Said where something is no moment. */
export const MOMENT_FORMS = 'must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z';

function toMoment(value: number | string, context: z.RefinementCtx): number {
  const at = typeof value === 'number' || /^\d{1,15}$/.test(value) ? Number(value) : momentOf(value);
  if (at !== null && Number.isInteger(at) && at >= 0 && at <= MAX_MOMENT) return at;
  context.addIssue({ code: 'custom', message: MOMENT_FORMS });
  return z.NEVER;
}

/** A moment in an address: epoch milliseconds or ISO. */
export const writtenMoment = z.string().transform(toMoment);

/** A moment as people and scripts write it: epoch milliseconds, as a number too, or an ISO time. */
export const anyMoment = z.union([z.number(), z.string()], MOMENT_FORMS).transform(toMoment);
