import { describe, expect, test } from 'vitest';
import { differenceOf, gainsOf, knownGains, scorable } from '../../../domain/difference/difference.ts';
import { percentOf } from '../../../domain/difference/percentages.ts';
import { goalOf, PRESETS, type Scoring, scoresOf } from '../../../domain/difference/scoring.ts';
import { groupsBy, kingdomGroups, sumsOf } from '../../../domain/difference/sums.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';

const governor = (governor_id: number, home_kingdom: number, t4: number | null, t5: number, deads: number): Row => ({
  governor_id,
  home_kingdom,
  name: 'N',
  power: 100,
  killcount_t4: t4,
  killcount_t5: t5,
  deads,
});

const FROM = [
  governor(1, 900, 10, 10, 5),
  governor(2, 900, 10, 10, 5),
  governor(3, 900, 10, 10, 5),
  governor(4, 901, null, 1, 5),
  governor(5, 901, 1, 1, 5),
];
const TO = [
  governor(1, 900, 13, 14, 8),
  governor(2, 900, 9, 20, 9),
  governor(3, 901, 11, 10, 5),
  governor(4, 901, 7, 9, 6),
  governor(6, 901, 1, 1, 5),
  governor(7, 902, 1, 1, 5),
];
const difference = differenceOf(tableOf('rok', FROM), tableOf('rok', TO));
const score = (scoring: Scoring) => {
  const { dkp, raw } = scoresOf(scorable(difference), scoring, (key) => knownGains(difference, key));
  return { dkp: [...dkp], raw: [...raw] };
};
const NAN = Number.NaN;
const WEIGHTS = { killcount_t4: 10, killcount_t5: 20 };

describe('scores', () => {
  test('are weights times known, undoubted gains, and unknown if a gain is', () => {
    expect(score({ weights: WEIGHTS })).toEqual({
      dkp: [110, NAN, 10, NAN],
      raw: [110, 190, 10, NAN],
    });
  });

  test('ignore a column with weight 0, also its doubts', () => {
    expect(score({ weights: { killcount_t4: 0, deads: 2 } }).dkp).toEqual([6, 8, 0, 2]);
    expect(score({ weights: {} }).dkp).toEqual([0, 0, 0, 0]);
  });

  test('count the deads of zeroed governors less, but not their kills', () => {
    const zeroed = { 1: 50, 2: 100, 4: 90 } as const;
    expect(score({ weights: { deads: 10 }, zeroed }).dkp).toEqual([15, 0, 0, 1]);
    expect(score({ weights: WEIGHTS, zeroed }).dkp[0]).toBe(110);
  });

  test('may subtract power at the start', () => {
    expect(score({ weights: WEIGHTS, power_off: 0.5 }).dkp).toEqual([60, NAN, -40, NAN]);
  });

  test('are unknown if a side lacks a weighted column', () => {
    const { deads: _, ...numbers } = difference.to.numbers;
    const without = { ...difference, to: { ...difference.to, numbers } };
    expect([...scoresOf(scorable(without), { weights: { deads: 1 } }, (key) => knownGains(without, key)).raw]).toEqual([
      NAN,
      NAN,
      NAN,
      NAN,
    ]);
  });
});

describe('sums', () => {
  const kingdoms = [900, 901];
  const columns = new Map(['killcount_t4', 'deads'].map((key) => [key, gainsOf(difference, key)] as const));
  const scores = scoresOf(scorable(difference), { weights: WEIGHTS }, (key) => knownGains(difference, key));
  const [first, second] = sumsOf(difference.rows, columns, scores, kingdomGroups(difference, 'home_kingdom', kingdoms));

  test('are by the kingdom of the start, with and without doubted gains, and count exclusions', () => {
    expect(first).toEqual({
      gains: { killcount_t4: 4, deads: 7 },
      raw: { killcount_t4: 3, deads: 7 },
      doubted: { killcount_t4: 1, deads: 0 },
      dkp: 120,
      dkp_raw: 310,
      left_out: 1,
      unknown: 0,
      common: 3,
      joined: 0,
      gone: 0,
    });
  });

  test('are unknown, not 0, if nobody has the figure, and count joined governors for their kingdom of the end', () => {
    expect(second).toEqual({
      gains: { killcount_t4: null, deads: 1 },
      raw: { killcount_t4: null, deads: 1 },
      doubted: { killcount_t4: 0, deads: 0 },
      dkp: null,
      dkp_raw: null,
      left_out: 0,
      unknown: 1,
      common: 1,
      joined: 1,
      gone: 1,
    });
  });

  test('are unknown if all gains are doubted', () => {
    const two = differenceOf(tableOf('rok', FROM.slice(1, 2)), tableOf('rok', TO.slice(1, 2)));
    const gained = new Map([['killcount_t5', gainsOf(two, 'killcount_t5')] as const]);
    const [sum] = sumsOf(
      two.rows,
      gained,
      scoresOf(scorable(two), { weights: WEIGHTS }, (key) => knownGains(two, key)),
      kingdomGroups(two, 'home_kingdom', [900]),
    );
    expect(sum).toMatchObject({ gains: { killcount_t5: null }, raw: { killcount_t5: 10 }, dkp: null, dkp_raw: 190 });
  });

  test('leave out rows without a group', () => {
    expect([...groupsBy(Float64Array.of(5, 7, 6), [7, 6])]).toEqual([-1, 0, 1]);
  });
});

describe('goals', () => {
  const goals = [{ min_power: 50 }, { min_power: 100 }, { min_power: 20 }];
  test('use the highest bracket that the power reaches, in any order', () => {
    expect([19, 20, 99, 100, 1e9].map((power) => goalOf(goals, power)?.min_power)).toEqual([
      undefined,
      20,
      50,
      100,
      100,
    ]);
    expect(goalOf(goals, NAN)).toBeNull();
  });

  test('have a percentage, which is unknown if the figure is', () => {
    expect([percentOf(50, 200), percentOf(300, 200), percentOf(null, 200), percentOf(5, null)]).toEqual([
      25,
      150,
      null,
      null,
    ]);
  });
});

test('presets have the weights that their names say', () => {
  const points = (game: 'rok' | 'cod') =>
    PRESETS[game].map(({ name, weights }) => [name, ...Object.keys(weights), Object.values(weights).join(' / ')]);
  const [t4, t5] = ['killcount_t4', 'killcount_t5'];
  expect(points('rok')).toEqual([
    ['10 / 20', t4, t5, '10 / 20'],
    ...['10 / 30 / 80', '10 / 20 / 30', '5 / 10 / 15', '4 / 10 / 15', '2 / 4 / 6'].map((name) => [
      name,
      t4,
      t5,
      'deads',
      name,
    ]),
  ]);
  expect(points('cod')).toEqual([
    ['Merits', 'merits', '1'],
    ['10 / 20', t4, t5, '10 / 20'],
    ['10 / 20 / 30', t4, t5, 'units_dead', '10 / 20 / 30'],
  ]);
});
