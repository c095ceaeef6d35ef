import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { changeManifest } from '../../worker/gateways/board-store.ts';
import { hideProven } from '../../worker/services/boards/hide-governors.ts';
import { profileText } from '../../worker/services/boards/profile-card.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { caller, db, signedInAdmin, signedInUser } from './client.ts';
import { governor, publishRows, UNREAD } from './scans.ts';

const HOUR = 3_600_000;
const DAY: Day = '2026-03-10';
const at = (day: Day, hour: number): number => dayStart(day) + hour * HOUR;
/** A time when the boards of `DAY` are the newest of governors. */
const SHOWN = at(addDays(DAY, 7), 12);
const visitor = caller();

function clock(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
}

afterEach(() => vi.useRealTimers());

const HOSTILE = '</script><script>alert(1)</script>';

/** 240 governors in two kingdoms, one with a name of markup, and one lord. */
beforeAll(async () => {
  const kingdom = (number: number) =>
    Array.from({ length: 120 }, (_, index) => governor(number * 1000 + index, 9_000_000 - index * 1000 - number));
  await publishRows('rok', 1001, at(DAY, 5), kingdom(1001));
  await publishRows('rok', 1002, at(DAY, 6), [
    governor(77, 20_000_000, { name: HOSTILE, alliance_tag: 'a/b ✦' }),
    ...kingdom(1002).slice(1),
  ]);
  await publishDueBoards(db, env.STORE, at(addDays(DAY, 1), 0.1));
});

const profile = (path: string) => visitor.call('GET', `/v1/leaderboard/${path}`);
const search = (q: string) => visitor.call('GET', `/v1/leaderboard/search?q=${encodeURIComponent(q)}`);

async function atShown(): Promise<void> {
  clock(SHOWN);
  forgetManifest();
}

describe('a public profile', () => {
  it('of a governor has the figures and ranks of the board, and appears with it', async () => {
    clock(at(addDays(DAY, 6), 12));
    forgetManifest();
    expect(await profile('governor/1001003')).toMatchObject({
      status: 404,
      msg: 'No published board lists this governor of Rise of Kingdoms.',
    });
    await atShown();
    const { data } = await profile('governor/1001003');
    const board = (await visitor.call('GET', '/v1/governor/rankings?type=power&count=-1&page=0')).data;
    const row = board.rankings.find(({ governor_id }: { governor_id: number }) => governor_id === 1_001_003);
    expect(data).toMatchObject({ game: 'rok', day: DAY, row });
    expect(data.places).toMatchObject([
      { type: 'power', rank: row.rank, of: 240 },
      { type: 'killpoints', of: 239 },
    ]);
  });

  it('of an alliance lists its members, whatever characters its tag has', async () => {
    await atShown();
    const { data } = await profile(`alliance/1002/${encodeURIComponent('a/b ✦')}`);
    expect(data).toMatchObject({
      row: { kingdom_id: 1002, alliance_tag: 'a/b ✦', member_count: 1, power: 20_000_000 },
      governors: [{ rank: 1, governor_id: 77, name: HOSTILE, power: 20_000_000 }],
      listed_day: DAY,
    });
    const ordinary = (await profile('alliance/1001/A1')).data;
    expect(ordinary.governors).toHaveLength(25);
    expect(new Set(ordinary.governors.map((one: { alliance_tag: string }) => one.alliance_tag))).toEqual(
      new Set(['A1']),
    );
  });

  it('of a kingdom lists its alliances and governors by rank', async () => {
    await atShown();
    const { data } = await profile('kingdom/1001');
    expect(data.row).toMatchObject({ kingdom_id: 1001, player_count: 120 });
    expect(data.alliances.map(({ alliance_tag }: { alliance_tag: string }) => alliance_tag).sort()).toEqual([
      'A0',
      'A1',
      'A2',
    ]);
    const ids = data.governors.map(({ governor_id }: { governor_id: number }) => governor_id);
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => 1_001_000 + index));
  });

  it('is not found unless a board lists it, and a bad address gets a sentence', async () => {
    await atShown();
    for (const path of ['governor/5', 'kingdom/1003', 'alliance/1001/XX', 'alliance/1002/A', 'governor/77?game=cod'])
      expect((await profile(path)).status, path).toBe(404);
    expect(await profile('kingdom/0')).toMatchObject({ status: 400, msg: 'id: must be from 1 to 99,999.' });
    expect(await profile('governor/77?game=chess')).toMatchObject({
      status: 400,
      msg: 'game: must be one of rok, cod.',
    });
  });

  it('reads no database, neither for its data nor for its page', async () => {
    await atShown();
    const DB = new Proxy(env.DB, {
      get: () => {
        throw new Error('asked the database');
      },
    });
    const { app } = await import('../../worker/app.ts');
    const waits: Promise<unknown>[] = [];
    const context = { waitUntil: (one: Promise<unknown>) => waits.push(one), passThroughOnException: () => undefined };
    for (const path of ['/v1/leaderboard/governor/77', '/leaderboard/governor/77', '/leaderboard/kingdom/1002']) {
      const answer = await app.fetch(
        new Request(`http://muster.test${path}`),
        { ...env, DB },
        context as unknown as ExecutionContext,
      );
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('cloudflare-cdn-cache-control'), path).toContain('max-age=600');
      await answer.text();
    }
    await Promise.all(waits);
  });

  it('has a picture', async () => {
    await atShown();
    const html = await (await visitor.fetch('/leaderboard/governor/77')).text();
    const address = /property="og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { pathname, search: query } = new URL(address);
    const picture = await visitor.fetch(pathname + query);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(5000);
  });
});

