import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { dayOf, dayStart } from '../../domain/days.ts';
import { noteVisit } from '../../worker/models/accounts/visits.ts';
import { watchedKingdoms } from '../../worker/models/kingdoms/monitored.ts';
import { movedKingdoms } from '../../worker/models/kingdoms/moved.ts';
import { showMoved } from '../../worker/services/kingdoms/show-moved.ts';
import { caller, db, scanOf, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** What moved in a user's kingdoms since their last visit. */

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

type User = Awaited<ReturnType<typeof signedInUser>>;

/** A user who watches these kingdoms by a schedule that has not run yet. */
async function watching(kingdoms: number[]): Promise<User> {
  const user = await signedInUser();
  const start = new Date(Date.now() + DAY_MS).toISOString();
  const body = { orders: [scanOf(kingdoms)], scheduleInfo: { start, interval: 1, period: 'week' } };
  expect((await user.call('POST', '/v1/order/create', body)).status).toBe(200);
  return user;
}

const moves = async (user: User) => {
  const { status, data } = await user.call('GET', '/v1/monitored/moves');
  expect(status).toBe(200);
  return data;
};

const settled = (kingdom: number, more = {}) =>
  Array.from({ length: 100 }, (_, index) => governor(kingdom * 1000 + index, 90e6 - index * 1e5, more));

it('lists who joined, left, was renamed or stood still since the last visit', async () => {
  const [home, away] = [2101, 2102];
  const user = await watching([home]);
  const then = Date.now() - 3 * DAY_MS;
  const id = (index: number) => home * 1000 + index;
  const before = settled(home);
  // Seven leave without a trace, one moves away, six join; two are renamed, one of them twice.
  await publishRows('rok', home, then - HOUR_MS, [
    ...before,
    ...Array.from({ length: 7 }, (_, index) => governor(500 + index, 95e6 - index)),
    governor(600, 80e6 + 7, { name: 'Mover' }),
    governor(601, 79e6, { name: 'Returner' }),
  ]);
  await noteVisit(db, user.id, then);
  await publishRows('rok', home, then + DAY_MS, [
    ...before.map((row, index) => (index === 3 ? { ...row, name: 'Between' } : row)),
  ]);
  // A governor who left and came back has not left.
  await publishRows('rok', away, then + DAY_MS, [
    governor(600, 80e6 + 7, { name: 'Mover' }),
    governor(601, 79e6, { name: 'Returner' }),
  ]);
  await publishRows('rok', home, then + 2 * DAY_MS, [
    ...before.map((row, index) => {
      if (index === 3) return { ...row, name: 'After', power: 95e6 };
      if (index === 4) return { ...row, name: 'Other', deads: 7 };
      return index < 40 ? { ...row, power: Number(row.power) + 1 } : row;
    }),
    ...Array.from({ length: 6 }, (_, index) => governor(700 + index, 70e6 + index)),
    governor(601, 79e6 + 5, { name: 'Returner' }),
  ]);

  const { last_visit, since, kingdoms, more } = await moves(user);
  expect([last_visit, since, more]).toEqual([then, then, 0]);
  expect(kingdoms).toHaveLength(1);
  const [{ joined, left, renamed, still, ...rest }] = kingdoms;
  expect(rest).toMatchObject({
    game: 'rok',
    kingdom_id: home,
    last_scan: then + 2 * DAY_MS,
    before: then - HOUR_MS,
    compared: 101,
  });
  expect(joined.count).toBe(6);
  expect(joined.governors).toEqual([705, 704, 703, 702, 701].map((one) => ({ id: one, name: `Governor ${one}` })));
  expect(left.count).toBe(8);
  expect(left.governors.map((one: { id: number }) => one.id)).toEqual([500, 501, 502, 503, 504]);
  expect(left.governors[0]).toEqual({ id: 500, name: 'Governor 500', kingdom_id: null });
  expect(renamed).toEqual({
    count: 2,
    governors: [
      { id: id(3), name: 'After', old_name: `Governor ${id(3)}` },
      { id: id(4), name: 'Other', old_name: `Governor ${id(4)}` },
    ],
  });
  expect(still.count).toBe(60);
  expect(still.governors.map((one: { id: number }) => one.id)).toEqual([40, 41, 42, 43, 44].map(id));

  // The new kingdom is shown if the governor who moved is among the strongest who left.
  const all = await movedKingdoms(db, env.STORE, await watchedKingdoms(db, user.id, Date.now()), then);
  expect(all.kingdoms[0]?.left?.count).toBe(8);
  await publishRows('rok', away, then + 2 * DAY_MS, [governor(600, 99e6, { name: 'Mover' })]);
  expect((await moves(user)).kingdoms[0].left.governors[0]).toEqual({ id: 600, name: 'Mover', kingdom_id: away });

  expect((await moves(await signedInUser())).kingdoms).toEqual([]);
  expect(await caller().call('GET', '/v1/monitored/moves')).toMatchObject({ status: 401 });
});

it('skips kingdoms not scanned since, and lists no names for a single scan', async () => {
  const [quiet, fresh] = [2111, 2112];
  const user = await watching([quiet, fresh]);
  const then = Date.now() - DAY_MS;
  await publishRows('rok', quiet, then, settled(quiet));
  await noteVisit(db, user.id, then);
  await publishRows('rok', fresh, then + 1, settled(fresh));
  const { kingdoms } = await moves(user);
  expect(kingdoms).toMatchObject([
    { kingdom_id: fresh, before: null, compared: null, power_change: null, joined: null, left: null, still: null },
  ]);
  expect(kingdoms[0].power).toBeGreaterThan(0);
  expect(kingdoms[0].renamed).toEqual({ count: 0, governors: [] });
});

it('ignores governors that only the deeper of two scans reached', async () => {
  const [deeper, shallower] = [2115, 2116];
  const user = await watching([deeper, shallower]);
  const then = Date.now() - 2 * DAY_MS;
  const rows = (kingdom: number, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) =>
      governor(kingdom * 1000 + from + index, 90e6 - (from + index) * 1e5 + from),
    );
  await publishRows('rok', deeper, then, rows(deeper, 100));
  await publishRows('rok', shallower, then, rows(shallower, 140));
  await noteVisit(db, user.id, then);
  // One of the strongest went and another came, in each.
  await publishRows('rok', deeper, then + DAY_MS, rows(deeper, 140, 1));
  await publishRows('rok', shallower, then + DAY_MS, rows(shallower, 100, 1));
  const { kingdoms } = await moves(user);
  const counts = kingdoms.map(({ kingdom_id, joined, left, still }: Record<string, { count: number }>) => [
    kingdom_id,
    joined?.count,
    left?.count,
    still?.count,
  ]);
  expect(counts.toSorted()).toEqual([
    // A governor who rose into the range of the shallower scan has not joined.
    [deeper, 0, 1, 0],
    [shallower, 0, 1, 0],
  ]);
});

