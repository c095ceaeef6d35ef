import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { monthCosts, PRICES, ROWS } from '../../domain/service/month-costs.ts';

const costs = readFileSync('docs/costs.md', 'utf8');

it('the estimate has the prices and rows of docs/costs.md', () => {
  expect(costs).toContain(`| plan | | ${PRICES.plan.toFixed(2)} a month |`);
  expect(costs).toContain(`| D1 rows written | ${PRICES.rows.included / 1e6} million | 1.00 a million |`);
  expect(costs).toContain(`| D1 storage | ${PRICES.database.included / 1e9} GB | ${PRICES.database.price} a GB |`);
  expect(costs).toContain(`| R2 storage | ${PRICES.objects.included / 1e9} GB | ${PRICES.objects.price} a GB |`);
  expect(costs).toContain(`A scan of 1,000 governors writes about ${(ROWS.governor * 1000).toLocaleString('en')} rows`);
  expect(costs).toContain(`| rows written | 17 | ${ROWS.bot.toLocaleString('en')} |`);
});

it('a month costs what it had so far, plus the remaining days at the rate of the last 30', () => {
  const scanned = Array.from({ length: 30 }, () => 40_000_000);
  const state = { scanned, bots: 30, database_bytes: 7e9, object_bytes: 110e9 };
  const tenth = Date.UTC(2026, 3, 10, 12);
  const daily = 6_200_000 + 12_500;
  // 186 million rows are 136 above what is included; 2 GB of database and 100 GB of objects are.
  expect(monthCosts(state, tenth)).toEqual({
    rows: 10 * daily,
    month_rows: 30 * daily,
    cost: Math.round(100 * (5 + (30 * daily - 50e6) / 1e6 + 1.5 + 1.5)) / 100,
  });
  const onlyToday = { ...state, scanned: [...scanned.fill(0, 0, 29)], bots: 0, database_bytes: 0, object_bytes: 0 };
  expect(monthCosts(onlyToday, Date.UTC(2026, 3, 1))).toEqual({
    ...{ rows: 6_200_000, month_rows: Math.round(6_200_000 + (29 * 6_200_000) / 30), cost: 5 },
  });
  expect(monthCosts({ ...onlyToday, scanned: [] }, Date.UTC(2026, 0, 31))).toMatchObject({ rows: 0, cost: 5 });
});