describe('the page of a profile', () => {
  it('carries title, figures and structured data, with hostile names as text', async () => {
    await atShown();
    const html = await (await visitor.fetch('/leaderboard/governor/77')).text();
    expect(html).not.toContain(HOSTILE);
    expect(html).toMatch(/<title>&lt;\/script&gt;.* · Muster<\/title>/);
    expect(html).toContain('Power 20,000,000, #1 of 240.');
    const [, data = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'ProfilePage',
      mainEntity: { '@type': 'Person', name: HOSTILE, identifier: '77' },
    });
    const body = html.slice(html.indexOf('<div id="root"'));
    expect(body).toContain('20,000,000');
  });

  it('links to others in the language of its address', async () => {
    await atShown();
    const linksOf = async (path: string) =>
      [...(await (await visitor.fetch(path)).text()).matchAll(/<a href="(\/[^"]*\/kingdom\/\d+)"/g)].map(
        ([, to]) => to,
      );
    expect(await linksOf('/leaderboard/governor/77')).toContain('/leaderboard/kingdom/1002');
    for (const path of ['/leaderboard/governor/77', '/leaderboard/governor']) {
      const links = await linksOf(`/ko${path}`);
      expect(links.length, path).toBeGreaterThan(0);
      expect(
        links.filter((to) => !to?.startsWith('/ko/leaderboard/kingdom/')),
        path,
      ).toEqual([]);
    }
  });

  it('has each figure from the board of its place', async () => {
    await atShown();
    const { data } = await profile('governor/1001003');
    expect(data.places).toMatchObject([
      { type: 'power', value: data.row.power },
      { type: 'killpoints', value: 60 },
    ]);
    // As if a newer scan had read no profile.
    data.row.killpoints = null;
    expect(profileText(data)).toContain('Killpoints 60, #');
  });

  it('has status 404 if no board lists it', async () => {
    await atShown();
    for (const path of ['governor/5', 'governor/x', 'kingdom/1003', 'kingdom/0', 'alliance/1001/XX'])
      expect((await visitor.fetch(`/leaderboard/${path}`)).status, path).toBe(404);
  });
});

describe('the public search', () => {
  it('finds governors by name and id, alliances by tag and kingdoms by number, as of the boards', async () => {
    await atShown();
    expect((await search('governor 100101')).data.governors).toHaveLength(8);
    expect((await search('1001003')).data.governors[0]).toEqual({
      game: 'rok',
      governor_id: 1_001_003,
      name: 'Governor 1001003',
      alliance_tag: 'A2',
      kingdom_id: 1001,
    });
    expect((await search('alert')).data.governors).toMatchObject([{ governor_id: 77 }]);
    expect((await search('a2')).data.alliances).toMatchObject([
      { kingdom_id: 1001, alliance_tag: 'A2', member_count: 40 },
      { kingdom_id: 1002, alliance_tag: 'A2' },
    ]);
    expect((await search('100')).data.kingdoms.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id)).toEqual([
      1002, 1001,
    ]);
    expect((await search('nobody of that name')).data).toEqual({ governors: [], alliances: [], kingdoms: [] });
  });
});

