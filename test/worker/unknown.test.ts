import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { kingdomAnswer } from '../../domain/kingdoms/contract.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { kingdomRows } from '../../worker/models/boards/board-rows.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { type Caller, db, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

const FIRST: Day = '2026-03-01';
const at = (days: number, hour = 5) => dayStart(addDays(FIRST, days)) + hour * 3_600_000;
const UNREAD = [
  'killpoints',
  'deads',
  'town_center',
  'highest_power',
  ...[1, 2, 3, 4, 5].map((t) => `killcount_t${t}`),
];

/** A governor's row of the ranking list. */
const listed = (id: number, power: number): Row => {
  const { governor_id, name, alliance_tag } = governor(id, power) as Record<string, string>;
  return {
    governor_id: Number(governor_id),
    name: name ?? '',
    alliance_tag: alliance_tag ?? '',
    power,
    highest_power: null,
  };
};
const many = (count: number, make: (id: number) => Row): Row[] =>
  Array.from({ length: count }, (_, id) => make(id + 1));

let user: Caller;
beforeAll(async () => {
  user = await signedInUser();
});
const kingdom = async (id: number, game = 'rok') => {
  const { data } = await user.call('GET', `/v1/kingdoms/${id}/?game=${game}`);
  expect(kingdomAnswer.safeParse(data).error).toBeUndefined();
  return data;
};
const player = async (id: number, game = 'rok') => (await user.call('GET', `/v1/governors/${id}/?game=${game}`)).data;

describe('after a scan of the ranking list alone', () => {
  beforeAll(async () => {
    await publishRows(
      'rok',
      2001,
      at(0),
      many(120, (id) => listed(2_001_000 + id, 90e6 - id * 1000)),
    );
    await digestKingdoms(db, env.STORE);
  });

  it('a kingdom’s unread figures are null, never 0', async () => {
    const { totals, alliances, players, chart } = await kingdom(2001);
    expect(totals).toMatchObject({
      power: { top100: 100 * 90e6 - 5050 * 1000, top300: null },
      score: { total: null, top100: null },
      deads: { total: null },
      hall25_count: null,
      domain_count: null,
    });
    expect(alliances.length).toBe(3);
    for (const { score } of [
      ...alliances,
      ...chart.map((day: { total_score: number }) => ({ score: day.total_score })),
    ])
      expect(score).toBeNull();
    for (const { killpoints } of players) expect(killpoints).toBeNull();
  });

  it('a governor’s profile is unknown', async () => {
    const { free, quality, last_read } = await player(2_001_001);
    expect([quality, last_read]).toEqual(['listed', null]);
    for (const key of UNREAD) expect(free[key] ?? null).toBeNull();
  });

  it('boards show no 0 for unread figures', async () => {
    await publishDueBoards(db, env.STORE, at(1, 1));
    const stored = await env.STORE.list({ prefix: `boards/rok/` });
    const texts = await Promise.all(
      stored.objects
        .filter(({ key }) => /[/]all(\.|$)/.test(key))
        .map(async ({ key }) => {
          const body = (await env.STORE.get(key))?.body.pipeThrough(new DecompressionStream('gzip'));
          return JSON.parse(await new Response(body).text()).data.rankings as Record<string, unknown>[];
        }),
    );
    const rows = texts.flat();
    expect(rows.length).toBeGreaterThan(120);
    for (const row of rows)
      for (const [key, value] of Object.entries(row)) if (key !== 'moved') expect([key, value]).not.toEqual([key, 0]);
    const board = rows.find((row) => row.player_count === 120);
    expect(board).toMatchObject({ total_killpoints: null, total_deads: null, ch25_count: null, top300_power: null });
  });
});

describe('profile figures', () => {
  it('keep their own date after a scan without profiles, in any order of arrival', async () => {
    const [full, list] = [
      () => publishRows('rok', 2002, at(0), [governor(2_002_001, 50e6, { helps_given: 7 }), governor(2_002_002, 40e6)]),
      () => publishRows('rok', 2002, at(1), [listed(2_002_001, 60e6), listed(2_002_002, 41e6)]),
    ] as const;
    await list();
    await full();
    const { free, last_read, quality } = await player(2_002_001);
    expect(free).toMatchObject({ power: 60e6, deads: null, town_center: null, killpoints: null });
    expect(free.helps_given).toBeUndefined();
    expect(quality).toBe('listed');
    expect(last_read).toMatchObject({
      captured_at: at(0),
      profile: { killpoints: 20, deads: 2_002_001, helps_given: 7, killpoints_t5: 20 },
    });
    expect(last_read.profile).not.toHaveProperty('power');
    const { players } = await kingdom(2002);
    expect(players.map(({ score, killpoints }: { score: number; killpoints: number }) => [score, killpoints])).toEqual([
      [60e6, null],
      [41e6, null],
    ]);

    await publishRows('rok', 2002, at(2), [governor(2_002_001, 61e6), governor(2_002_002, 42e6)]);
    // Another governor, because answers are cached for a minute.
    expect(await player(2_002_002)).toMatchObject({ last_read: null, quality: 'ok', free: { killpoints: 40 } });
  });

  it('are unknown if the newest full read lacks them, whatever an older one had', async () => {
    const lord = (merits: number | null, power: number): Row => ({
      ...{ lord_id: 2_003_001, name: 'Lord', alliance_tag: 'KVK', power, highest_power: null },
      ...{ units_dead: 5, units_killed: 9, killcount_t5: 3, town_center: 25, merits },
    });
    await publishRows('cod', 2003, at(0), [lord(777, 9e6)]);
    await publishRows('cod', 2003, at(1), [lord(null, 8e6)]);
    const { free, last_read, quality } = await player(2_003_001, 'cod');
    expect(free).toMatchObject({ power: 8e6, merits: null, units_dead: 5, units_killed: 9, killcount_t5: 3 });
    expect([last_read, quality]).toEqual([null, 'ok']);
    expect(await kingdom(2003, 'cod')).toMatchObject({
      totals: { score: { total: null }, deads: { total: 5 }, known: { score: 0, deads: 1 } },
    });
    await publishDueBoards(db, env.STORE, at(9, 1));
    const list = await env.STORE.list({ prefix: `boards/cod/governor-score/${addDays(FIRST, 1)}/` });
    const all = list.objects.find(({ key }) => /[/]all(\.|$)/.test(key));
    const body = (await env.STORE.get(all?.key ?? ''))?.body.pipeThrough(new DecompressionStream('gzip'));
    expect(JSON.parse(await new Response(body).text()).data.rankings).toEqual([]);
  });

  it('are kept if the power was misread as 0', async () => {
    await publishRows('rok', 2004, at(0), [
      { ...governor(2_004_001, 0), highest_power: null, rss_gathered: 3 },
      { ...governor(2_004_002, 5e6), rss_gathered: 4 },
    ]);
    expect(await player(2_004_001)).toMatchObject({
      quality: 'impossible',
      free: { killpoints: 20, deads: 2_004_001 },
    });
    expect((await kingdom(2004)).totals).toMatchObject({
      power: { total: 5e6 },
      left_out: { power: { rows: 1, raw: 5e6 } },
      deads: { total: 2_004_001 + 2_004_002 },
    });
    const row = (await kingdomRows(db, 'rok', FIRST)).find(({ kingdom_id }) => kingdom_id === 2004);
    expect(row).toMatchObject({
      counted: { total_power: 1, total_deads: 2, total_rss_gathered: 2 },
      left_out: { total_power: { rows: 1, raw: 5e6 } },
    });
  });
});

describe('a shallow scan after a deep one', () => {
  it('is the last scan and updates its governors, but sums stay those of the deep one', async () => {
    const deep = many(320, (id) => governor(2_005_000 + id, 90e6 - id * 1000));
    await publishRows('rok', 2005, at(0), deep);
    await publishRows(
      'rok',
      2005,
      at(1),
      many(110, (id) => listed(2_005_000 + id, 91e6 - id * 1000)),
    );
    await digestKingdoms(db, env.STORE);
    const { captured_at, totals, last_scan, distribution, alliances, chart, players } = await kingdom(2005);
    expect([captured_at, totals.player_count]).toEqual([at(0), 320]);
    expect(last_scan).toEqual({
      captured_at: at(1),
      player_count: 110,
      top: { ranks: 100, power: 100 * 91e6 - 5050 * 1000 },
    });
    const add = (rows: Record<string, number>[], key: string) => rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);
    expect(add(distribution, 'count')).toBe(320);
    expect([add(alliances, 'members'), add(alliances, 'power')]).toEqual([320, totals.power.total]);
    expect(add(alliances, 'score')).toBe(totals.score.total);
    expect(chart.map((day: Row) => [day.player_count, day.top100_power, day.top300_power === null])).toEqual([
      [320, 100 * 90e6 - 5050 * 1000, false],
      [110, 100 * 91e6 - 5050 * 1000, true],
    ]);
    expect(players[0]).toMatchObject({ score: 91e6 - 1000, killpoints: null });
  });

  it('leaves out governors that are in neither current scan', async () => {
    await publishRows(
      'rok',
      2006,
      at(0),
      many(60, (id) => governor(2_006_000 + id, 90e6 - id * 1000)),
    );
    await publishRows(
      'rok',
      2006,
      at(2),
      many(50, (id) => governor(2_006_000 + id, 90e6 - id * 1000)),
    );
    await digestKingdoms(db, env.STORE);
    const { totals, distribution, alliances } = await kingdom(2006);
    expect(totals.player_count).toBe(50);
    expect(distribution.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(50);
    expect(alliances.reduce((sum: number, { members }: { members: number }) => sum + members, 0)).toBe(50);
  });
});

describe('after a scan without names and alliances', () => {
  it('governors keep their name and alliance, and no change is listed', async () => {
    const bare = ({ name: _, alliance_tag: __, ...row }: Row): Row => row;
    await publishRows('rok', 2009, at(0), [governor(2_009_001, 5e6), governor(2_009_002, 4e6, { alliance_tag: '' })]);
    await publishRows('rok', 2009, at(1), [bare(governor(2_009_001, 7e6)), bare(governor(2_009_002, 3e6))]);
    const fields = async () =>
      (await player(2_009_001)).subscription.changes.flatMap(({ changes }: { changes: { field: string }[] }) =>
        changes.map(({ field }) => field),
      );
    expect((await player(2_009_001)).free).toMatchObject({ name: 'Governor 2009001', alliance: 'A0', power: 7e6 });
    expect(await fields()).toEqual(['power', 'highest_power']);
    // An empty tag in a scan with tags means no alliance.
    await publishRows('rok', 2009, at(2), [governor(2_009_001, 7e6, { alliance_tag: '' }), governor(2_009_002, 3e6)]);
    const tag = db.$client.prepare(`SELECT alliance_tag FROM governors WHERE game = 'rok' AND governor_id = 2009001`);
    expect(await tag.first('alliance_tag')).toBe('');
  });
});
