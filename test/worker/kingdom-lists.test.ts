import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayStart } from '../../domain/days.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { type Caller, caller, db, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** Lists about kingdoms: their length, their order, and ties. */

const FIRST = '2026-03-01';
const at = (days: number) => dayStart(addDays(FIRST, days)) + 5 * 3_600_000;
const HOME = 3001;
const AWAY = 3002;
const BIG = 3003;

const from = (first: number, last: number, make: (id: number) => Row): Row[] =>
  Array.from({ length: last - first + 1 }, (_, index) => make(first + index));
/** Governors 1 to 40: two of each power, each alone in an alliance. */
const settled = (name: string): Row[] =>
  from(1, 40, (id) =>
    governor(id, 50e6 - Math.floor((id - 1) / 2) * 1e6, {
      name: `${name} ${id}`,
      alliance_tag: `T${String(id).padStart(2, '0')}`,
    }),
  );
const movers = (name: string): Row[] =>
  from(101, 140, (id) => governor(id, 10e6, { name: `${name} ${id}`, alliance_tag: 'M', deads: id + name.length }));
/** 301 governors in one alliance, of whom 38 came from another one at the same time. */
const crowd = (earlier: string): Row[] =>
  from(1001, 1302, (id) =>
    governor(id, 5e6, { alliance_tag: id === 1302 ? 'OLD' : id > 1002 && id <= 1040 ? earlier : 'CROWD' }),
  );

let user: Caller;
const idsOf = (rows: { id?: number; governor_id?: number }[]) => rows.map(({ id, governor_id }) => id ?? governor_id);
const run = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

beforeAll(async () => {
  user = await signedInUser();
  // Published in reverse, so that no list is sorted by chance.
  await publishRows('rok', AWAY, at(0), movers('Settler').reverse());
  await publishRows('rok', HOME, at(0), settled('Old').reverse());
  await publishRows('rok', BIG, at(0), crowd('OLD').reverse());
  await publishRows('rok', HOME, at(8), [...settled('New'), ...movers('Mover')].reverse());
  await publishRows('rok', BIG, at(8), crowd('CROWD').reverse());
  await publishRows('rok', AWAY, at(8), [governor(150, 1e6, { name: 'Left behind' })]);
  for (const kingdom of run(3004, 6)) await publishRows('rok', kingdom, at(8), [governor(kingdom * 10, 1e6)]);
  await publishRows('cod', HOME, at(8), [{ lord_id: 1, name: 'New 1', power: 60e6, alliance_tag: 'T01' }]);
  while ((await digestKingdoms(db, env.STORE)) > 0);
});

describe('a kingdom’s page', () => {
  it('lists 15 of each, 30 alliances and moves, with ties by lower id', async () => {
    const { data } = await user.call('GET', `/v1/kingdoms/${HOME}/`);
    expect(idsOf(data.players)).toEqual(run(1, 15));
    expect(idsOf(data.inactive)).toEqual(run(1, 15));
    expect(data.inactive_count).toBe(40);
    expect(idsOf(data.name_changes)).toEqual(run(1, 15));
    expect(data.name_changes[0]).toEqual({ id: 1, old_name: 'Old 1', current_name: 'New 1', time: at(8) });
    expect(idsOf(data.arrived)).toEqual(run(101, 30));
    expect(data.arrived[0]).toMatchObject({ kingdom_id: AWAY, power: 10e6, time: at(8) });
    expect(data.left).toEqual([]);
    expect(data.alliances.map(({ tag }: { tag: string }) => tag)).toEqual([
      'M',
      ...run(1, 29).map((id) => `T${String(id).padStart(2, '0')}`),
    ]);
    const away = (await user.call('GET', `/v1/kingdoms/${AWAY}/`)).data;
    expect(idsOf(away.left)).toEqual(run(101, 30));
    expect(away.left[0]).toMatchObject({ kingdom_id: HOME });
    expect(away.arrived).toEqual([]);
  });

  it('has no alliances after a scan without any', async () => {
    const bare = 3012;
    const tags = async () =>
      (await user.call('GET', `/v1/kingdoms/${bare}/`)).data.alliances.map(({ tag }: { tag: string }) => tag);
    await publishRows('rok', bare, at(7), [governor(bare * 10, 2e6, { alliance_tag: 'GONE' })]);
    await digestKingdoms(db, env.STORE);
    await publishRows('rok', bare, at(8), [governor(bare * 10, 2e6, { alliance_tag: '' })]);
    await digestKingdoms(db, env.STORE);
    expect(await tags()).toEqual([]);
  });

  it('suggests the six nearest kingdoms of both games if it does not exist', async () => {
    const { data } = await user.call('GET', '/v1/kingdoms/3007/nearby');
    expect(data.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id)).toEqual([
      3007, 3008, 3006, 3009, 3005, 3004,
    ]);
    const below = (await user.call('GET', '/v1/kingdoms/3000/nearby')).data;
    expect(below.map(({ game, kingdom_id }: { game: string; kingdom_id: number }) => `${game} ${kingdom_id}`)).toEqual([
      'rok 3001',
      'cod 3001',
      'rok 3002',
      'rok 3003',
    ]);
  });
});

