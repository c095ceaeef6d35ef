import { expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { doubtedIn, isBad, QUALITIES, qualitiesOf, verdictsOf, withVerdicts } from '../../domain/scans/quality.ts';
import { emptyUnread, readRows } from '../../domain/scans/read.ts';
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
const verdictOf = (change: Row, before?: Row) =>
  verdictsOf(
    tableOf('rok', [{ ...good, ...change }]),
    before &&
      tableOf('rok', [
        { ...good, governor_id: 2, deads: 1 },
        { ...good, ...before },
      ]),
  )[0];

const noTiers = Object.fromEntries(Object.keys(unread).map((key) => [key, null]));

test.each([
  [{}, 'ok', ''],
  [{ killcount_t1: 5 }, 'ok', ''],
  [{ killcount_t1: 10 }, 'identity_broken', 'score tiers'],
  [{ killpoints: 158 }, 'identity_broken', 'score tiers'],
  [unread, 'tiers_unread', 'tiers'],
  [{ killpoints: 0 }, 'score_unread', 'score'],
  [{ killpoints: null }, 'score_unread', 'score'],
  // A governor who never fought; four kills of T1 are worth no whole point.
  [{ ...unread, killpoints: 0 }, 'ok', ''],
  [{ ...unread, killpoints: 0, killcount_t1: 4 }, 'ok', ''],
  [{ ...unread, killpoints: 0, deads: null, town_center: null, helps_given: null }, 'ok', ''],
  // Kills that a source does not have are unknown, and prove nothing.
  [noTiers, 'ok', ''],
  [{ ...noTiers, killcount_t4: 4, killcount_t5: 5 }, 'ok', ''],
  [{ ...noTiers, killcount_t4: 4, killcount_t5: 500 }, 'identity_broken', 'score tiers'],
  [{ power: 0 }, 'impossible', 'power'],
  [{ town_center: 26 }, 'impossible', 'hall'],
  [{ highest_power: 49 }, 'impossible', 'power'],
  [{ power: 0, ...unread }, 'impossible', 'power tiers'],
] as [Row, string, string][])('a row with %j is %s and doubts "%s"', (change, quality, doubted) =>
  expect(verdictOf(change)).toEqual({ quality, doubted: doubted === '' ? [] : doubted.split(' ') }),
);

test('a row with only the ranking list is good if no profile was ordered', () => {
  const listed: Row = { governor_id: 3, home_kingdom: 900, name: 'B', power: 7, highest_power: null };
  expect(qualitiesOf(tableOf('rok', [listed]))).toEqual(['listed']);
  expect(isBad('listed')).toBe(false);
});

test('a lord’s kills by tier cannot exceed all kills', () => {
  const lord = { lord_id: 1, home_server: 5, name: 'C', power: 9, highest_power: 9, merits: 1, killcount_t5: 8 };
  const verdicts = verdictsOf(tableOf('cod', [{ ...lord, units_killed: 7 }, { ...lord, units_killed: 8 }, lord]));
  expect(verdicts.map(({ quality }) => quality)).toEqual(['impossible', 'ok', 'ok']);
  // The power is not doubted.
  expect(verdicts[0]?.doubted).toEqual(['tiers']);
});

test.each([
  [1_000_000, 'ok'],
  [999_100, 'ok'],
  [999_001, 'ok'],
  [998_900, 'impossible'],
  [0, 'impossible'],
])('tiers of 1,000,000 kills beside %d in all are %s: sources round by less than 0.1 %%', (units_killed, quality) => {
  const lord = { lord_id: 1, home_server: 5, name: 'C', power: 9, highest_power: 9, merits: 1 };
  const table = tableOf('cod', [{ ...lord, killcount_t5: 1_000_000, units_killed }]);
  expect(qualitiesOf(table)).toEqual([quality]);
});

test.each([
  ['an equal reading', {}, {}, 'ok', ''],
  ['fewer deads than before', { deads: 69 }, {}, 'counter_fell', 'deads'],
  ['any other lifetime counter lower', { helps_given: 11 }, {}, 'counter_fell', 'helps_given'],
  [
    'fewer kills, with the points that follow from them',
    { killcount_t5: 4, killpoints: 137 },
    {},
    'counter_fell',
    'score tiers',
  ],
  ['less power, which may fall', { power: 1 }, {}, 'ok', ''],
  ['a counter that was not read now', { helps_given: null }, {}, 'ok', ''],
  ['a counter that was not read before', {}, { helps_given: null }, 'ok', ''],
  [
    'kills lower than those of an earlier reading that were in doubt',
    { killcount_t1: 5 },
    { killcount_t1: 300 },
    'ok',
    '',
  ],
  ['deads lower than well read ones of such a reading', { deads: 1 }, { killpoints: 158 }, 'counter_fell', 'deads'],
  ['a fall and a fault of its own', { deads: 1, killpoints: 0 }, {}, 'score_unread', 'score deads'],
] as [string, Row, Row, string, string][])('against an earlier reading: %s', (_, now, before, quality, doubted) =>
  expect(verdictOf(now, before)).toEqual({ quality, doubted: doubted === '' ? [] : doubted.split(' ') }),
);

test('a profile counts as read if any of its columns has a value', () => {
  const lord: Row = { lord_id: 1, home_server: 5, name: 'C', power: 9, map_id: 7, in_power_rankings: 1 };
  const rows: Row[] = [
    { ...lord, units_dead: 3 },
    { ...lord, faction: 'League of Order' },
    { ...lord, units_dead: 0 },
    { ...lord, units_dead: 0, merits: 0, highest_power: 0 },
    { ...lord, highest_power: 0, gold: 5 },
    lord,
  ];
  expect([...readRows(tableOf('cod', rows))]).toEqual([1, 1, 1, 0, 1, 0]);
  expect(qualitiesOf(tableOf('cod', rows))).toEqual(['ok', 'ok', 'ok', 'listed', 'ok', 'listed']);
  const { numbers } = emptyUnread(tableOf('cod', rows));
  expect([...(numbers.units_dead ?? [])]).toEqual([3, NaN, 0, NaN, NaN, NaN]);
  expect([...(numbers.power ?? [])]).toEqual(Array(6).fill(9));
});

test('a counter that is 0 in every row was not read, so it did not fall', () => {
  const then = tableOf('rok', [good, { ...good, governor_id: 2 }]);
  const now = (helps: number[]) =>
    tableOf(
      'rok',
      helps.map((helps_given, index) => ({ ...good, governor_id: index + 1, helps_given })),
    );
  expect(qualitiesOf(now([0, 0]), then)).toEqual(['ok', 'ok']);
  expect(qualitiesOf(now([0, 12]), then)).toEqual(['counter_fell', 'ok']);
});

test('a governor without kills was misread only if they had some before', () => {
  const peaceful = { ...good, ...unread, killpoints: 0 };
  const then = tableOf('rok', [good, { ...peaceful, governor_id: 2 }, { ...good, governor_id: 3 }]);
  const now = tableOf('rok', [peaceful, { ...peaceful, governor_id: 2 }, { ...good, governor_id: 3 }]);
  expect(verdictsOf(now, then)).toEqual([
    { quality: 'counter_fell', doubted: ['score', 'tiers'] },
    { quality: 'ok', doubted: [] },
    { quality: 'ok', doubted: [] },
  ]);
});

test('a fall of merits is no error, because they restart with a season', () => {
  const lord = { lord_id: 1, home_server: 5, name: 'C', power: 9, highest_power: 9, units_dead: 4 };
  const [now, then] = [
    { ...lord, merits: 1 },
    { ...lord, merits: 900 },
  ].map((row) => tableOf('cod', [row]));
  if (now && then) expect(qualitiesOf(now, then)).toEqual(['ok']);
  expect(GAMES.cod.columns.find(({ key }) => key === 'merits')?.lifetime).toBeUndefined();
});

test('rows with the same verdict share one object, because a scan has thousands', () => {
  const rows = [1, 2].map((id) => ({ governor_id: id, power: 5, killpoints: 7, killcount_t4: 1 }));
  const [one, other] = verdictsOf(tableOf('rok', rows));
  expect(one?.quality).toBe('identity_broken');
  expect(other).toBe(one);
});

test('only bad rows get their verdict as marks', () => {
  const verdicts = QUALITIES.map((quality) => ({ quality, doubted: isBad(quality) ? ['score', 'helps_given'] : [] }));
  const { texts } = withVerdicts(tableOf('rok', Array(QUALITIES.length).fill(good)), verdicts);
  expect(texts.quality).toEqual(QUALITIES.map((quality) => (isBad(quality) ? quality : null)));
  expect(texts.doubted?.map(doubtedIn)).toEqual(verdicts.map(({ doubted }) => doubted));
});
