import { expect, test } from 'vitest';
import { DOUBTS } from '../../../domain/difference/doubts.ts';
import type { Reached } from '../../../domain/difference/goals.ts';
import {
  type DifferenceRows,
  type DifferenceTable,
  differenceRows,
  filteredRows,
  isIdle,
  reachedRows,
  type ScoredRows,
  scoredRows,
  sumsByKingdom,
  valuesBy,
} from '../../../web/components/difference/difference-rows.ts';

/**
 * Four governors in both snapshots, one joined, one left. The third one's T5 kills are unverified, the fourth did
 * nothing.
 */
const TABLE: DifferenceTable = {
  kingdoms: ['1001', '1002', '1003-2'],
  camp_of: [0, 1, 1],
  camps: ['Fire', 'Water'],
  tags: ['WOLF', '虎'],
  common: 4,
  joined: 1,
  gone: 1,
  id: [11, 12, 13, 14, 15, 16],
  name: ['꧁ 𝕳éʀO ꧂', '龍王', 'Ærik', 'Idle Hands', 'New Blood', 'Gone'],
  tag: [0, 1, 0, -1, 0, 1],
  kingdom: [0, 1, 1, 2, 0, 1],
  kingdom_now: [0, 1, 0, 2, 0, -1],
  power: [90e6, 80e6, 70e6, null, 60e6, 50e6],
  now: { power: [91e6, 79e6, 70e6, 5e6, 60e6, 50e6] },
  gains: { killcount_t4: [100, 50, 70, 0], killcount_t5: [10, null, 9_000_000, 0] },
  doubts: { killcount_t5: { one_empty: [2] } },
  renamed: { '1': 'Old Dragon' },
};
const T4 = { weights: { killcount_t4: 10 } };
const BOTH = { weights: { killcount_t4: 10, killcount_t5: 20 } };

const rows = differenceRows(TABLE);
/** Sorts rows by a column, by DKP if there is no such column. */
const sortedRows = (
  of: DifferenceRows,
  scores: ScoredRows,
  found: Uint32Array,
  column: string,
  ascending: boolean,
  reached?: Reached,
) => of.index.ordered(found, valuesBy(of, scores, column, reached) ?? scores.dkp, ascending);
const ids = (found: Uint32Array) => [...found].map((row) => TABLE.id[row]);

test('scores include only known, verified figures', () => {
  const scores = scoredRows(rows, 'rok', BOTH);
  expect([...scores.dkp]).toEqual([1200, Number.NaN, Number.NaN, 0, Number.NaN, Number.NaN]);
  expect(scores.raw[2]).toBe(700 + 180_000_000);
  expect([...scores.ranks]).toEqual([1, 0, 0, 2, 0, 0]);
  expect([...scoredRows(rows, 'rok', T4).ranks]).toEqual([1, 3, 2, 4, 0, 0]);
  expect(Number.isNaN(scoredRows(rows, 'rok', { weights: { deads: 1 } }).dkp[0])).toBe(true);
});

test('each kind of doubt excludes a gain from the score and is reported', () => {
  for (const [index, doubt] of DOUBTS.entries()) {
    const doubted = differenceRows({ ...TABLE, doubts: { killcount_t4: { [doubt]: [0] } } });
    const scores = scoredRows(doubted, 'rok', T4);
    expect([scores.doubts[0], scores.dkp[0], scores.raw[0]]).toEqual([index + 1, Number.NaN, 1000]);
    expect([scores.doubts[1], scores.dkp[1]]).toEqual([0, 500]);
    expect(ids(filteredRows(doubted, scores, ['killcount_t4'], { who: 'doubted' }))).toEqual([11]);
    expect([...sortedRows(doubted, scores, Uint32Array.of(0, 1, 2), 'killcount_t4', false)]).toEqual([2, 1, 0]);
  }
});