it('finds both games, the exact number or name first', async () => {
  const day = addDays(DAY, 20);
  for (let kingdom = 1010; kingdom < 1019; kingdom++)
    await publishRows('rok', kingdom, at(day, 5), [governor(kingdom, 9_000_000, { name: `Alexander ${kingdom}` })]);
  await publishRows('cod', 101, at(day, 5), [{ lord_id: 5, name: 'Alex', alliance_tag: 'A', power: 9_000_000 }]);
  await publishDueBoards(db, env.STORE, at(addDays(day, 1), 0.1));
  clock(at(addDays(day, 7), 12));
  forgetManifest();
  const { kingdoms } = (await search('101')).data;
  expect(kingdoms).toHaveLength(8);
  expect(kingdoms[0]).toEqual({ game: 'cod', kingdom_id: 101 });
  const { governors } = (await search('alex')).data;
  expect(governors).toHaveLength(8);
  expect(governors[0]).toMatchObject({ game: 'cod', name: 'Alex' });
});

it('finds a governor where they were last seen, though their last profile was read elsewhere', async () => {
  const day = addDays(DAY, 21);
  const name = 'Wanderer';
  await publishRows('rok', 1021, at(day, 5), [governor(21_005, 9e6, { name, alliance_tag: 'OLD' })]);
  await publishRows('rok', 1022, at(day, 6), [governor(21_005, 9e6, { name, alliance_tag: 'NEW', ...UNREAD })]);
  await publishDueBoards(db, env.STORE, at(addDays(day, 1), 0.1));
  clock(at(addDays(day, 7), 12));
  forgetManifest();
  for (const words of ['21005', name])
    expect((await search(words)).data.governors).toEqual([
      { game: 'rok', governor_id: 21_005, name, alliance_tag: 'NEW', kingdom_id: 1022 },
    ]);
});

describe('without public profiles', () => {
  it('their calls and pages do not exist', async () => {
    await atShown();
    const before = env.PUBLIC_PROFILES;
    Reflect.set(env, 'PUBLIC_PROFILES', '');
    try {
      for (const path of ['governor/77', 'governor/77/card.png', 'kingdom/1001', 'alliance/1001/A1', 'search?q=a2'])
        expect((await profile(path)).status, path).toBe(404);
      expect((await visitor.fetch('/leaderboard/governor/77')).status).toBe(404);
      expect((await visitor.fetch('/leaderboard/governor')).status).toBe(200);
    } finally {
      Reflect.set(env, 'PUBLIC_PROFILES', before);
    }
  });
});

const sitemap = async () => (await visitor.fetch('/sitemap-rok-governor.xml')).text();

