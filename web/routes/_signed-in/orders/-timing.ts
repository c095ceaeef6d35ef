import { DAY_MS, HOUR_MS } from '../../../../domain/days.ts';
import type { Cents } from '../../../../domain/money/money.ts';
import { MAX_INTERVAL, type Period } from '../../../../domain/orders/periods.ts';
import { costPerMonth } from '../../../../domain/orders/schedule.ts';
import type { Schedule, ScheduleInfo } from '../../../api/schedules.ts';
import { daysLeft } from '../../../components/standing-costs.ts';
import { momentOf, momentText, NO_MOMENT } from '../../../moments.ts';

/** What stands in the fields that say when an order is placed: text as typed, moments in UTC. */
export interface Timing {
  later: boolean;
  /** '2026-11-21T18:00', or empty: at once. */
  start: string;
  /** Empty: for ever. */
  end: string;
  period: Period;
  interval: string;
}

/** The order is placed once, when it is submitted. */
export const AT_ONCE: Timing = { later: false, start: '', end: '', period: 'none', interval: '1' };

/** What a field shows for a moment. */
export const fieldOf = (moment: number | null): string => (moment === null ? '' : momentText(moment));

const isoOf = (field: string): string | null => {
  const moment = momentOf(field);
  return moment === null ? null : new Date(moment).toISOString();
};

/** The scheduleInfo that the fields stand for, null for an order placed at once, or a sentence of what is wrong. */
export function scheduleInfoOf({ later, start, end, period, interval }: Timing): ScheduleInfo | string | null {
  if (!later) return null;
  if (start === '' && period === 'none') return 'Choose when it starts, or how often it repeats.';
  const every = Number(interval);
  if (period !== 'none' && !(Number.isInteger(every) && every >= 1 && every <= MAX_INTERVAL))
    return `Repeat every: must be a whole number from 1 to ${MAX_INTERVAL}.`;
  const [from, until] = [momentOf(start), momentOf(end)];
  // Not as if nothing stood there: it would begin at once, or go on for ever.
  if (start !== '' && from === null) return `Start: ${NO_MOMENT}`;
  if (end !== '' && until === null) return `End: ${NO_MOMENT}`;
  if (until !== null && until < (from ?? Date.now())) return 'End: must not lie before the start.';
  return { interval: period === 'none' ? 1 : every, period, start: isoOf(start), end: isoOf(end) };
}

/** 'every day', 'every 2 weeks', 'not repeated'. */
export const periodText = (period: Period, interval: number): string =>
  period === 'none' ? 'not repeated' : interval === 1 ? `every ${period}` : `every ${interval} ${period}s`;

/** A balance that lasts for fewer days is asked about before a schedule begins. */
const FEW_DAYS = 7;

/**
 * For how many days the balance (whole cents) carries what already repeats (`standing`, cents a month) and an order at
 * that price that repeats like this; null where it does not repeat. `few`: too few to begin without a word, unless it
 * ends before that.
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
  const until = momentOf(end);
  const length = until === null ? Number.POSITIVE_INFINITY : until - Math.max(momentOf(start) ?? now, now);
  return { days, few: days < FEW_DAYS && length > days * DAY_MS };
}

const MONTH_MS = 730 * HOUR_MS;

type Standing = Pick<Schedule, 'state' | 'end_at' | 'period' | 'interval'>;

/** What a schedule without an end says of it: an ended or paused one is not running. */
export const openEnd = ({ state, period }: Pick<Schedule, 'state' | 'period'>): string =>
  ({ active: period === 'none' ? 'after its one run' : 'running forever', paused: 'none set', ended: 'has ended' })[
    state
  ];

/** What a running schedule costs in a month at that price a run (whole cents); null where it will not run for one. */
export function monthlyCost(
  { state, end_at, period, interval }: Standing,
  price: Cents,
  now = Date.now(),
): Cents | null {
  if (state !== 'active' || period === 'none' || (end_at !== null && end_at < now + MONTH_MS)) return null;
  return costPerMonth(price, { period, interval });
}