test('the search finds names in any script, tags, ids, kingdoms and previous names', () => {
  const scores = scoredRows(rows, 'rok', T4);
  const find = (q: string) => ids(rows.index.found(filteredRows(rows, scores, ['killcount_t4'], {}), q));
  expect(find('hero')).toEqual([11]);
  expect(find('龍')).toEqual([12]);
  expect(find('old dragon')).toEqual([12]);
  expect(find('虎')).toEqual([12]);
  expect(find('1003')).toEqual([14]);
  expect(find('15')).toEqual([15]);
  expect(find('nobody')).toEqual([]);
});

test('each goal gives a percentage to sort by, and the filter finds missed goals', () => {
  const scores = scoredRows(rows, 'rok', T4);
  const goals = [
    { min_power: 0, dkp: 800, kills: null, deads: null },
    { min_power: 85e6, dkp: 800, kills: 200, deads: null },
  ];
  const reached = reachedRows(rows, scores, { game: 'rok', goals, exempt: [13] });
  expect([...reached.keys()]).toEqual(['dkp', 'kills']);
  const below = filteredRows(rows, scores, ['killcount_t4'], { who: 'below' }, reached);
  // 11 has the DKP and half of the kills, 12 has less DKP, 13 is exempt, 14 has unknown power, 15 joined.
  expect(ids(below)).toEqual([11, 12]);
  const all = Uint32Array.of(0, 1, 2);
  expect(ids(sortedRows(rows, scores, all, 'goal:dkp', true, reached))).toEqual([12, 11, 13]);
  expect(ids(sortedRows(rows, scores, all, 'rank', true))).toEqual([11, 13, 12]);
});

test('filters use the kingdom, camp, alliance and power of the start', () => {
  const scores = scoredRows(rows, 'rok', BOTH);
  const by = (filter: Parameters<typeof filteredRows>[3]) => ids(filteredRows(rows, scores, ['killcount_t4'], filter));
  expect(by({})).toEqual([11, 12, 13, 14, 15]);
  expect(by({ camp: 'Water' })).toEqual([12, 13, 14]);
  expect(by({ home: '1002' })).toEqual([12, 13]);
  expect(by({ camp: 'Fire', home: '1002' })).toEqual([]);
  expect(by({ home: '9999' })).toEqual([]);
  expect(by({ alliance: 'WOLF' })).toEqual([11, 13, 15]);
  expect(by({ power: 70e6 })).toEqual([11, 12, 13]);
  expect(by({ power: 70e6 + 1 })).toEqual([11, 12]);
  expect(by({ who: 'joined' })).toEqual([15]);
  expect(by({ who: 'gone' })).toEqual([16]);
  expect(by({ who: 'doubted' })).toEqual([13]);
  expect(by({ who: 'idle' })).toEqual([14]);
});

test('only governors with known zero gains count as idle', () => {
  expect(isIdle(rows, ['killcount_t4', 'killcount_t5'], 3)).toBe(true);
  expect(isIdle(rows, ['killcount_t5'], 1)).toBe(false);
  expect(isIdle(rows, ['killcount_t4'], 4)).toBe(false);
  expect(isIdle(rows, [], 3)).toBe(false);
});

test('columns sort descending, then ascending; unknown and unverified figures come last', () => {
  const scores = scoredRows(rows, 'rok', T4);
  const all = filteredRows(rows, scores, [], {});
  const by = (column: string, ascending = false) => ids(sortedRows(rows, scores, all, column, ascending));
  expect(by('dkp')).toEqual([11, 13, 12, 14, 15]);
  expect(by('dkp', true)).toEqual([14, 12, 13, 11, 15]);
  expect(by('killcount_t5')).toEqual([11, 14, 12, 13, 15]);
  expect(by('power')).toEqual([11, 12, 13, 15, 14]);
  expect(by('power', true)).toEqual([15, 13, 12, 11, 14]);
  expect(by('name', true).filter((id) => id !== 11 && id !== 12)).toEqual([13, 14, 15]);
  expect(by('name').filter((id) => id !== 11 && id !== 12)).toEqual([15, 14, 13]);
  expect(by('kingdom', true)).toEqual([11, 15, 12, 13, 14]);
  expect(by('what nobody has')).toEqual(by('dkp'));
});

