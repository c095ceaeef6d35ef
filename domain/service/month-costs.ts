import { DAY_MS, dayOf, dayStart } from '../days.ts';

/** Estimates of what the platform charges in a month, from the figures in docs/costs.md. */

/** Prices and included amounts of Workers Paid, in USD, rows and bytes. */
export const PRICES = {
  plan: 5,
  rows: { included: 50_000_000, per: 1_000_000, price: 1 },
  database: { included: 5_000_000_000, per: 1_000_000_000, price: 0.75 },
  objects: { included: 10_000_000_000, per: 1_000_000_000, price: 0.015 },
} as const;

/** D1's limit for a database, in bytes. */
export const DATABASE_BYTES = 10_000_000_000;

/** Rows written per scanned governor, and per idle bot in a month. */
export const ROWS = { governor: 0.155, bot: 12_500 } as const;

const MONTH_DAYS = 30;

const past = (amount: number, { included, per, price }: (typeof PRICES)['rows' | 'database' | 'objects']): number =>
  (Math.max(0, amount - included) / per) * price;

interface MonthSoFar {
  /** Governors scanned in each of the last 30 days, oldest first, today last. */
  scanned: readonly number[];
  bots: number;
  /** Of all databases together. */
  database_bytes: number;
  object_bytes: number;
}

/**
 * Returns the rows written since the first of the month, and the whole month's rows and cost in USD if its other days
 * are like the last 30.
 */
export function monthCosts({ scanned, bots, database_bytes, object_bytes }: MonthSoFar, now: number) {
  const first = dayStart(`${dayOf(now).slice(0, 7)}-01`);
  const last = new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1);
  const gone = Math.floor((now - first) / DAY_MS) + 1;
  const sum = (days: readonly number[]) => days.reduce((total, count) => total + count, 0);
  const daily = (sum(scanned) * ROWS.governor) / Math.max(1, scanned.length);
  const idle = (bots * ROWS.bot) / MONTH_DAYS;
  const rows = sum(scanned.slice(-gone)) * ROWS.governor + idle * gone;
  const month_rows = rows + (daily + idle) * ((last - first) / DAY_MS - gone);
  const cost =
    PRICES.plan +
    past(month_rows, PRICES.rows) +
    past(database_bytes, PRICES.database) +
    past(object_bytes, PRICES.objects);
  return { rows: Math.round(rows), month_rows: Math.round(month_rows), cost: Math.round(cost * 100) / 100 };
}