it('lists ten kingdoms, last scanned first, and counts the rest', async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => 2120 + index);
  const user = await watching(numbers);
  const then = Date.now() - DAY_MS;
  for (const [index, kingdom] of numbers.entries()) await publishRows('rok', kingdom, then + index, settled(kingdom));
  const { kingdoms, more } = await moves(user);
  expect(kingdoms.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id)).toEqual(
    numbers.toReversed().slice(0, 10),
  );
  expect(more).toBe(2);
});

it('a visit ends four hours after it was last recorded', async () => {
  const user = await signedInUser();
  const start = Date.UTC(2026, 8, 1);
  const seen = async (now: number) => (await showMoved(db, env, user.id, now)).last_visit;
  expect(await showMoved(db, env, user.id, start)).toMatchObject({ last_visit: null, since: start - 7 * DAY_MS });
  await noteVisit(db, user.id, start);
  expect(await seen(start + 1)).toBeNull();
  // Within five minutes nothing is written.
  await noteVisit(db, user.id, start + 5 * MINUTE_MS);
  expect(await seen(start + 4 * HOUR_MS + 1)).toBe(start);
  await noteVisit(db, user.id, start + 4 * HOUR_MS);
  expect(await seen(start + 8 * HOUR_MS)).toBeNull();
  expect(await seen(start + 8 * HOUR_MS + 1)).toBe(start + 4 * HOUR_MS);
  // The next visit, and later in it.
  await noteVisit(db, user.id, start + DAY_MS);
  expect(await seen(start + DAY_MS + 1)).toBe(start + 4 * HOUR_MS);
  await noteVisit(db, user.id, start + DAY_MS + HOUR_MS);
  expect(await seen(start + DAY_MS + 2 * HOUR_MS)).toBe(start + 4 * HOUR_MS);
  // After a long absence, four weeks are shown.
  const late = start + 40 * DAY_MS;
  expect(await showMoved(db, env, user.id, late)).toMatchObject({
    last_visit: start + DAY_MS + HOUR_MS,
    since: late - 28 * DAY_MS,
  });
});

