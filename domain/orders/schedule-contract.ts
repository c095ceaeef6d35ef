import * as z from 'zod';
import { exact } from '../figures.ts';
import { momentOf } from '../moments.ts';
import { MAX_INTERVAL, PERIODS } from './periods.ts';

/**
 * Payloads about standing orders. They are separate from schedule.ts so that pages can import its texts without zod.
 */

/** A day alone is refused, because it does not say at what time an order is placed. */
const timeOf = (text: string): number | null => (text.includes('T') ? momentOf(text) : null);

const NO_MOMENT = 'must be a date and time such as 2026-11-21T18:00Z';
const optionalMoment = z
  .string(NO_MOMENT)
  .refine((text) => text === '' || timeOf(text) !== null, NO_MOMENT)
  .transform(timeOf)
  .nullish();

/** The specification's scheduleInfo. Times without a zone are UTC. */
export const scheduleInfo = z
  .object({
    interval: z
      .number('must be a whole number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(MAX_INTERVAL, `must be ${exact(MAX_INTERVAL)} at most`)
      .nullish(),
    period: z.enum(PERIODS, `must be one of ${PERIODS.join(', ')}`).nullish(),
    start: optionalMoment.describe('When the schedule first runs; null or in the past: now.'),
    end: optionalMoment.describe('When the schedule ends; null: never.'),
  })
  .check((context) => {
    const { interval, period, start, end } = context.value;
    const flaw = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
    if (period && period !== 'none' && interval == null) flaw('interval', 'must say every how many periods it repeats');
    // A start in the past means now.
    if (end != null && end < Math.max(start ?? 0, Date.now())) flaw('end', 'must not lie before the start');
  });

export type ScheduleInfo = z.infer<typeof scheduleInfo>;
