import { describe, expect, test } from 'vitest';
import { withVerdicts } from '../../domain/scans/quality.ts';
import { Adder } from '../../domain/scans/result-sums.ts';
import { type Row, type Table, tableOf } from '../../domain/scans/rows.ts';
import {
  alliancesOf,
  commonDepth,
  comparable,
  POWER_CLASSES,
  totalsFrom,
  totalsOf,
} from '../../domain/scans/totals.ts';

const SURE = { quality: 'ok', doubted: [] } as const;
const governor = (id: number, more: Row = {}): Row => ({
  governor_id: id,
  name: `Governor ${id}`,
  alliance_tag: id % 2 ? 'ODD' : 'EVEN',
  power: 1_000_000 - id * 1000,
  killpoints: 10 * id,
  deads: id,
  town_center: id === 1 ? 25 : 24,
  ...more,
});
const scan = (count: number, more: (id: number) => Row = () => ({}), doubts: Record<number, string[]> = {}): Table =>
  withVerdicts(
    tableOf(
      'rok',
      Array.from({ length: count }, (_, index) => governor(index + 1, more(index + 1))),
    ),
    Array.from({ length: count }, (_, index) => {
      const doubted = doubts[index + 1];
      return doubted ? { quality: 'impossible', doubted } : SURE;
    }),
  );
const sum = (count: number, from = 1) => {
  let all = 0;
  for (let id = from; id <= count; id++) all += 1_000_000 - id * 1000;
  return all;
};

describe('the totals of a kingdom', () => {
  test('are unknown, not 0, if nothing was read', () => {
    const unread: Row = { killpoints: null, deads: null, town_center: null };
    const totals = totalsOf(scan(120, () => unread));
    const unknown = { total: null, top100: null, top300: null, top350: null, top600: null };
    expect(totals).toMatchObject({
      power: { total: sum(120), top100: sum(100), top300: null, top350: null, top600: null },
      score: unknown,
      deads: unknown,
      known: { power: 120, score: 0, deads: 0 },
      hall25_count: null,
      domain_count: null,
      rss_given: null,
      rss_gathered: null,
      lost_kingdom_most_killed_average: null,
    });
    expect(alliancesOf(scan(2, () => unread))).toMatchObject([{ read: 0 }, { read: 0 }]);
  });

  test('are 0 if 0 was read', () => {
    const totals = totalsOf(scan(2, () => ({ killpoints: 0, town_center: 3, rss_given: 0 })));
    expect(totals).toMatchObject({ score: { total: 0 }, known: { score: 2 }, hall25_count: 0, rss_given: 0 });
  });

  test.each([99, 100, 299, 300, 600])('of %d governors have sums of the strongest only up to that number', (count) => {
    const { power } = totalsOf(scan(count));
    for (const most of [100, 300, 350, 600] as const)
      expect(power[`top${most}`]).toBe(count >= most ? sum(most) : null);
  });

  test('exclude doubted figures, count them, and equal the sums of results and files', () => {
    const table = scan(400, (id): Row => (id === 7 ? { power: 9e9 } : {}), {
      7: ['power'],
      9: ['score', 'tiers'],
      11: ['hall'],
    });
    const totals = totalsOf(table);
    const adder = new Adder();
    adder.add(table);
    const sums = adder.finish();
    expect([totals.power.total, totals.power.top100, totals.power.top350]).toEqual([
      sums.power.value,
      sums.top100.value,
      sums.top350.value,
    ]);
    expect([totals.score.total, totals.deads.total]).toEqual([sums.score.value, sums.deads.value]);
    // The next governor replaces them among the strongest.
    expect(totals.power.top100).toBe(sum(101) - (1_000_000 - 7000));
    expect(totals.left_out).toEqual({
      power: { rows: 1, raw: sums.power.raw },
      score: { rows: 1, raw: sums.score.raw },
    });
    expect(totals.distribution?.reduce((a, b) => a + b, 0)).toBe(399);
    const odd = alliancesOf(table).find(({ tag }) => tag === 'ODD');
    expect(odd).toMatchObject({ members: 200, read: 199 });
    expect(odd?.power).toBeLessThan(9e9);
  });

  test('say how many governors the resources cover and exclude', () => {
    const rss = (id: number): Row => ({ rss_gathered: id === 3 ? null : id * 10, rss_given: id });
    const totals = totalsOf(scan(4, rss, { 2: ['rss_gathered'] }));
    expect(totals).toMatchObject({
      rss_gathered: 50,
      rss_given: 10,
      known: { rss_gathered: 2, rss_given: 4 },
    });
    expect(totals.left_out).toEqual({ rss_gathered: { rows: 1, raw: 70 } });
  });

  test('count governors by power class, hall and domain', () => {
    const powers = POWER_CLASSES.flatMap((from) => [Math.max(0, from - 1), from]);
    const table = tableOf(
      'rok',
      powers.map((power, index) => ({
        ...governor(index + 1),
        power,
        town_center: index < 3 ? 25 : index === 3 ? null : 24,
        domain: index < 4 ? ([0, 7, 7, 8][index] ?? null) : null,
        resources_given: null,
        rss_given: index === 0 ? 3 : index === 1 ? 4 : null,
        rss_gathered: index === 5 ? 9 : null,
        lost_kingdom_most_killed: index === 0 ? 1 : index === 1 ? 2 : null,
        lost_kingdom_most_lost: index === 0 ? 5 : null,
      })),
    );
    const totals = totalsOf(table);
    // A value just below a class belongs to the previous one. The first class has its own end twice.
    expect(totals.distribution).toEqual([3, ...POWER_CLASSES.slice(1, -1).map(() => 2), 1]);
    expect(totals).toMatchObject({
      hall25_count: 3,
      domain_count: 2,
      rss_given: 7,
      rss_gathered: 9,
      lost_kingdom_most_killed_average: 2,
      lost_kingdom_most_lost_average: 5,
      player_count: powers.length,
    });
    expect(totals.left_out).toBeUndefined();
  });

  test('stored by an earlier release read its zeros as unknown', () => {
    const sums = { total: 0, top100: 0, top300: 0, top350: 0, top600: 0 };
    const power = { total: 50, top100: 50, top300: 50, top350: 50, top600: 50 };
    const old = { power, score: sums, deads: sums, player_count: 200, hall25_count: 0, domain_count: 0 };
    expect(totalsFrom(JSON.stringify(old))).toMatchObject({
      power: { total: 50, top100: 50, top300: null },
      score: { total: null, top100: null },
      hall25_count: null,
      domain_count: null,
    });
    // Where scores or deads were read, halls were too; sums of as many as there were stand.
    const one = { total: 7, top100: 7, top300: 7, top350: 7, top600: 7 };
    for (const read of [{ score: one }, { deads: one }])
      expect(totalsFrom(JSON.stringify({ ...old, ...read, hall25_count: 3, domain_count: 2 }))).toMatchObject({
        hall25_count: 3,
        domain_count: 2,
      });
    expect(totalsFrom(JSON.stringify({ ...old, player_count: 300 })).power).toMatchObject({ top300: 50, top350: null });
    expect(totalsFrom(JSON.stringify({ ...old, player_count: 299 })).power).toMatchObject({ top100: 50, top300: null });
    const now = totalsOf(scan(3));
    expect(totalsFrom(JSON.stringify(now))).toEqual(now);
  });
});

