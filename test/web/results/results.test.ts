import { expect, test } from 'vitest';
import { GAMES } from '../../../domain/games/games.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { choiceOf, chosenColumns } from '../../../web/components/results/column-choice.ts';
import {
  alliancesOf,
  cellIn,
  flawsOf,
  gameOf,
  hallsOf,
  passing,
  qualityOf,
  Results,
} from '../../../web/components/results/results.ts';
import { viewSearch } from '../../../web/components/results/search.ts';
import { idsOn, listed, many, read, resultsOf } from './rows.ts';

const lord: Row = { lord_id: 5, home_server: 101, name: 'Lord', power: 8, merits: 6, units_dead: 3, highest_power: 9 };

test('kill points, deads and kills of a ranking list row are unknown', () => {
  expect(['power', 'hall', 'score', 'deads', 't1', 't5'].map((id) => cellIn(listed, id))).toEqual([
    100,
    ...Array(5).fill(null),
  ]);
  expect(qualityOf(listed)).toBe('listed');
  // One missing figure does not make a profile unread.
  const { merits, highest_power, ...some } = lord;
  expect([cellIn(some, 'score'), cellIn(some, 'deads'), qualityOf(some)]).toEqual([null, 3, 'ok']);
});

test('rows of both games are read by column role, also in one file', () => {
  const both = [
    { ...read, ...Object.fromEntries(Object.keys(lord).map((key) => [key, read[key] ?? null])) },
    { ...Object.fromEntries(Object.keys(read).map((key) => [key, null])), ...lord },
  ];
  expect(both.map((row) => gameOf(row).id)).toEqual(['rok', 'cod']);
  expect(both.map((row) => ['id', 'kingdom', 'score', 'deads'].map((id) => cellIn(row, id)))).toEqual([
    [11, 1012, 156, 7],
    [5, 101, 6, 3],
  ]);
});

test('a history’s figures are known without a highest power', () => {
  const day = { day: '2026-11-20', rank: 1, ...read, highest_power: undefined } as unknown as Row;
  expect(cellIn(day, 'score')).toBe(156);
  const ids = new Results(GAMES.rok, [day]).columns.map(({ id }) => id);
  expect(ids.slice(0, 2)).toEqual(['day', 'rank']);
});

test('every column of the game can be chosen beside the rank, but not the quality mark', () => {
  const ids = resultsOf(read).columns.map(({ id }) => id);
  expect(ids).toHaveLength(1 + GAMES.rok.columns.length - 2);
  expect(ids).toContain('ark_kills_per_battle');
  expect(ids).not.toContain('quality');
  expect(ids).not.toContain('doubted');
});

test('ranks are by power among all rows: ties share a rank, unverified power has none', () => {
  const doubted = { ...read, governor_id: 3, power: 500, doubted: 'power', quality: 'kills_mismatch' };
  const results = resultsOf({ ...read, power: 70 }, doubted, { ...read, power: 90 }, { ...read, power: 90 }, read);
  expect(results.rows.map((row) => results.cell(row, 'rank'))).toEqual([4, null, 1, 1, 1]);
  expect([...results.index.ordered(passing(results, {}), results.values('rank'), true)]).toEqual([2, 3, 4, 0, 1]);
  // A history contains the rank of each day.
  const history = resultsOf({ ...read, day: '2026-01-02', rank: 12 });
  expect(history.rows.map((row) => history.cell(row, 'rank'))).toEqual([12]);
});

test('the specification’s columns show by default; the name always does', () => {
  const { columns } = resultsOf(read);
  const chosen = (choice: string | undefined, combined = false) =>
    chosenColumns(columns, choice, combined).map(({ title }) => title);
  const figures = ['Power', 'Killpoints', 'CH', 'Deads', 'T1', 'T2', 'T3', 'T4', 'T5'];
  const usual = ['ID', 'Alliance', 'Name', ...figures, 'Rank'];
  expect(chosen(undefined)).toEqual(usual);
  expect(chosen(undefined, true)).toEqual([...usual.slice(0, 2), 'Kingdom ID', ...usual.slice(2)]);
  expect(chosen('t5,power,helps_given')).toEqual(['Name', 'Power', 'T5', 'Helps Given']);
  expect(chosen('no_such,column')).toEqual(usual);
  expect(choiceOf(['power', 'name'], columns, false)).toBe('power,name');
  const ids = chosenColumns(columns, undefined, false).map(({ id }) => id);
  expect(choiceOf(ids, columns, false)).toBeUndefined();
  expect(choiceOf(ids.toReversed(), columns, false)).toBeUndefined();
  // One column more, one fewer, or a replaced one each count as a choice.
  for (const chosen of [[...ids, 'helps_given'], ids.slice(1), [...ids.slice(1), 'helps_given']])
    expect(choiceOf(chosen, columns, false)).toBe(chosen.join());
});

test('the search matches parts of names, tags and ids, ignoring case', () => {
  const results = resultsOf(read, listed);
  const found = (query: string) => idsOn(results, results.index.found(passing(results, {}), query));
  expect(found('æLF')).toEqual([11]);
  expect(found(' abc ')).toEqual([11]);
  expect(found('12')).toEqual([12]);
  expect(found('')).toEqual([11, 12]);
  expect(found('nobody')).toEqual([]);
});