test('other gains of the same rows sort by themselves', () => {
  const scores = scoredRows(rows, 'rok', T4);
  const all = Uint32Array.of(0, 1, 2);
  expect(ids(sortedRows(rows, scores, all, 'killcount_t4', false))).toEqual([11, 13, 12]);
  const gains = new Map([['killcount_t4', { raw: Float64Array.of(1, 2, 3, 4, 5, 6), doubts: new Uint8Array(6) }]]);
  expect(ids(sortedRows({ ...rows, gains }, scores, all, 'killcount_t4', false))).toEqual([13, 12, 11]);
});

test('names and kingdoms sort naturally; equal ones keep their order, unknown names come last', () => {
  const named = (names: string[], homes: number[]) => {
    const count = names.length;
    const some = { ...TABLE, common: count, joined: 0, gone: 0, gains: {}, doubts: {}, now: {}, renamed: {} };
    const none = names.map(() => -1);
    const id = names.map((_, row) => row);
    return differenceRows({ ...some, id, name: names, tag: none, kingdom: homes, kingdom_now: homes, power: none });
  };
  const order = (column: string, ascending: boolean) => {
    const table = named(['row 10', 'Émile', 'row 9', 'emile', '', 'row 9'], [2, 0, -1, 1, 0, 2]);
    const scores = scoredRows(table, 'rok', T4);
    return [...sortedRows(table, scores, filteredRows(table, scores, [], {}), column, ascending)];
  };
  expect(order('name', true)).toEqual([3, 1, 2, 5, 0, 4]);
  expect(order('name', false)).toEqual([0, 2, 5, 1, 3, 4]);
  expect(order('kingdom', true)).toEqual([2, 1, 4, 3, 0, 5]);
  expect(order('kingdom', false)).toEqual([0, 5, 3, 1, 4, 2]);
});

test('names sort alphabetically whatever the step size', () => {
  const collator = new Intl.Collator('en', { numeric: true });
  for (const count of [0, 1, 256, 257, 1000, 1500]) {
    const names = Array.from(
      { length: count },
      (_, row) => `${['moss', 'Ärger', '灯', ''][row % 4]} ${(row * 7919) % 997}`,
    );
    const id = names.map((_, row) => row);
    const places = differenceRows({
      ...TABLE,
      common: count,
      id,
      name: names,
      gains: {},
      doubts: {},
      now: {},
    }).index.values('name', () => null);
    const order = [...id].sort((a, b) => collator.compare(names[a] as string, names[b] as string));
    expect([...id].sort((a, b) => (places[a] as number) - (places[b] as number))).toEqual(order);
    expect(new Set(places).size).toBe(new Set(names).size);
  }
});

test('a score with one unverified and one unread figure is unknown, not excluded', () => {
  const raw = new Float64Array(4).fill(Number.NaN);
  const scores = { ...scoredRows(rows, 'rok', BOTH), dkp: raw, raw, doubts: new Uint8Array(4).fill(1) };
  expect(sumsByKingdom(rows, scores).map(({ left_out }) => left_out)).toEqual([0, 0, 0]);
});

test('governors count for their kingdom of the start, and excluded scores are counted', () => {
  expect(sumsByKingdom(rows, scoredRows(rows, 'rok', BOTH))).toEqual([
    { name: '1001', common: 1, joined: 1, gone: 0, dkp: 1200, raw: 1200, left_out: 0 },
    { name: '1002', common: 2, joined: 0, gone: 1, dkp: null, raw: 180_000_700, left_out: 1 },
    { name: '1003-2', common: 1, joined: 0, gone: 0, dkp: 0, raw: 0, left_out: 0 },
  ]);
});