test('scans are comparable if one has at least nine tenths of the other’s governors', () => {
  expect([comparable(200, 300), comparable(270, 300), comparable(300, 270), comparable(269, 300)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

describe('the alliances of a kingdom', () => {
  const members = (rows: readonly Row[]) =>
    alliancesOf(
      tableOf(
        'rok',
        rows.map((row, index) => ({ ...governor(index + 1), ...row })),
      ),
    );

  test('are listed by power, then tag, with the first name that a member has', () => {
    const found = members([
      { alliance_tag: 'bb', power: 5, killpoints: null },
      { alliance_tag: 'aa', power: 2, alliance_name: '', killpoints: 1 },
      { alliance_tag: 'cc', power: 9, killpoints: 0 },
      { alliance_tag: 'aa', power: 3, alliance_name: 'Alpha', killpoints: 2 },
      { alliance_tag: 'aa', power: null, alliance_name: 'Other', killpoints: null },
      { alliance_tag: null, power: 100 },
      { alliance_tag: '', power: 100 },
    ]);
    expect(found).toEqual([
      { tag: 'cc', name: '', members: 1, power: 9, score: 0, read: 1 },
      { tag: 'aa', name: 'Alpha', members: 3, power: 5, score: 3, read: 2 },
      { tag: 'bb', name: '', members: 1, power: 5, score: 0, read: 0 },
    ]);
  });

  test('are at most five hundred, without the weakest', () => {
    const found = members(
      Array.from({ length: 501 }, (_, index) => ({ alliance_tag: `t${index}`, power: 1000 - index })),
    );
    expect(found).toHaveLength(500);
    expect(found.at(-1)).toMatchObject({ tag: 't499' });
  });
});

test('scans are compared by all governors if they are equally deep, else by the largest number that all of them have', () => {
  expect(commonDepth([250, 250])).toEqual({ sum: 'total', ranks: 250 });
  expect(commonDepth([7])).toEqual({ sum: 'total', ranks: 7 });
  expect(commonDepth([600, 1000])).toEqual({ sum: 'top600', ranks: 600 });
  expect(commonDepth([1000, 599])).toEqual({ sum: 'top350', ranks: 350 });
  expect(commonDepth([400, 349, 900])).toEqual({ sum: 'top300', ranks: 300 });
  expect(commonDepth([299, 300])).toEqual({ sum: 'top100', ranks: 100 });
  expect(commonDepth([100, 101])).toEqual({ sum: 'top100', ranks: 100 });
  expect(commonDepth([99, 5000])).toBeNull();
});
