import { DAY_MS, dayOf, dayStart } from '../days.ts';

/** Estimates of what the platform charges in a month, from the figures in docs/costs.md. */

/** Prices and included amounts of Workers Paid, in USD, rows, bytes, calls and GB-s. */
export const PRICES = {
  plan: 5,
  rows: { included: 50_000_000, per: 1_000_000, price: 1 },
  database: { included: 5_000_000_000, per: 1_000_000_000, price: 0.75 },
  objects: { included: 10_000_000_000, per: 1_000_000_000, price: 0.015 },
  requests: { included: 10_000_000, per: 1_000_000, price: 0.3 },
  awake: { included: 400_000, per: 1_000_000, price: 12.5 },
  mails: { included: 3000, per: 1000, price: 0.35 },
} as const;

/** D1's limit for a database, in bytes. */
export const DATABASE_BYTES = 10_000_000_000;

/** Rows written per scanned governor, and per idle bot in a month. */
export const ROWS = { governor: 0.155, bot: 12_500 } as const;

/** Calls to the Worker for each scan, by bots and its customer, and those of an idle bot in a month. */
export const REQUESTS = { scan: 65, bot: 12_500 } as const;

/** GB-s for which each scan keeps objects awake. */
export const AWAKE = { scan: 11 } as const;

const MONTH_DAYS = 30;

const past = (
  amount: number,
  { included, per, price }: Exclude<(typeof PRICES)[keyof typeof PRICES], number>,
): number => (Math.max(0, amount - included) / per) * price;

interface Day {
  /** Governors in the scans that were finished, and how many scans these were. */
  governors: number;
  scans: number;
  mails: number;
}

interface MonthSoFar {
  /** The last 30 days, oldest first, today last. */
  days: readonly Day[];
  bots: number;
  /** Of all databases together. */
  database_bytes: number;
  object_bytes: number;
}

/**
 * Returns the rows written since the first of the month, and the whole month's rows and cost in USD if its other days
 * are like the last 30. Visits to pages are not known.
 */
export function monthCosts({ days, bots, database_bytes, object_bytes }: MonthSoFar, now: number) {
  const first = dayStart(`${dayOf(now).slice(0, 7)}-01`);
  const last = new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1);
  const gone = Math.floor((now - first) / DAY_MS) + 1;
  const left = (last - first) / DAY_MS - gone;
  const sum = (some: readonly Day[], count: (day: Day) => number) => some.reduce((total, day) => total + count(day), 0);
  /** So far, and in the whole month. `perBot` is of a month. */
  const both = (count: (day: Day) => number, perBot = 0) => {
    const idle = (bots * perBot) / MONTH_DAYS;
    const now = sum(days.slice(-gone), count) + idle * gone;
    return [now, now + (sum(days, count) / Math.max(1, days.length) + idle) * left] as const;
  };
  const [rows, month_rows] = both(({ governors }) => governors * ROWS.governor, ROWS.bot);
  const whole = (...counted: Parameters<typeof both>) => both(...counted)[1];
  const cost =
    PRICES.plan +
    past(month_rows, PRICES.rows) +
    past(
      whole(({ scans }) => scans * REQUESTS.scan, REQUESTS.bot),
      PRICES.requests,
    ) +
    past(
      whole(({ scans }) => scans * AWAKE.scan),
      PRICES.awake,
    ) +
    past(
      whole(({ mails }) => mails),
      PRICES.mails,
    ) +
    past(database_bytes, PRICES.database) +
    past(object_bytes, PRICES.objects);
  return { rows: Math.round(rows), month_rows: Math.round(month_rows), cost: Math.round(cost * 100) / 100 };
}
