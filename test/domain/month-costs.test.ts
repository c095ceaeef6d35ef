import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AWAKE, monthCosts, PRICES, REQUESTS, ROWS } from '../../domain/service/month-costs.ts';

const [costs, operating] = ['docs/costs.md', 'docs/operating.md'].map((file) => readFileSync(file, 'utf8')) as [
  string,
  string,
];

it('the estimate has the prices and rows of docs/costs.md', () => {
  expect(costs).toContain(`| plan | | ${PRICES.plan.toFixed(2)} a month |`);
  expect(costs).toContain(`| D1 rows written | ${PRICES.rows.included / 1e6} million | 1.00 a million |`);
  expect(costs).toContain(`| D1 storage | ${PRICES.database.included / 1e9} GB | ${PRICES.database.price} a GB |`);
  expect(costs).toContain(`| R2 storage | ${PRICES.objects.included / 1e9} GB | ${PRICES.objects.price} a GB |`);
  expect(costs).toContain(`A scan of 1,000 governors writes about ${(ROWS.governor * 1000).toLocaleString('en')} rows`);
  expect(costs).toContain(`| rows written | 17 | ${ROWS.bot.toLocaleString('en')} |`);
  expect(costs).toContain(`| calls | 17 | ${REQUESTS.bot.toLocaleString('en')} |`);
  expect(costs).toContain(`| Worker requests | ${PRICES.requests.included / 1e6} million | 0.30 a million |`);
  expect(costs).toContain(`| ${PRICES.awake.included.toLocaleString('en')} GB-s | 12.50 a million GB-s |`);
  expect(costs).toContain(
    `| mails | ${PRICES.mails.included.toLocaleString('en')} | ${PRICES.mails.price} a thousand |`,
  );
  expect(costs).toContain(`which are ${AWAKE.scan} GB-s`);
  const [, bots, customer] = /some (\d+) Worker calls of bots, (\d+) of the customer/.exec(operating) ?? [];
  expect(Number(bots) + Number(customer)).toBe(REQUESTS.scan);
});

it('a month costs what it had so far, plus the remaining days at the rate of the last 30', () => {
  const scanned = { governors: 40_000_000, scans: 0, mails: 0 };
  const days = Array.from({ length: 30 }, () => scanned);
  const state = { days, bots: 30, database_bytes: 7e9, object_bytes: 110e9 };
  const tenth = Date.UTC(2026, 3, 10, 12);
  const daily = 6_200_000 + 12_500;
  // 186 million rows are 136 above what is included; 2 GB of database and 100 GB of objects are.
  expect(monthCosts(state, tenth)).toEqual({
    rows: 10 * daily,
    month_rows: 30 * daily,
    cost: Math.round(100 * (5 + (30 * daily - 50e6) / 1e6 + 1.5 + 1.5)) / 100,
  });
  const empty = { governors: 0, scans: 0, mails: 0 };
  const today = [...Array.from({ length: 29 }, () => empty), scanned];
  const onlyToday = { ...state, days: today, bots: 0, database_bytes: 0, object_bytes: 0 };
  expect(monthCosts(onlyToday, Date.UTC(2026, 3, 1))).toEqual({
    ...{ rows: 6_200_000, month_rows: Math.round(6_200_000 + (29 * 6_200_000) / 30), cost: 5 },
  });
  expect(monthCosts({ ...onlyToday, days: [] }, Date.UTC(2026, 0, 31))).toMatchObject({ rows: 0, cost: 5 });
});

it('a month costs the calls, objects and mails of its scans, too', () => {
  // The large business of docs/costs.md, without its visits.
  const day = { governors: 160_000_000 / 30, scans: 160_000 / 30, mails: 2000 };
  const state = { days: Array.from({ length: 30 }, () => day), bots: 500, database_bytes: 0, object_bytes: 0 };
  const { cost } = monthCosts(state, Date.UTC(2026, 3, 10, 12));
  // 16.65 million calls are 6.65 above what is included, 1.76 million GB-s 1.36, and 60,000 mails 57,000.
  expect(cost).toBeCloseTo(5 + 6.65 * 0.3 + 1.36 * 12.5 + 57 * 0.35, 1);
});