it('only the page records a visit', async () => {
  const user = await signedInUser();
  const noted = async () => (await user.call('GET', '/v1/account/export')).data.visit;
  await moves(user);
  expect(await noted()).toBeNull();
  expect((await user.call('POST', '/v1/account/visit')).status).toBe(200);
  expect((await noted()).seen_at).toBeGreaterThan(Date.now() - MINUTE_MS);
  expect(await caller().call('POST', '/v1/account/visit')).toMatchObject({ status: 401 });
});

it('does not count governors as new who rose into the range of a shallower scan', async () => {
  const kingdom = 2118;
  const user = await watching([kingdom]);
  const then = Date.now() - 2 * DAY_MS;
  const id = (index: number) => kingdom * 1000 + index;
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => governor(id(index), 90e6 - index * 1e5));
  // Ten days ago a deeper scan listed the governor at index 105.
  await publishRows('rok', kingdom, then - 10 * DAY_MS, people(120));
  await publishRows('rok', kingdom, then, people(100));
  await noteVisit(db, user.id, then);
  const grown = people(140).map((row, index) => {
    if (index === 105) return { ...row, power: 95e6 };
    return index === 130 ? { ...row, power: 80.5e6 } : row;
  });
  const [stranger, weak] = [governor(id(900), 97e6), governor(id(901), 81e6)];
  await publishRows('rok', kingdom, then + DAY_MS, [...grown, stranger, weak]);
  const [moved] = (await moves(user)).kingdoms;
  expect(moved.joined).toEqual({ count: 1, governors: [{ id: id(900), name: `Governor ${id(900)}` }] });
  expect(moved.left.count).toBe(0);
  // A hundred are in both scans, without the two who are stronger now.
  expect(moved).toMatchObject({ compared: 100, power_change: 0 });
});

it('the first visit and a kingdom’s card compare the same scans', async () => {
  const kingdom = 2119;
  const user = await watching([kingdom]);
  const today = dayStart(dayOf(Date.now()));
  // One scan a week before the last one, and one nearer to a week before now, each on its own day.
  await publishRows('rok', kingdom, today - 7.5 * DAY_MS, settled(kingdom));
  await publishRows('rok', kingdom, today - 7 * DAY_MS + 1, settled(kingdom, { power: 85e6 }));
  await publishRows('rok', kingdom, today - 0.5 * DAY_MS, settled(kingdom, { power: 86e6 }));
  const [moved] = (await moves(user)).kingdoms;
  const [card] = (await user.call('GET', '/v1/monitored/kingdoms/')).data.kingdoms;
  for (const key of ['before', 'compared', 'power', 'power_change', 'score_change']) expect(moved[key]).toBe(card[key]);
  expect([moved.joined.count, moved.left.count]).toEqual([card.joined, card.left]);
});
