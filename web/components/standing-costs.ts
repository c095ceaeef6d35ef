import { centsOf } from '../../domain/money/money.ts';
import { costPerMonth } from '../../domain/orders/schedule.ts';
import type { Schedule } from '../api/schedules.ts';

const DAYS_A_MONTH = 30.4;

/** Monthly cost of active repeating schedules at today's prices, in cents. */
export const standingCost = (schedules: readonly Pick<Schedule, 'state' | 'period' | 'interval' | 'total'>[]): number =>
  schedules
    .filter(({ state, period }) => state === 'active' && period !== 'none')
    .reduce(
      (sum, { period, interval, total }) => sum + costPerMonth(centsOf(total ?? 0) ?? 0, { period, interval }),
      0,
    );

/** How many days the balance lasts; null if nothing repeats. */
export const daysLeft = (balance: number, monthly: number): number | null =>
  monthly > 0 ? Math.floor((balance / monthly) * DAYS_A_MONTH) : null;
