import { expect, test } from 'vitest';
import type { Row } from '../../domain/rows.ts';
import { matching, resultRows, statsOf } from '../../web/components/results/result-rows.ts';

const read: Row = {
  governor_id: 11,
  alliance_tag: 'ABC',
  home_kingdom: 1012,
  name: 'Ælfgifu',
  power: 90,
  killpoints: 400,
  town_center: 25,
  deads: 7,
  killcount_t1: 1,
  killcount_t2: 2,
  killcount_t3: 3,
  killcount_t4: 4,
  killcount_t5: 5,
  highest_power: 95,
};
const listed: Row = { ...read, governor_id: 12, name: 'Brand', alliance_tag: null, power: 100, highest_power: null };

test('without highest_power killpoints, deads and kills are unknown, whatever stands in them', () => {
  const [row] = resultRows([listed]);
  expect(row).toMatchObject({ power: 100, score: undefined, deads: undefined });
  expect(row?.tiers).toEqual(Array(5).fill(undefined));
});

test('both games’ rows are read by the roles of their columns', () => {
  const lord: Row = {
    lord_id: 5,
    home_server: 101,
    name: 'Lord',
    power: 8,
    merits: 6,
    units_dead: 3,
    highest_power: 9,
    killcount_t5: 2,
  };
  expect(resultRows([read, lord])[1]).toMatchObject({ id: 5, kingdom: 101, score: 6, deads: 3, tag: '' });
});

test('a search finds by part of a name, of a tag and of an id, in any case', () => {
  const rows = resultRows([read, listed]);
  const found = (query: string) => matching(rows, query).map(({ id }) => id);
  expect(found('æLF')).toEqual([11]);
  expect(found(' abc ')).toEqual([11]);
  expect(found('12')).toEqual([12]);
  expect(found('')).toEqual([11, 12]);
  expect(found('nobody')).toEqual([]);
});

test('sums count what was read; where nothing was, they are unknown and not 0', () => {
  expect(statsOf(resultRows([read, listed]))).toMatchObject({
    power: 190,
    score: 400,
    deads: 7,
    highTierKills: 9,
    listedOnly: 1,
    powers: [100, 90],
  });
  expect(statsOf(resultRows([listed]))).toMatchObject({ power: 100, score: null, highTierKills: null });
});

test('Top 100 and Top 350 are the sums of the strongest', () => {
  const many = Array.from({ length: 400 }, (_, index) => ({ ...read, governor_id: index + 1, power: index + 1 }));
  const { top100, top350 } = statsOf(resultRows(many));
  expect(top100).toBe((400 * 401 - 300 * 301) / 2);
  expect(top350).toBe((400 * 401 - 50 * 51) / 2);
});
