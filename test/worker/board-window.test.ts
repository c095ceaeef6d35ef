import { beforeAll, expect, it } from 'vitest';
import { WINDOW_DAYS } from '../../domain/boards/leaderboard.ts';
import { addDays, DAY_MS, type Day, dayStart } from '../../domain/days.ts';
import { firstDay, kingdomRows, pruneHistory, rankedScans } from '../../worker/models/boards/board-rows.ts';
import { db, signedInUser } from './client.ts';
import { cell } from './people.ts';
import { governor, publishRows } from './scans.ts';

/** The scans that a day's board uses: up to which millisecond of a day, and for how many days. */

const DAY: Day = '2026-03-01';
const NOON = dayStart(DAY) + DAY_MS / 2;
const rows = (kingdom: number, count: number, more = {}) =>
  Array.from({ length: count }, (_, index) => governor(kingdom * 100 + index, 9e6 - index, more));

const scans = async (day: Day) =>
  (await rankedScans(db, 'rok', day)).map(({ kingdom_id, captured_at }) => [kingdom_id, captured_at]);
const kingdoms = async (day: Day) =>
  (await kingdomRows(db, 'rok', day)).map(({ kingdom_id, timestamp }) => [kingdom_id, timestamp]);

const listed = Object.fromEntries(
  ['highest_power', 'killpoints', 'deads', 'town_center', ...[1, 2, 3, 4, 5].map((t) => `killcount_t${t}`)].map(
    (key) => [key, null],
  ),
);

beforeAll(async () => {
  await publishRows('rok', 12, NOON, rows(12, 3));
  await publishRows('rok', 11, dayStart(DAY), rows(11, 3));
  await publishRows('rok', 13, dayStart(addDays(DAY, 1)) - 1, rows(13, 3));
  await publishRows('cod', 14, NOON, [{ lord_id: 1, name: 'A', power: 5 }]);
});

it('a day’s board uses the scans of its game up to its last millisecond, newest first', async () => {
  expect(await scans(addDays(DAY, -1))).toEqual([]);
  expect(await scans(DAY)).toEqual([
    [13, dayStart(addDays(DAY, 1)) - 1],
    [12, NOON],
    [11, dayStart(DAY)],
  ]);
  expect(await firstDay(db, 'rok')).toBe(DAY);
});

it('a scan counts for 30 days from its own, on governor and kingdom boards', async () => {
  const last = addDays(DAY, WINDOW_DAYS - 1);
  expect((await scans(last)).map(([kingdom]) => kingdom)).toEqual([13, 12, 11]);
  expect((await kingdoms(last)).map(([kingdom]) => kingdom)).toEqual([11, 12, 13]);
  expect(await scans(addDays(last, 1))).toEqual([]);
  expect(await kingdoms(addDays(last, 1))).toEqual([]);
});

it('an older scan counts only if it has more rows or profiles than every newer one', async () => {
  const at = (days: number) => NOON + days * DAY_MS;
  await publishRows('rok', 20, at(0), rows(20, 9));
  await publishRows('rok', 20, at(1), rows(20, 5));
  await publishRows('rok', 20, at(2), rows(20, 9, listed));
  await publishRows('rok', 20, at(3), rows(20, 5));
  await publishRows('rok', 20, at(4), rows(20, 4));
  const of20 = (await scans(addDays(DAY, 4))).filter(([kingdom]) => kingdom === 20);
  // Day 1 has no more rows than day 3. Day 2 has more rows but no profiles. Day 0 has more profiles.
  expect(of20.map(([, at_]) => at_)).toEqual([at(4), at(3), at(2), at(0)]);
});

it('ranks kingdoms by the newest day with half the governors of the deepest, ties by number', async () => {
  const at = (days: number) => NOON + days * DAY_MS;
  for (const kingdom of [31, 30]) {
    await publishRows('rok', kingdom, at(0), rows(kingdom, 8));
    await publishRows('rok', kingdom, at(1), rows(kingdom, 4));
    await publishRows('rok', kingdom, at(2), rows(kingdom, 3));
  }
  const both = (await kingdoms(addDays(DAY, 2))).filter(([kingdom]) => kingdom === 30 || kingdom === 31);
  expect(both).toEqual([
    [30, at(1)],
    [31, at(1)],
  ]);
});

it('pruning deletes days older than 90 days and nothing else', async () => {
  const old = addDays(DAY, -10);
  await publishRows('rok', 40, dayStart(old), rows(40, 2, { name: 'Before' }));
  await publishRows('rok', 40, dayStart(addDays(old, 1)), rows(40, 2, { name: 'Then' }));
  await publishRows('rok', 40, dayStart(addDays(old, 2)), rows(40, 2, { name: 'Now' }));
  await publishRows('cod', 40, dayStart(old), [{ lord_id: 9, name: 'A', power: 5 }]);
  const counts = (game: string) =>
    Promise.all([
      cell<number>(`SELECT count(*) FROM kingdom_days WHERE game = ? AND day < ?`, game, DAY),
      cell<number>(`SELECT count(*) FROM governor_changes WHERE game = ? AND kingdom_id = 40`, game),
    ]);
  expect(await counts('rok')).toEqual([3, 4]);
  await pruneHistory(db, dayStart(addDays(old, 91)));
  expect(await counts('rok')).toEqual([2, 4]);
  expect(await counts('cod')).toEqual([0, 0]);
  await pruneHistory(db, dayStart(addDays(old, 92)));
  expect(await counts('rok')).toEqual([1, 2]);
  const user = await signedInUser();
  expect(await user.call('GET', '/v1/kingdoms/40/?game=cod')).toMatchObject({
    status: 404,
    msg: `Server 40 was last scanned on ${old}. Scans are shown for 90 days.`,
  });
});
