import { DAY_MS, HOUR_MS } from '../../../../domain/days.ts';
import { t } from '../../../../domain/language/text.ts';
import type { Cents } from '../../../../domain/money/money.ts';
import { MAX_INTERVAL, type Period } from '../../../../domain/orders/periods.ts';
import { costPerMonth } from '../../../../domain/orders/schedule.ts';
import type { Schedule, ScheduleInfo } from '../../../api/schedules.ts';
import { daysLeft } from '../../../components/standing-costs.ts';
import { parseTime, timeText } from '../../../form-times.ts';

/** Form values of an order's timing; texts as typed, in UTC. */
export interface Timing {
  later: boolean;
  /** '2026-11-21T18:00', or empty for now. */
  start: string;
  /** Empty means no end. */
  end: string;
  period: Period;
  interval: string;
}

/** Places the order once, on submission. */
export const AT_ONCE: Timing = { later: false, start: '', end: '', period: 'none', interval: '1' };

/** Formats a time for a form field. */
export const fieldOf = (moment: number | null): string => (moment === null ? '' : timeText(moment));

const isoOf = (field: string): string | null => {
  const moment = parseTime(field);
  return moment === null ? null : new Date(moment).toISOString();
};

/**
 * Converts form values to `scheduleInfo`. Returns null for an immediate order, or an error message. `hasStart`: the
 * schedule keeps its start if the field is blank.
 */
export function scheduleInfoOf(
  { later, start, end, period, interval }: Timing,
  { hasStart = false } = {},
): ScheduleInfo | string | null {
  if (!later) return null;
  if (start === '' && period === 'none' && !hasStart) return t('Choose when it starts, or how often it repeats.');
  const every = Number(interval);
  if (period !== 'none' && !(Number.isInteger(every) && every >= 1 && every <= MAX_INTERVAL))
    return t('Repeat every: must be a whole number from 1 to {most}.', { most: String(MAX_INTERVAL) });
  const [from, until] = [parseTime(start), parseTime(end)];
  // An unreadable time must not count as blank, which would start at once or never end.
  if (start !== '' && from === null) return t('Start: write a day and a time, in UTC.');
  if (end !== '' && until === null) return t('End: write a day and a time, in UTC.');
  if (until !== null && until < (from ?? Date.now())) return t('End: must not lie before the start.');
  return { interval: period === 'none' ? 1 : every, period, start: isoOf(start), end: isoOf(end) };
}

/** Returns text such as 'every day', 'every 2 weeks' or 'not repeated'. */
export const periodText = (period: Period, interval: number): string =>
  t(
    '{period, select, minute {{interval, plural, =1 {every minute} other {every # minutes}}} hour {{interval, plural, =1 {every hour} other {every # hours}}} day {{interval, plural, =1 {every day} other {every # days}}} week {{interval, plural, =1 {every week} other {every # weeks}}} month {{interval, plural, =1 {every month} other {every # months}}} year {{interval, plural, =1 {every year} other {every # years}}} other {not repeated}}',
    { period, interval },
  );

/** If the balance lasts fewer days, the user must confirm the schedule. */
const FEW_DAYS = 7;

/**
 * Returns how many days the balance (whole cents) covers the active schedules (`standing`, cents per month) and this
 * order; null if it does not repeat. `few` is true if the user must confirm, unless the schedule ends earlier.
 */
export function carriedDays(
  { later, start, end, period, interval }: Timing,
  { price, balance, standing }: { price: Cents; balance: Cents; standing: Cents },
  now = Date.now(),
): { days: number; few: boolean } | null {
  const every = Number(interval);
  if (!later || period === 'none' || price === 0 || !(Number.isInteger(every) && every >= 1)) return null;
  const days = daysLeft(balance, standing + costPerMonth(price, { period, interval: every }));
  if (days === null) return null;
  const until = parseTime(end);
  const length = until === null ? Number.POSITIVE_INFINITY : until - Math.max(parseTime(start) ?? now, now);
  return { days, few: days < FEW_DAYS && length > days * DAY_MS };
}

const MONTH_MS = 730 * HOUR_MS;

type Standing = Pick<Schedule, 'state' | 'end_at' | 'period' | 'interval'>;

/** Describes the end of a schedule that has no end time. */
export const openEnd = ({ state, period }: Pick<Schedule, 'state' | 'period'>): string =>
  ({
    active: period === 'none' ? t('after its one run') : t('running forever'),
    paused: t('none set'),
    ended: t('has ended'),
  })[state];

/**
 * Returns a schedule's monthly cost at the given price per run (whole cents); null if it ends within a month or is not
 * active.
 */
export function monthlyCost(
  { state, end_at, period, interval }: Standing,
  price: Cents,
  now = Date.now(),
): Cents | null {
  if (state !== 'active' || period === 'none' || (end_at !== null && end_at < now + MONTH_MS)) return null;
  return costPerMonth(price, { period, interval });
}