test('filters combine, and ranges include their bounds', () => {
  const results = resultsOf(
    ...many(6, (index) => ({ alliance_tag: ['A', 'B', null][index % 3] ?? null, town_center: 20 + index })),
  );
  const left = (filters: Parameters<typeof passing>[1]) => idsOn(results, passing(results, filters));
  expect(left({})).toEqual([1, 2, 3, 4, 5, 6]);
  expect(left({ alliances: ['A'] })).toEqual([1, 4]);
  expect(left({ alliances: ['A', ''] })).toEqual([1, 3, 4, 6]);
  expect(left({ hallFrom: 22, hallTo: 24 })).toEqual([3, 4, 5]);
  expect(left({ powerFrom: 2, powerTo: 2 })).toEqual([2]);
  expect(left({ alliances: ['B'], powerFrom: 3 })).toEqual([5]);
  expect(left({ powerFrom: 9, powerTo: 2 })).toEqual([]);
});

test('an unknown hall passes no range', () => {
  const results = resultsOf({ ...read, town_center: null }, read);
  expect(passing(results, { hallFrom: 1 })).toEqual(Uint32Array.of(1));
});

test('the filter for misread rows counts them by quality', () => {
  const results = resultsOf(
    read,
    { ...read, quality: 'counter_fell' },
    listed,
    { ...read, quality: 'tiers_unread' },
    { ...read, quality: 'counter_fell' },
    { ...read, quality: 'what is this' },
  );
  expect(passing(results, { flawed: true })).toEqual(Uint32Array.of(1, 3, 4));
  expect(flawsOf(results, passing(results, {}))).toEqual([
    { quality: 'tiers_unread', count: 1 },
    { quality: 'counter_fell', count: 2 },
  ]);
});

test('sorting puts unknown values last and keeps equal ones in order', () => {
  const results = resultsOf(
    listed,
    ...many(3, (index) => ({ deads: [5, 9, 5][index] ?? null, name: `${10 - index}` })),
  );
  const by = (id: string, ascending: boolean) =>
    idsOn(results, results.index.ordered(passing(results, {}), results.values(id), ascending));
  expect(by('deads', false)).toEqual([2, 1, 3, 12]);
  expect(by('deads', true)).toEqual([1, 3, 2, 12]);
  expect(by('name', true)).toEqual([3, 2, 1, 12]);
  expect(by('tag', true)).toEqual([1, 2, 3, 12]);
  expect(by('tag', false)).toEqual([1, 2, 3, 12]);
});

test('a sort order is computed once and reused for filtered rows', () => {
  const results = resultsOf(...many(5, (index) => ({ name: ['b10', 'b9', 'B', null, 'b9'][index] ?? null })));
  const all = passing(results, {});
  const sorted = (rows: Uint32Array, ascending: boolean) =>
    results.index.ordered(rows, results.values('name'), ascending);
  expect(sorted(all, true)).toBe(sorted(all, true));
  const names = (rows: Uint32Array, ascending: boolean) => [...sorted(rows, ascending)];
  expect(names(all, true)).toEqual([2, 1, 4, 0, 3]);
  expect(names(all, false)).toEqual([0, 1, 4, 2, 3]);
  expect(
    names(
      all.filter((row) => row !== 1),
      true,
    ),
  ).toEqual([2, 4, 0, 3]);
  expect(names(new Uint32Array(), true)).toEqual([]);
});

test('alliances are sorted by size, with no alliance last', () => {
  const results = resultsOf(
    ...many(6, (index) => ({ alliance_tag: [null, 'B', 'A', 'B', null, null][index] ?? null })),
  );
  expect(alliancesOf(results)).toEqual([
    { tag: 'B', count: 2 },
    { tag: 'A', count: 1 },
    { tag: '', count: 3 },
  ]);
  const halls = [7, 25, null, 9, 7].map((town_center) => ({ ...read, town_center }));
  expect(hallsOf(resultsOf(...halls))).toEqual([25, 9, 7]);
});

test('search parameters hold the view; invalid ones are ignored', () => {
  const asked = {
    sort: 'helps_given',
    columns: 'power,t5',
    alliances: ['A,B', 77, { x: 1 }, 'A,B', ''],
    hallFrom: '20',
    powerTo: 5e7,
    flawed: 'true',
    chart: 'kills',
  };
  expect(JSON.parse(JSON.stringify(viewSearch(asked)))).toEqual({
    ...asked,
    alliances: ['A,B', '77', ''],
    hallFrom: 20,
    flawed: true,
  });
  const nonsense = {
    columns: 'power,,x',
    alliances: {},
    hallFrom: 'x',
    hallTo: -1,
    powerFrom: null,
    powerTo: '',
    flawed: 'no',
    chart: 'pie',
  };
  expect(JSON.parse(JSON.stringify(viewSearch(nonsense)))).toEqual({});
});
