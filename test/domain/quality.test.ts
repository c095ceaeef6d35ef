import { expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { DOUBTED, isBad, QUALITIES, qualitiesOf, withQualities } from '../../domain/scans/quality.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';

const good: Row = {
  governor_id: 1,
  home_kingdom: 900,
  name: 'Ælf',
  power: 50,
  highest_power: 60,
  killpoints: 1 + 2 * 2 + 4 * 3 + 10 * 4 + 20 * 5,
  killcount_t1: 9,
  killcount_t2: 2,
  killcount_t3: 3,
  killcount_t4: 4,
  killcount_t5: 5,
  deads: 70,
  town_center: 25,
  helps_given: 12,
};
const unread = { killcount_t1: 0, killcount_t2: 0, killcount_t3: 0, killcount_t4: 0, killcount_t5: 0 };
const qualityOf = (change: Row, before?: Row) =>
  qualitiesOf(
    tableOf('rok', [{ ...good, ...change }]),
    before &&
      tableOf('rok', [
        { ...good, governor_id: 2, deads: 1 },
        { ...good, ...before },
      ]),
  )[0];

test.each([
  [{}, 'ok'],
  [{ killcount_t1: 5 }, 'ok'],
  [{ killcount_t1: 10 }, 'identity_broken'],
  [{ killpoints: 158 }, 'identity_broken'],
  [unread, 'tiers_unread'],
  [{ killpoints: 0 }, 'score_unread'],
  [{ killpoints: null }, 'score_unread'],
  [{ ...unread, killpoints: 0 }, 'score_unread'],
  [{ power: 0 }, 'impossible'],
  [{ town_center: 26 }, 'impossible'],
  [{ highest_power: 49 }, 'impossible'],
] as [Row, string][])('a row with %j is %s', (change, quality) => expect(qualityOf(change)).toBe(quality));

test('a row of the ranking list alone is as asked for', () => {
  const listed: Row = { governor_id: 3, home_kingdom: 900, name: 'B', power: 7, highest_power: null };
  expect(qualitiesOf(tableOf('rok', [listed]))).toEqual(['listed']);
  expect(isBad('listed')).toBe(false);
});

test('a lord cannot have killed more by tier than at all', () => {
  const lord = { lord_id: 1, home_server: 5, name: 'C', power: 9, highest_power: 9, merits: 1, killcount_t5: 8 };
  const qualities = qualitiesOf(tableOf('cod', [{ ...lord, units_killed: 7 }, { ...lord, units_killed: 8 }, lord]));
  expect(qualities).toEqual(['impossible', 'ok', 'ok']);
});

test.each([
  ['an equal reading', {}, {}, 'ok'],
  ['fewer deads than before', { deads: 69 }, {}, 'counter_fell'],
  ['any other lifetime counter lower', { helps_given: 11 }, {}, 'counter_fell'],
  ['less power, which may fall', { power: 1 }, {}, 'ok'],
  ['a counter that was not read now', { helps_given: null }, {}, 'ok'],
  ['a counter that was not read before', {}, { helps_given: null }, 'ok'],
  ['an earlier reading that was bad itself', { deads: 1 }, { killpoints: 158 }, 'ok'],
  ['a fall and a fault of its own', { deads: 1, killpoints: 0 }, {}, 'score_unread'],
] as [string, Row, Row, string][])('against an earlier reading: %s', (_, now, before, quality) =>
  expect(qualityOf(now, before)).toBe(quality),
);

test('a counter that is 0 in every row was not read at all, and is no fall', () => {
  const then = tableOf('rok', [good, { ...good, governor_id: 2 }]);
  const now = (helps: number[]) =>
    tableOf(
      'rok',
      helps.map((helps_given, index) => ({ ...good, governor_id: index + 1, helps_given })),
    );
  expect(qualitiesOf(now([0, 0]), then)).toEqual(['ok', 'ok']);
  expect(qualitiesOf(now([0, 12]), then)).toEqual(['counter_fell', 'ok']);
});

test('merits restart with a season, so their fall is no fault', () => {
  const lord = { lord_id: 1, home_server: 5, name: 'C', power: 9, highest_power: 9, units_dead: 4 };
  const [now, then] = [
    { ...lord, merits: 1 },
    { ...lord, merits: 900 },
  ].map((row) => tableOf('cod', [row]));
  if (now && then) expect(qualitiesOf(now, then)).toEqual(['ok']);
  expect(GAMES.cod.columns.find(({ key }) => key === 'merits')?.lifetime).toBeUndefined();
});

test('bad rows get their quality as a mark, the others none; every bad quality casts doubt on something', () => {
  const marks = withQualities(tableOf('rok', Array(QUALITIES.length).fill(good)), QUALITIES).texts.quality;
  expect(marks).toEqual(QUALITIES.map((quality) => (isBad(quality) ? quality : null)));
  for (const quality of QUALITIES) expect(DOUBTED[quality].length > 0).toBe(isBad(quality));
});