describe('a removal', () => {
  const ask = (body: object) => visitor.call('POST', '/v1/removals', body);
  const names = async (): Promise<string[]> =>
    (await visitor.call('GET', '/v1/governor/rankings?type=power&count=-1&page=0')).data.rankings.map(
      ({ name }: { name: string }) => name,
    );

  it('can be requested once for a governor that a scan has seen', async () => {
    expect(await ask({ game: 'rok', governor_id: 5 })).toMatchObject({
      status: 400,
      msg: 'governor_id: No scan of Rise of Kingdoms has seen a governor with this id.',
    });
    expect((await ask({ game: 'rok', governor_id: 'x' })).status).toBe(400);
    const [first, second] = await Promise.all([
      ask({ game: 'rok', governor_id: 1_001_001 }),
      ask({ game: 'rok', governor_id: 1_001_001 }),
    ]);
    expect(first.data).toMatchObject({ state: 'open', name: 'Governor 1001001' });
    expect(first.data.code).toMatch(/^[A-Z2-9]{6}$/);
    expect(second.data.code).toBe(first.data.code);
  });

  it('is accepted when a later scan reads its code in the name, and hides all but figures', async () => {
    const { code } = (await ask({ game: 'rok', governor_id: 1_001_002 })).data;
    await atShown();
    const before = (await visitor.call('GET', '/v1/alliance/rankings/rok?type=power&count=-1&page=0')).data.rankings;
    expect((await profile('governor/1001002')).status).toBe(200);
    expect(await sitemap()).toContain('/leaderboard/governor/1001002<');
    vi.useRealTimers();
    await hideProven(db, env.STORE, Date.now());
    await atShown();
    expect((await profile('governor/1001002')).status).toBe(200);
    vi.useRealTimers();
    await publishRows('rok', 1001, Date.now(), [governor(1_001_002, 8_000_000, { name: `x${code.toLowerCase()}y` })]);
    await hideProven(db, env.STORE, Date.now());
    await atShown();
    expect((await profile('governor/1001002')).status).toBe(404);
    expect(await sitemap()).not.toContain('/1001002<');
    expect((await search('1001002')).data.governors).toEqual([]);
    expect((await search('governor1001002')).data.governors).toEqual([]);
    expect(await names()).not.toContain('Governor 1001002');
    expect(await names()).toHaveLength(240);
    const anywhere = (await visitor.call('GET', '/v1/search?q=1001002')).data.governors;
    expect(anywhere).toEqual([]);
    const player = await (await visitor.fetch('/players/1001002')).text();
    expect(player).toContain('<title>Governor 1001002 · Muster</title>');
    expect(player).not.toContain('of kingdom 1001');
    expect(await (await visitor.fetch('/players/1001003')).text()).toContain('of kingdom 1001');
    const kingdom = (await profile('kingdom/1001')).data;
    expect(kingdom.governors.map((one: { governor_id: number }) => one.governor_id)).not.toContain(1_001_002);
    const row = (await visitor.call('GET', '/v1/governor/rankings?type=power&count=10&page=0')).data.rankings.find(
      ({ governor_id }: { governor_id: number }) => governor_id === 0,
    );
    expect(row).toMatchObject({ name: '', alliance_tag: '', kingdom_id: 1001, power: 8_996_999 });
    const after = (await visitor.call('GET', '/v1/alliance/rankings/rok?type=power&count=-1&page=0')).data.rankings;
    expect(after).toEqual(before);
    expect((await ask({ game: 'rok', governor_id: 1_001_002 })).data).toEqual({
      game: 'rok',
      governor_id: 1_001_002,
      name: '',
      state: 'accepted',
      code: null,
      ends_at: null,
    });
  });

  it('is decided by an admin, who can also undo it, with log entries', async () => {
    const admin = await signedInAdmin();
    await ask({ game: 'rok', governor_id: 1_001_004, note: 'Please.' });
    const { removals, next } = (await admin.call('GET', '/v1/admin/removals?open=true')).data;
    expect(next).toBeNull();
    const { removal_id } = removals.find(({ governor_id }: { governor_id: number }) => governor_id === 1_001_004);
    for (const [decision, status] of [
      ['accepted', 404],
      ['accepted', 404],
      ['refused', 200],
      ['accepted', 404],
    ] as const) {
      vi.useRealTimers();
      expect((await admin.call('POST', `/v1/admin/removals/${removal_id}`, { decision })).status).toBe(200);
      await atShown();
      expect((await profile('governor/1001004')).status, decision).toBe(status);
    }
    const { results } = await env.DB.prepare(
      `SELECT action FROM audit_entries WHERE subject = 'rok 1001004' ORDER BY id`,
    ).all();
    expect(results.map(({ action }) => action)).toEqual(['removal.accepted', 'removal.refused', 'removal.accepted']);
    vi.useRealTimers();
    expect((await admin.call('POST', '/v1/admin/removals/999', { decision: 'accepted' })).status).toBe(404);
  });

  it('is listed on a later page if 100 others wait before it', async () => {
    const admin = await signedInAdmin();
    await env.DB.prepare(
      `INSERT INTO removals (game, governor_id, name, code, note, created_at)
       SELECT 'cod', value, '', 'x' || value, '', 1 FROM json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: 101 }, (_, index) => index + 1)))
      .run();
    const page = (query = '') => admin.call('GET', `/v1/admin/removals?open=true${query}`);
    const { removals, next } = (await page()).data;
    expect(removals).toHaveLength(100);
    const rest = (await page(`&before=${next}`)).data;
    expect(rest.removals.map(({ governor_id }: { governor_id: number }) => governor_id)).toContain(1);
    expect(rest.next).toBeNull();
    await env.DB.prepare(`DELETE FROM removals WHERE game = 'cod'`).run();
  });

  it('survives a rebuild of the boards', async () => {
    await changeManifest(env.STORE, ({ rok }) => {
      for (const day of Object.values(rok.days)) day.stale = true;
    });
    await publishDueBoards(db, env.STORE, at(addDays(DAY, 1), 0.2));
    await atShown();
    expect(await names()).not.toContain('Governor 1001004');
    expect((await profile('governor/1001004')).status).toBe(404);
  });

  it('is listed and decided by admins only', async () => {
    const user = await signedInUser();
    for (const who of [visitor, user]) {
      expect((await who.call('GET', '/v1/admin/removals')).status).toBe(404);
      expect((await who.call('POST', '/v1/admin/removals/1', { decision: 'accepted' })).status).toBe(404);
    }
  });
});