describe('a governor’s page', () => {
  it('shows three neighbours on either side by rank, including equal power', async () => {
    for (const [id, first, count] of [
      [20, 17, 7],
      [1, 1, 4],
      [2, 1, 5],
    ] as const) {
      const { near } = (await user.call('GET', `/v1/governors/${id}/`)).data;
      expect(idsOf(near)).toEqual(run(first, count));
      expect(near.map(({ rank }: { rank: number }) => rank)).toEqual(run(first, count));
    }
    const last = (await user.call('GET', '/v1/governors/140/')).data.near;
    expect(idsOf(last)).toEqual(run(137, 4));
    expect(last.at(-1).rank).toBe(80);
  });

  it('lists changes of the same time by field', async () => {
    const { history } = (await user.call('GET', '/v1/governors/101/')).data;
    expect(history).toEqual([
      { time: at(8), field: 'kingdom_id', old: '3002', value: '3001' },
      { time: at(8), field: 'name', old: 'Settler 101', value: 'Mover 101' },
    ]);
  });

  it('suggests the six nearest ids, nearest first, if it does not exist', async () => {
    const { data } = await user.call('GET', '/v1/governors/77/nearby');
    expect(
      data.map(({ game, governor_id }: { game: string; governor_id: number }) => `${game} ${governor_id}`),
    ).toEqual([...['rok 101', 'rok 102', 'rok 103', 'rok 40', 'rok 39', 'rok 38']]);
    const one = (await user.call('GET', '/v1/governors/1/nearby')).data;
    expect(one.slice(0, 2)).toEqual([
      { game: 'rok', governor_id: 1, name: 'New 1', kingdom_id: HOME },
      { game: 'cod', governor_id: 1, name: 'New 1', kingdom_id: HOME },
    ]);
  });
});

describe('an alliance’s page', () => {
  it('lists 300 members and counts them all, with 30 who joined or left', async () => {
    const page = async (tag: string) => (await user.call('GET', `/v1/alliances/${BIG}/${tag}/`)).data;
    const crowded = await page('CROWD');
    expect(crowded.member_count).toBe(301);
    expect(idsOf(crowded.members)).toEqual(run(1001, 300));
    expect(crowded.power).toBe(301 * 5e6);
    expect(idsOf(crowded.joined)).toEqual(run(1003, 30));
    expect(crowded.left).toEqual([]);
    const old = await page('OLD');
    expect(idsOf(old.left)).toEqual(run(1003, 30));
    expect(old.left[0]).toMatchObject({ tag: 'CROWD', time: at(8) });
    expect(old.joined).toEqual([]);
  });
});

describe('the search', () => {
  const find = async (text: string) => (await caller().call('GET', `/v1/search?q=${encodeURIComponent(text)}`)).data;

  it('finds eight per kind, the exact name first, then names that begin with it', async () => {
    const { governors } = await find('New 1');
    expect(governors).toHaveLength(8);
    // The exact names of both games come first, then names with one more digit.
    expect(governors.slice(0, 2)).toMatchObject([
      { game: 'cod', governor_id: 1 },
      { game: 'rok', governor_id: 1 },
    ]);
    expect(new Set(idsOf(governors.slice(2, 7)))).toEqual(new Set(run(10, 5)));
    expect(idsOf((await find('ew 12')).governors)).toEqual([12]);
    // The only name with this prefix comes before similar names.
    expect(idsOf((await find('mover 14')).governors).at(0)).toBe(140);
  });

  it('lists the exact id before names that contain it', async () => {
    const { governors, kingdoms, alliances } = await find('140');
    expect(idsOf(governors)).toEqual([140, 1140]);
    expect(kingdoms).toEqual([]);
    expect(alliances).toEqual([]);
    expect((await find('T01')).alliances).toMatchObject([
      { game: 'cod', kingdom_id: HOME, member_count: 1 },
      { game: 'rok', kingdom_id: HOME, member_count: 1 },
    ]);
  });

  it('lists eight kingdoms by number, Rise of Kingdoms first on ties', async () => {
    const { kingdoms } = await find('300');
    expect(
      kingdoms.map(({ game, kingdom_id }: { game: string; kingdom_id: number }) => `${game} ${kingdom_id}`),
    ).toEqual([...['rok 3001', 'cod 3001'], ...run(3002, 6).map((id) => `rok ${id}`)]);
  });
});
