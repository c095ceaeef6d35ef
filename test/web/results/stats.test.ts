import { expect, test } from 'vitest';
import { GAMES } from '../../../domain/games/games.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { classesOf } from '../../../web/chart/classes.ts';
import { passing, Results } from '../../../web/components/results/results.ts';
import { statsOf } from '../../../web/components/results/stats.ts';
import { listed, many, read, resultsOf } from './rows.ts';

const stats = (...rows: Row[]) => {
  const results = resultsOf(...rows);
  return statsOf(results, passing(results, {}));
};
const sure = (value: number, rows: number) => ({ value, rows, excluded: 0, raw: value, flawed: 0 });

test('sums cover what was read, and are unknown instead of 0 if nothing was', () => {
  const { power, score, deads, highTierKills, tiers, listedOnly, powers } = stats(read, listed);
  expect([power, score, deads, highTierKills]).toEqual([sure(190, 2), sure(156, 1), sure(7, 1), sure(9, 1)]);
  expect(tiers.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5]);
  expect([listedOnly, [...powers]]).toEqual([1, [100, 90]]);
  expect(stats(listed).score).toMatchObject({ value: null, raw: null, rows: 0 });
  expect(stats()).toMatchObject({ count: 0, power: { value: null } });
});

test('total kills are shown beside kills by tier if the game counts them', () => {
  const lord = { lord_id: 5, home_server: 101, name: 'Lord', power: 8, highest_power: 9, killcount_t5: 2 };
  const doubted = { ...lord, units_killed: 1, doubted: 'tiers', quality: 'impossible' };
  const results = new Results(GAMES.cod, [{ ...lord, units_killed: 12 }, lord, doubted]);
  expect(statsOf(results, passing(results, {})).allKills).toEqual({ ...sure(12, 1), excluded: 1, raw: 13 });
  expect(stats(read).allKills).toBeNull();
});

test('kills of the high tiers are unknown if either tier is', () => {
  expect(stats(read, { ...read, killcount_t4: null }).highTierKills).toEqual(sure(9, 1));
});

test('Top 100 and Top 350 are the sums of the strongest, or of all if fewer', () => {
  const { top100, top350 } = stats(...many(400));
  expect(top100).toEqual(sure((400 * 401 - 300 * 301) / 2, 100));
  expect(top350).toEqual(sure((400 * 401 - 50 * 51) / 2, 350));
  expect(stats(...many(87)).top100).toEqual(sure((87 * 88) / 2, 87));
});

test.each([
  ['tiers', { power: 0, score: 0, deads: 0, highTierKills: 1 }],
  ['score', { power: 0, score: 1, deads: 0, highTierKills: 0 }],
  ['score tiers', { power: 0, score: 1, deads: 0, highTierKills: 1 }],
  ['deads', { power: 0, score: 0, deads: 1, highTierKills: 0 }],
  ['power', { power: 1, score: 0, deads: 0, highTierKills: 0 }],
  ['helps_given', { power: 0, score: 0, deads: 0, highTierKills: 0 }],
] as const)('a row whose %s is unverified is excluded from those sums and flagged in others', (doubted, out) => {
  const found = stats(read, { ...read, doubted, quality: 'counter_fell' });
  for (const [name, excluded] of Object.entries(out)) {
    const sum = found[name as keyof typeof out];
    expect(sum).toMatchObject({ excluded, flawed: 1 - excluded, rows: 2 - excluded });
    expect(sum.raw).toBe((sum.value ?? 0) * (1 + excluded));
  }
});

test('an unverified power is replaced by the next in the Top 100, beside the raw total', () => {
  const { top100 } = stats(
    ...many(101, (index) => ({
      power: index === 100 ? 10 ** 9 : index + 1,
      doubted: index === 100 ? 'power' : null,
      quality: index === 100 ? 'impossible' : null,
    })),
  );
  expect(top100).toEqual({
    value: (100 * 101) / 2,
    rows: 100,
    excluded: 1,
    raw: 10 ** 9 + (100 * 101) / 2 - 1,
    flawed: 0,
  });
});

test('sums of a history cover its last day', () => {
  const day = (name: string, power: number) => ({ ...read, day: name, power });
  expect(stats(day('2026-11-19', 5), day('2026-11-20', 7), day('2026-11-20', 8)).power).toEqual(sure(15, 2));
});

test('sums stay exact for the largest figures', () => {
  const power = 9_007_199_254_740;
  expect(stats(...many(1000, () => ({ power }))).power.value).toBe(power * 1000);
});

test('classes share a round width, contain every value once, and cover the whole range', () => {
  const values = Float64Array.from({ length: 997 }, (_, index) => 31_000_000 + ((index * 7919) % 997) * 123_457);
  const classes = classesOf(values, 16);
  expect(classes.length).toBeLessThanOrEqual(16);
  expect(classes.reduce((sum, { count }) => sum + count, 0)).toBe(997);
  expect(classes[0]?.from).toBeLessThanOrEqual(31_000_000);
  expect(new Set(classes.map(({ from, to }) => to - from))).toEqual(new Set([10_000_000]));
  expect(classes.every(({ from }, index) => index === 0 || from === classes[index - 1]?.to)).toBe(true);
  expect(classesOf([5, 5, 5], 16)).toEqual([{ from: 5, to: 6, count: 3 }]);
  expect(classesOf([], 16)).toEqual([]);
});

test('classes double if values are far apart', () => {
  const values = [3, 900, 40_000, 2_000_000, 2_000_001, 6_000_000, 99_000_000];
  const classes = classesOf(values, 16);
  expect(classes.map(({ from }) => from)).toEqual([
    ...[0, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000],
    ...[1e6, 2e6, 5e6, 1e7, 2e7, 5e7],
  ]);
  expect(classes.at(-1)?.to).toBe(1e8);
  expect(classes.flatMap(({ from, count }) => (count > 0 ? [[from, count]] : []))).toEqual([
    [0, 2],
    [20_000, 1],
    [2e6, 2],
    [5e6, 1],
    [5e7, 1],
  ]);
  expect(classesOf([10_900, 250_000], 16).map(({ from }) => from)).toEqual([1e4, 2e4, 5e4, 1e5, 2e5]);
  expect(classesOf([1_000, 1_000_000], 16).reduce((sum, { count }) => sum + count, 0)).toBe(2);
});
