import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayStart } from '../../domain/days.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { type Caller, caller, db, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

const FIRST = '2026-03-01';
const at = (days: number) => dayStart(addDays(FIRST, days)) + 5 * 3_600_000;
/** Tags, a right-to-left override, a bell, a lone half of an emoji: what players get past a game's own checks. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202e\u0007';

let user: Caller & { id: string };

beforeAll(async () => {
  user = await signedInUser();
  for (let day = 0; day <= 8; day++) {
    await publishRows('rok', 1001, at(day), [
      governor(1, 90e6 + day * 1000, {
        name: day < 5 ? 'Ærik the Old' : '꧁ 𝕳éʀO ꧂',
        killpoints: 2000 + 20 * day,
        killcount_t5: 100 + day,
        helps_given: 10 * day,
      }),
      governor(2, 80e6, { name: '龍王', alliance_tag: 'WOLF', alliance_name: 'Wolves of the North' }),
      governor(3, 70e6 + day, { name: HOSTILE, alliance_tag: 'WOLF', alliance_name: 'Wolves of the North' }),
      governor(4, 4e6 + day, { name: 'Kingfisher' }),
      ...(day < 6 ? [governor(5, 60e6 + day, { name: 'Wanderer' })] : []),
    ]);
    await publishRows('rok', 1002, at(day) + 1, [
      governor(6, 30e6 + day, { name: '용사' }),
      ...(day < 6 ? [] : [governor(5, 60e6 + day, { name: 'Wanderer' })]),
    ]);
  }
  await publishRows('cod', 1001, at(8), [
    { lord_id: 1, name: 'Lord of one', power: 5e6, merits: 700, faction: 'Order' },
  ]);
  expect(await digestKingdoms(db, env.STORE)).toBe(3);
  expect(await digestKingdoms(db, env.STORE)).toBe(0);
  await publishDueBoards(db, env.STORE, at(9));
});

describe('a governor', () => {
  it('has a profile, a week of days and its changes', async () => {
    const { status, data } = await user.call('GET', '/v1/governors/1/');
    expect(status).toBe(200);
    expect(data.free).toMatchObject({
      governor_id: 1,
      name: '꧁ 𝕳éʀO ꧂',
      home_kingdom: 1001,
      alliance: 'A1',
      power: 90_008_000,
      killpoints: 2160,
      killpoints_t5: 2160,
      helps_given: 80,
    });
    expect(data.quality).toBe('ok');
    expect(data.days.map(({ day }: { day: string }) => day)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((days) => addDays(FIRST, days)),
    );
    expect(data.days.at(-1)).toMatchObject({ rank: 1, power: 90_008_000, score: 2160 });
    expect(data.subscription.changes).toHaveLength(7);
    expect(data.subscription.changes[0]).toEqual({
      time: at(8),
      changes: [
        { field: 'power', old: 90_007_000, value: 90_008_000 },
        { field: 'killpoints', old: 2140, value: 2160 },
        { field: 'killcount_t5', old: 107, value: 108 },
        { field: 'highest_power', old: 90_007_000, value: 90_008_000 },
        { field: 'helps_given', old: 70, value: 80 },
      ],
    });
    expect(data.history).toEqual([{ time: at(5), field: 'name', old: 'Ærik the Old', value: '꧁ 𝕳éʀO ꧂' }]);
  });

  it('is listed among governors near in rank', async () => {
    const { data } = await user.call('GET', '/v1/governors/3/?game=rok');
    expect(
      data.near.map(({ rank, governor_id }: { rank: number; governor_id: number }) => [rank, governor_id]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    expect(data.free.name).toBe(HOSTILE);
  });

  it('keeps its history across kingdoms', async () => {
    const { data } = await user.call('GET', '/v1/governors/5/');
    expect(data.free.home_kingdom).toBe(1002);
    expect(data.history).toMatchObject([{ field: 'kingdom_id', old: '1001', value: '1002' }]);
    expect(data.days.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id)).toEqual([
      1001, 1001, 1001, 1001, 1001, 1002, 1002, 1002,
    ]);
  });

  it('of the other game has its own figures under the same id', async () => {
    const { data } = await user.call('GET', '/v1/governors/1/?game=cod');
    expect(data.free).toMatchObject({ lord_id: 1, name: 'Lord of one', merits: 700, faction: 'Order' });
    expect(data.free.killpoints_t5).toBeUndefined();
  });

  it('opens longer charts to buyers of the history', async () => {
    const refused = await user.call('GET', '/v1/governors/1/?days=30');
    expect(refused).toMatchObject({ status: 402, msg: '30 days open with the 90-day history of kingdom 1001.' });
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO orders (uuid, user_id, placed_at, total_cents, entries) VALUES ('history', ?, 1, 0, '[]')`,
      ).bind(user.id),
      env.DB.prepare(
        `INSERT INTO items (id, order_id, position, product_id, game, kingdom_id, governors, full_profile, price_cents,
           details, state, subtask_count, incomplete_count, finished_at)
         SELECT 'ihistory', id, 0, 'rok-history', 'rok', 1001, 100, 1, 200, '{}', 'done', 0, 0, ? FROM orders
         WHERE uuid = 'history'`,
      ).bind(Date.now()),
    ]);
    const { data } = await user.call('GET', '/v1/governors/1/?days=90');
    expect(data).toMatchObject({ days_open: 90 });
    expect(data.days).toHaveLength(9);
  });

  it('that does not exist is refused with a sentence', async () => {
    expect(await caller().call('GET', '/v1/governors/1/')).toMatchObject({ status: 401, success: 0 });
    expect(await user.call('GET', '/v1/governors/77/')).toMatchObject({ status: 404, success: 0 });
    expect(await user.call('GET', '/v1/governors/x/')).toMatchObject({ status: 400, msg: 'id: must be a number.' });
    expect(await user.call('GET', '/v1/governors/1/?days=8')).toMatchObject({
      status: 400,
      msg: 'days: must be 7, 30 or 90.',
    });
    const near = await user.call('GET', '/v1/governors/77/nearby');
    expect(near.data[0]).toMatchObject({ game: 'rok', governor_id: 6 });
  });
});

describe('a kingdom', () => {
  it('has a chart, the strongest players, changes and moves', async () => {
    const { data } = await user.call('GET', '/v1/kingdoms/1001/');
    expect(data.chart).toHaveLength(8);
    expect(data.chart.at(-1)).toMatchObject({
      day: addDays(FIRST, 8),
      total_power: 244_008_016,
      // Four governors do not tell the power of the top three hundred.
      top300_power: null,
      player_count: 4,
      total_score: 2160 + 40 + 60 + 80,
    });
    expect(data.players.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4]);
    expect(data.kingdoms).toEqual([
      { id: 1001, name: 'Kingdom 1001', score: 244_008_016 },
      { id: 1002, name: 'Kingdom 1002', score: 90_000_016 },
    ]);
    expect(data.name_changes).toEqual([{ id: 1, old_name: 'Ærik the Old', current_name: '꧁ 𝕳éʀO ꧂', time: at(5) }]);
    expect(data.alliances[0]).toEqual({
      tag: 'WOLF',
      name: 'Wolves of the North',
      members: 2,
      power: 150_000_008,
      score: 100,
    });
    expect(data.distribution.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { from: 0, count: 1 },
      { from: 60e6, count: 1 },
      { from: 80e6, count: 2 },
    ]);
    // Only governor 2 has the figures of a week ago.
    expect(data.inactive).toMatchObject([{ id: 2, name: '龍王' }]);
    expect(data.inactive_count).toBe(1);
    expect(data.left).toMatchObject([{ id: 5, kingdom_id: 1002 }]);
    expect(data.arrived).toEqual([]);
    const other = await user.call('GET', '/v1/kingdoms/1002/');
    expect(other.data.arrived).toMatchObject([{ id: 5, kingdom_id: 1001 }]);
  });

  it('that does not exist is refused with a sentence', async () => {
    expect(await user.call('GET', '/v1/kingdoms/4000/')).toMatchObject({
      status: 404,
      msg: 'Kingdom 4000 was never scanned.',
    });
    expect(await user.call('GET', '/v1/kingdoms/100000/')).toMatchObject({
      status: 400,
      msg: 'id: must be from 1 to 99,999.',
    });
    const near = await user.call('GET', '/v1/kingdoms/1003/nearby');
    expect(near.data[0]).toEqual({ game: 'rok', kingdom_id: 1002 });
  });
});

describe('the search', () => {
  const find = async (text: string) => (await caller().call('GET', `/v1/search?q=${encodeURIComponent(text)}`)).data;
  const idsFor = async (text: string) =>
    (await find(text)).governors.map(
      ({ game, governor_id }: { game: string; governor_id: number }) => `${game}${governor_id}`,
    );

  it('finds names in any script or style, by a part or with a typing error', async () => {
    expect(await idsFor('hero')).toEqual(['rok1']);
    expect(await idsFor('ＨＥＲＯ')).toEqual(['rok1']);
    expect(await idsFor('龍王')).toEqual(['rok2']);
    expect(await idsFor('王')).toEqual([]);
    expect(await idsFor('용사')).toEqual(['rok6']);
    expect(await idsFor('fish')).toEqual(['rok4']);
    expect(await idsFor('kingfihser')).toEqual(['rok4']);
    expect(await idsFor('wonderer')).toEqual(['rok5']);
    // A former name is not found.
    expect(await idsFor('erik')).toEqual([]);
  });

  it('finds governors by id, kingdoms by number, alliances by tag and name, in both games', async () => {
    expect(await idsFor('1')).toEqual(expect.arrayContaining(['rok1', 'cod1']));
    expect((await find('1001')).kingdoms).toEqual([
      { game: 'rok', kingdom_id: 1001 },
      { game: 'cod', kingdom_id: 1001 },
    ]);
    const wolves = [{ game: 'rok', kingdom_id: 1001, alliance_tag: 'WOLF', alliance_name: 'Wolves of the North' }];
    expect((await find('wolf')).alliances).toMatchObject(wolves);
    expect((await find('of the north')).alliances).toMatchObject(wolves);
  });

  it('treats hostile text as text', async () => {
    expect(await idsFor('onerror')).toEqual(['rok3']);
    for (const text of ['"', "' OR 1=1 --", '*', 'key:', 'NEAR(a b)', '%', '\u202e', 'a'.repeat(200), '('])
      expect(await find(text)).toHaveProperty('governors');
    expect(await caller().call('GET', '/v1/search?q=')).toMatchObject({
      status: 400,
      msg: 'q: must say what to look for.',
    });
    expect(await caller().call('GET', `/v1/search?q=${'a'.repeat(201)}`)).toMatchObject({ status: 400 });
  });
});
