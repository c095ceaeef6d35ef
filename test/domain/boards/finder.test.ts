import { expect, test } from 'vitest';
import { allianceKey, finderLine, rowsFrom, rowsNamed, rowsOf, rowWith } from '../../../domain/boards/finder.ts';
import { withoutNames } from '../../../domain/boards/profile.ts';
import type { AllianceRow, GovernorRow } from '../../../domain/boards/rows.ts';

const governor = (
  rank: number,
  governor_id: number,
  name: string,
  kingdom_id = 1,
  alliance_tag = 'AB',
): GovernorRow => ({
  rank,
  moved: null,
  kingdom_id,
  governor_id,
  alliance_tag,
  name,
  power: 1000 - rank,
  killpoints: null,
  cityhall: null,
  deads: null,
  killcount_t1: null,
  killcount_t2: null,
  killcount_t3: null,
  killcount_t4: null,
  killcount_t5: null,
});

const ROWS = [
  governor(1, 12, 'k7 tab\there\nline'),
  governor(2, 7, '꧁ 𝕳éʀO ꧂', 7, 'k1'),
  governor(3, 123, 'Hero of heroes'),
  governor(4, 1, 'superhero', 7, ''),
  governor(5, 3, '12'),
];
const FINDER = ROWS.map(finderLine).join('');
const all = () => true;
const ids = (found: { key: string }[]) => found.map(({ key }) => Number(key));

test('a row is found by its whole key, even if the number also occurs elsewhere', () => {
  for (const { governor_id, rank } of ROWS) expect(rowWith(FINDER, String(governor_id))?.rank).toBe(rank);
  for (const key of ['2', '23', '999', '', 'k7']) expect(rowWith(FINDER, key)).toBeNull();
  expect(rowWith(FINDER, '12')).toMatchObject({ kingdom_id: 1, power: 999, score: null, name: 'k7 tab here line' });
});

test('a kingdom or an alliance has only its own rows, by rank', () => {
  expect(ids(rowsOf(FINDER, { kingdom: 7 }, 9, all))).toEqual([7, 1]);
  expect(ids(rowsOf(FINDER, { kingdom: 1 }, 2, all))).toEqual([12, 123]);
  expect(ids(rowsOf(FINDER, { kingdom: 7, tag: 'k1' }, 9, all))).toEqual([7]);
  expect(ids(rowsOf(FINDER, { kingdom: 7, tag: '' }, 9, all))).toEqual([1]);
  expect(ids(rowsOf(FINDER, { kingdom: 1, tag: 'AB' }, 9, (key) => key !== '12'))).toEqual([123, 3]);
});

test('a search lists exact names first, then names that start with the text, then the others', () => {
  expect(ids(rowsNamed(FINDER, 'hero', 9, all))).toEqual([7, 123, 1]);
  expect(ids(rowsNamed(FINDER, 'hero', 2, all))).toEqual([7, 123]);
  expect(ids(rowsNamed(FINDER, 's', 9, all))).toEqual([1]);
  expect(ids(rowsNamed(FINDER, '12', 9, all))).toEqual([3]);
  expect(ids(rowsFrom(FINDER, '12', 9))).toEqual([12, 123]);
});

test('an alliance is found by kingdom and tag, with any characters', () => {
  const row = { rank: 1, moved: null, kingdom_id: 5, alliance_name: 'War Dogs', power: 9, member_count: 2 };
  const tags = ['A/B', 'tab\t', '✦', ' ', '1'];
  const finder = tags.map((alliance_tag, index) =>
    finderLine({ ...row, rank: index + 1, alliance_tag } as AllianceRow),
  );
  for (const [index, tag] of tags.entries())
    expect(rowWith(finder.join(''), allianceKey(5, tag))).toMatchObject({ rank: index + 1, count: 2 });
  expect(rowsNamed(finder.join(''), 'wardogs', 9, all)).toHaveLength(5);
});

test('hiding removes the hidden names from a stored board, and nothing else', () => {
  const hostile = governor(1, 5, '"},{"governor_id":6,"alliance_tag":"x","name":"\\');
  const board = [hostile, governor(2, 6, 'six'), governor(3, 66, 'sixty-six')];
  const hidden = (...which: number[]) => JSON.parse(withoutNames(JSON.stringify(board), new Set(which)));
  expect(hidden(7)).toEqual(board);
  expect(hidden(6)).toEqual([hostile, { ...board[1], governor_id: 0, name: '', alliance_tag: '' }, board[2]]);
  expect(hidden(5)[0]).toEqual({ ...hostile, governor_id: 0, name: '', alliance_tag: '' });
  expect(hidden(5).slice(1)).toEqual(board.slice(1));
});
