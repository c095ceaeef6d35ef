import { expect, test } from 'vitest';
import { comparedOver } from '../../../domain/compare/compared.ts';
import { differenceOf } from '../../../domain/difference/difference.ts';
import { doubtAt } from '../../../domain/difference/doubts.ts';
import { movedRows, renamedRows } from '../../../domain/difference/pairs.ts';
import { type Row, tableOf, textsOf } from '../../../domain/scans/rows.ts';

const governor = (governor_id: number, name: string, change: Row = {}): Row => ({
  governor_id,
  home_kingdom: 900,
  alliance_tag: 'A',
  name,
  power: 1000,
  killpoints: 100,
  killcount_t1: 0,
  killcount_t2: 0,
  killcount_t3: 0,
  killcount_t4: 10,
  killcount_t5: 0,
  deads: 5,
  ...change,
});
const kills = (killcount_t4: number, change: Row = {}): Row => ({
  killcount_t4,
  killpoints: 10 * killcount_t4,
  ...change,
});
const table = (...rows: Row[]) => tableOf('rok', rows);
const doubtsOf = (doubts: Uint8Array) => [...doubts.keys()].map((row) => doubtAt(doubts, row));

/** Three fights: Ash is in all, Birch in the first two, Cedar in the last, Dune comes for the last end. */
const fights = () => [
  differenceOf(
    table(governor(1, 'Ash'), governor(2, 'Birch', { power: 900 }), governor(5, 'Elm')),
    table(governor(1, 'Ash', kills(13)), governor(2, 'Birch', kills(15, { power: 800 }))),
  ),
  differenceOf(
    table(governor(2, 'Birch', kills(16)), governor(1, 'Ashen', kills(20))),
    table(governor(1, 'Ashen', kills(21)), governor(2, 'Birch', kills(14, { alliance_tag: 'B' }))),
  ),
  differenceOf(
    table(governor(1, 'Ash 3', kills(30)), governor(3, 'Cedar', kills(5))),
    table(
      governor(3, 'Cedar', kills(9, { home_kingdom: 901 })),
      governor(1, 'Ash 3', kills(40, { power: 3000, home_kingdom: 902, alliance_tag: 'C' })),
      governor(4, 'Dune'),
    ),
  ),
];
const whole = () => comparedOver(fights());

/** Returns the columns of one side for `count` rows of a comparison from `first` on. */
const side = ({ rows, ...tables }: ReturnType<typeof whole>, of: 'from' | 'to', first: number, count: number) => {
  const places = [...rows[of].subarray(first, first + count)];
  const column = (key: string) => {
    const cells = tables[of].numbers[key] ?? textsOf(tables[of], key);
    return places.map((row) => cells[row]);
  };
  return { ids: column('governor_id'), names: column('name'), tags: column('alliance_tag'), column };
};

test('governors in both scans of a fight are listed once, with their first and last state', () => {
  const war = whole();
  const [first, last] = [side(war, 'from', 0, 3), side(war, 'to', 0, 3)];
  expect(war.rows).toMatchObject({ common: 3, joined: 1, gone: 1 });
  expect(first.ids).toEqual([1, 2, 3]);
  expect(last.ids).toEqual([1, 2, 3]);
  expect(first.names).toEqual(['Ash', 'Birch', 'Cedar']);
  expect(last.names).toEqual(['Ash 3', 'Birch', 'Cedar']);
  expect(renamedRows(war)).toEqual([0]);
  expect(last.tags).toEqual(['C', 'B', 'A']);
  expect(first.column('home_kingdom')).toEqual([900, 900, 900]);
  expect(last.column('home_kingdom')).toEqual([902, 900, 901]);
  expect(movedRows(war)).toEqual([0, 2]);
  expect(first.column('power')).toEqual([1000, 900, 1000]);
});

test('gains of the fights are added up without those between fights, and the first doubt stays', () => {
  const war = whole();
  const gains = war.gains('killcount_t4');
  expect([...(gains?.raw ?? [])]).toEqual([3 + 1 + 10, 5 - 2, 4]);
  expect(doubtsOf(gains?.doubts ?? new Uint8Array())).toEqual([null, 'fell', null]);
  const last = side(war, 'to', 0, 3);
  expect(last.column('power')).toEqual([3000, 1000, 1000]);
  expect(last.column('killcount_t4')).toEqual([40, 14, 9]);
});

test('a column missing in one fight has no sum, and the other columns have theirs', () => {
  const { deads: _, ...numbers } = table(governor(1, 'Ash')).numbers;
  const without = { ...table(governor(1, 'Ash')), numbers };
  const lacking = comparedOver([...fights(), differenceOf(table(governor(1, 'Ash')), without)]);
  expect([lacking.has('deads'), lacking.gains('deads'), lacking.to.numbers.deads]).toEqual([false, null, undefined]);
  expect([...(lacking.gains('killcount_t4')?.raw ?? [])]).toEqual([14, 3, 4]);
});

test('governors joined if only the last scan has them, and are gone if only the first has them', () => {
  const war = whole();
  const [joined, gone] = [side(war, 'to', 3, 1), side(war, 'from', 4, 1)];
  // Cedar fought in the last fight and Birch in the first ones, so they neither joined nor are gone.
  expect([joined.ids, joined.names, joined.tags]).toEqual([[4], ['Dune'], ['A']]);
  expect([gone.ids, gone.names]).toEqual([[5], ['Elm']]);
  expect(joined.column('home_kingdom')).toEqual([900]);
  expect(gone.column('power')).toEqual([1000]);
  expect([...war.rows.from.subarray(3, 4), ...war.rows.to.subarray(4)]).toEqual([-1, -1]);
});

test('governors of fights of different kingdoms are listed once', () => {
  const fight = (id: number, home_kingdom: number) =>
    differenceOf(table(governor(id, 'A', { home_kingdom })), table(governor(id, 'A', kills(20, { home_kingdom }))));
  const { rows, unseen } = comparedOver([fight(1, 4001), fight(2, 4002)]);
  expect([rows.common, rows.joined, rows.gone, unseen]).toEqual([2, 0, 0, 0]);
});

test('a single fight gives the same result as one of several', () => {
  const [first] = fights();
  const one = comparedOver(first ? [first] : []);
  expect(side(one, 'from', 0, 2).ids).toEqual([1, 2]);
  expect([...(one.gains('killcount_t4')?.raw ?? [])]).toEqual([3, 5]);
  expect(one.rows).toMatchObject({ common: 2, joined: 0, gone: 1 });
  expect(side(one, 'from', 2, 1).ids).toEqual([5]);
  expect(one.gains('killcount_t4')).toBe(one.gains('killcount_t4'));
  expect(() => comparedOver([])).toThrow('needs a range');
});
