import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLocale } from '../../../worker/isolate/language.ts';
import { eventCard, recordCard, roomCard } from '../../../worker/services/events/event-cards.ts';
import { eventHeadOf } from '../../../worker/services/events/find-event.ts';
import { metaOf } from '../../../worker/services/events/public-event.ts';
import { eventually } from '../../support/eventually.ts';
import { caller } from '../client.ts';
import { fighter, HOUR, load, madeEvent, START } from './war.ts';

/** The war room of a kingdom: its sums and rows are those of the event. */

const visitor = caller();
let id: number;

const MOMENTS = [START, START + 2 * HOUR, START + 26 * HOUR] as const;
const GOALS = [{ min_power: 10_000_000, dkp: 1000, kills: null, deads: null }];

beforeAll(async () => {
  const made = await madeEvent({ goals: GOALS, exempt: [12] });
  id = made.id;
  await load(made.admin, id, MOMENTS[0], [
    fighter(1, 701, 100),
    fighter(2, 702, 100),
    fighter(10, 701, 100),
    fighter(11, 701, 100),
    fighter(12, 701, 100),
    fighter(13, 701, 100),
    fighter(14, 701, 100),
    fighter(3, 703, 100),
  ]);
  await load(made.admin, id, MOMENTS[1], [
    fighter(1, 701, 150),
    fighter(2, 702, 200),
    fighter(10, 701, 100),
    fighter(11, 701, 130),
    fighter(12, 701, 100),
    fighter(13, 701, 100),
    fighter(14, 701, 100),
    fighter(3, 703, 100),
  ]);
  await load(made.admin, id, MOMENTS[2], [
    fighter(1, 701, 300, { 'Governor Name': 'Renamed' }),
    fighter(2, 702, 210),
    fighter(10, 701, 140, { 'Alliance Tag': 'NEW' }),
    fighter(11, 701, 130),
    fighter(12, 701, 100, { Power: 20_000_000 }),
    fighter(13, 702, 90),
    fighter(15, 701, 5),
    fighter(3, 703, 100),
  ]);
});

const get = (path: string) => visitor.call('GET', `/v1/dashboards/${id}${path}`);

describe('the war room of a kingdom', () => {
  test('adds up to the kingdom’s line in the data, to the unit', async () => {
    const [room, whole] = [(await get('/kingdoms/701')).data, (await get('/data')).data];
    const line = whole.diffs.kingdoms['701'];
    for (const field of ['dkp', 'dkp_raw', 'left_out', 'unknown', 'common', 'joined', 'gone'])
      expect([field, room[field]]).toEqual([field, line[field]]);
    const sum = (field: 'dkp' | 'dkp_raw') =>
      room.governors.reduce((total: number, each: Record<string, number>) => total + (each[field] ?? 0), 0);
    expect([sum('dkp'), sum('dkp_raw')]).toEqual([line.dkp, line.dkp_raw]);
    expect(room).toMatchObject({ kingdom: '701', camp: 'Fire', rank: 1, kingdoms: 4, dkp: 5400, left_out: 1 });
    expect(room.camp_share).toBeCloseTo((100 * 5400) / 7600);
    expect(room.gains.killcount_t5).toBe(270);
    expect(room.power).toBe(5 * 50_000_000 - 1 - 10 - 11 - 12 - 13);
    expect(room.standings.map(({ kingdom, rank }: Record<string, unknown>) => [kingdom, rank])).toEqual([
      ['701', 1],
      ['702', 2],
      ['703', 3],
      ['704', null],
    ]);
  });

  test('is made with those of all kingdoms, which later calls read', async () => {
    await get('/kingdoms/701');
    const prefix = `answers/dashboards/${id}/`;
    const madeRooms = async () =>
      (await env.STORE.list({ prefix })).objects.flatMap(({ key }) => /room-whole-k(\d+)/.exec(key)?.[1] ?? []).sort();
    await eventually(async () => expect(await madeRooms()).toEqual(['701', '702', '703', '704']));
    expect((await get('/kingdoms/704')).data).toMatchObject({ kingdom: '704', governors: [], since: MOMENTS[1] });
  });

  test('lists its governors by DKP with rank, percentile and goal', async () => {
    const { governors, counts } = (await get('/kingdoms/701')).data;
    const shown = governors.map((row: Record<string, unknown>) => [
      row.governor_id,
      row.dkp,
      row.rank,
      row.percentile,
      row.event_rank,
      row.goal,
    ]);
    expect(shown).toEqual([
      [1, 4000, 1, 100, 1, 400],
      [10, 800, 2, 66.7, 3, 80],
      [11, 600, 3, 33.3, 4, 60],
      [12, 0, 4, 0, 5, null],
      [13, null, null, null, null, null],
    ]);
    expect(governors[4]).toMatchObject({ dkp_raw: -200, doubt: 'fell', moved_to: '702' });
    expect(governors[0]).toMatchObject({ name: 'Renamed', renamed_from: 'Fighter 1', since: 3000 });
    expect(governors[3]).toMatchObject({ exempt: true });
    expect(counts).toEqual({ fighting: 3, idle: 1, with_goal: 3, below_goal: 2 });
  });

  test('lists who is new and who is gone, and sums alliances', async () => {
    const { joined_governors, gone_governors, alliances } = (await get('/kingdoms/701')).data;
    expect(joined_governors).toMatchObject([{ governor_id: 15 }]);
    expect(gone_governors).toMatchObject([{ governor_id: 14 }]);
    expect(alliances.map((each: Record<string, unknown>) => [each.tag, each.dkp, each.governors])).toEqual([
      ['K1', 4600, 3],
      ['NEW', 800, 1],
      ['K2', null, 1],
    ]);
  });

  test('shows what changed since the last scan that is a day older', async () => {
    const { since, changes, change_counts } = (await get('/kingdoms/701')).data;
    expect(since).toBe(MOMENTS[1]);
    expect(changes.map(({ text }: { text: string }) => text)).toEqual([
      'Kingdom 701 rose from #2 to #1.',
      'Kingdom 701 gained 3.80K DKP.',
      'Renamed gained 3.00K DKP.',
      'Fighter 10 gained 800 DKP.',
      'Fighter 10 began to fight: 800 DKP.',
      'Fighter 11 stopped fighting, after 600 DKP.',
      'Fighter 12 was zeroed: power fell from 50.0M to 20.0M.',
      'Fighter 13 moved from 701 to 702.',
      'Fighter 1 is now Renamed.',
      '1 governor joined.',
      '1 governor left.',
    ]);
    expect(change_counts).toMatchObject({ mover: 2, joined: 1, gone: 1 });
  });

  test('shows what changed since any other scan', async () => {
    const { data } = await get(`/kingdoms/701?since=${MOMENTS[0]}`);
    expect(data.since).toBe(MOMENTS[0]);
    expect(data.changes[0]).toMatchObject({ kind: 'gain', value: 5400 });
    const none = await get(`/kingdoms/701?end=${MOMENTS[0]}`);
    expect(none.data).toMatchObject({ since: null, changes: [], dkp: 0 });
  });

  test('refuses a kingdom outside the event, and names those in it', async () => {
    expect(await get('/kingdoms/999')).toMatchObject({
      status: 404,
      msg: 'Kingdom 999 is not in this event. It has 701, 702, 703, 704.',
    });
    expect((await get('/kingdoms/abc')).status).toBe(400);
    expect((await get(`/kingdoms/701?since=${START - 1000 * HOUR}`)).msg).toMatch(/There is no snapshot at/);
  });
});

test('the event shows what changed in all kingdoms', async () => {
  const { data } = await get('/changes');
  expect(data).toMatchObject({ since: MOMENTS[1], until: MOMENTS[2], kingdom: null });
  const texts = data.changes.map(({ text }: { text: string }) => text);
  expect(texts).toContain('Renamed of 701 gained 3.00K DKP.');
  expect(texts).toContain('K1 of 701 rose from #2 to #1 among alliances.');
});

test('a power that was misread makes nobody zeroed', async () => {
  const camps = ['711', '712'].map((kingdom, index) => ({ name: ['Fire', 'Water'][index], kingdoms: [kingdom] }));
  const war = await madeEvent({ camps });
  const scan = (misread: number, zeroed: number) => [
    // No power is above the highest power that the same row has.
    fighter(9_051_001, 711, 100, { Power: misread, 'Highest Power': 60_000_000 }),
    fighter(9_051_002, 711, 100, { Power: zeroed, 'Highest Power': 60_000_000 }),
  ];
  await load(war.admin, war.id, START, scan(500_000_000, 50_000_000));
  await load(war.admin, war.id, START + HOUR, scan(50_000_000, 20_000_000));
  const { changes } = (await visitor.call('GET', `/v1/dashboards/${war.id}/changes`)).data;
  expect(changes.filter(({ kind }: { kind: string }) => kind === 'zeroed')).toMatchObject([{ governor_id: 9_051_002 }]);
});

test('a kingdom’s sheet has only its governors, in the columns and ranks of the event’s file', async () => {
  const lines = async (query: string) =>
    (await (await visitor.fetch(`/v1/dashboards/${id}/download?type=csv${query}`)).text()).trim().split(/\r?\n/);
  const [whole, sheet] = [await lines(''), await lines('&kingdom=701')];
  expect(sheet[0]).toBe(whole[0]);
  expect(sheet.length).toBeGreaterThan(1);
  expect(sheet.slice(1)).toEqual(whole.slice(1).filter((line) => /^\d*,Fire,701,/.test(line)));
  expect((await get('/download?type=csv&kingdom=999')).status).toBe(404);
});

describe('the wars of a governor', () => {
  const wars = async (governor: number) => (await visitor.call('GET', `/v1/dashboards/governors/${governor}`)).data;

  test('repeat the row of each war room', async () => {
    const { governors } = (await get('/kingdoms/701')).data;
    const [{ since: _, ...first }] = governors;
    const { meta } = (await get('/page')).data;
    expect(await wars(first.governor_id)).toEqual({
      governor_id: first.governor_id,
      wars: [
        {
          ...first,
          kingdom: '701',
          camp: 'Fire',
          of: governors.length,
          event_of: 7,
          dashboard_id: id,
          game: 'rok',
          kvk_id: meta.kvk_id,
          event: meta.name,
          state: meta.state,
          range: { start: MOMENTS[0], end: MOMENTS[2] },
        },
      ],
      more: false,
    });
  });

  test('are none for a governor who is in both scans of no event', async () => {
    expect((await wars(15)).wars).toEqual([]);
    expect((await wars(99)).wars).toEqual([]);
  });

  test('refuse an invalid id', async () => {
    expect(await visitor.call('GET', '/v1/dashboards/governors/x')).toMatchObject({ status: 400 });
  });
});

describe('the wars of a kingdom and of an alliance', () => {
  const wars = async (path: string) => (await visitor.call('GET', `/v1/dashboards/${path}`)).data;
  const event = async () => {
    const { meta, board } = (await get('/page')).data;
    const { kvk_id, name, state } = meta;
    const range = { start: MOMENTS[0], end: MOMENTS[2] };
    return { board, named: { dashboard_id: id, game: 'rok', kvk_id, event: name, state, range } };
  };

  test('repeat the kingdom’s line of the board with its rank and its camp’s', async () => {
    const { board, named } = await event();
    for (const [kingdom, rank, camp_rank] of [
      ['701', 1, 1],
      ['703', 3, 2],
      ['704', null, 2],
    ] as const) {
      const { governors, power_gain, counts, ...line } = board.kingdoms.find(
        (each: Record<string, unknown>) => each.kingdom === kingdom,
      );
      expect(await wars(`kingdoms/${kingdom}`)).toEqual({
        kingdom: Number(kingdom),
        wars: [{ ...line, rank, of: 4, camp_rank, camps: 2, ...named }],
        more: false,
      });
    }
  });

  test('repeat the alliance’s line of the war room with its rank in the kingdom', async () => {
    const { named } = await event();
    const { alliances } = (await get('/kingdoms/701')).data;
    for (const [tag, rank] of [
      ['K1', 1],
      ['NEW', 2],
      ['K2', null],
    ] as const) {
      const line = alliances.find((each: Record<string, unknown>) => each.tag === tag);
      expect(await wars(`alliances/701/${tag}`)).toEqual({
        kingdom: 701,
        tag,
        wars: [{ ...line, kingdom: '701', camp: 'Fire', rank, of: 3, ...named }],
        more: false,
      });
    }
  });

  test('are none in the other game and for others, and refuse an invalid kingdom', async () => {
    for (const path of ['kingdoms/701?game=cod', 'kingdoms/70', 'alliances/701/NONE', 'alliances/702/K1'])
      expect((await wars(path)).wars).toEqual([]);
    expect(await visitor.call('GET', '/v1/dashboards/kingdoms/0')).toMatchObject({ status: 400 });
  });
});

describe('the feed', () => {
  const feedOf = async (query = '') => {
    const response = await visitor.fetch(`/v1/dashboards/${id}/feed.json${query}`);
    expect(response.headers.get('content-type')).toBe('application/feed+json');
    return response.json() as Promise<{ items: Record<string, string>[] } & Record<string, string>>;
  };

  test('has an item for each scan after the first, with its changes as lines', async () => {
    const feed = await feedOf();
    expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', title: 'Trial of Kau' });
    expect(feed.items.map(({ date_published }) => Date.parse(date_published ?? ''))).toEqual([MOMENTS[2], MOMENTS[1]]);
    for (const [at, item] of feed.items.entries()) {
      const range = `since=${MOMENTS[1 - at]}&end=${MOMENTS[2 - at]}`;
      const { changes } = (await get(`/changes?${range}`)).data;
      expect(item.content_text).toBe(changes.map(({ text }: { text: string }) => text).join('\n'));
      expect(item.url).toMatch(new RegExp(`/dashboards/${id}\\?end=${MOMENTS[2 - at]}$`));
    }
  });

  test('of a kingdom has only its changes, and is linked in its page’s head', async () => {
    const [all, own] = [await feedOf(), await feedOf('?kingdom=701')];
    expect(own.title).toBe('Kingdom 701 · Trial of Kau');
    expect(own.items[0]?.content_text).toContain('Kingdom 701 rose from #2 to #1.');
    expect(own.items[0]?.content_text).not.toBe(all.items[0]?.content_text);
    const page = await (await visitor.fetch(`/dashboards/${id}/kingdoms/701`)).text();
    expect(page).toContain(`<link rel="alternate" type="application/feed+json" href="${own.feed_url}">`);
    expect((await get('/feed.json?kingdom=999')).status).toBe(404);
  });
});

describe('pictures', () => {
  const picture = (path: string) => visitor.fetch(`/v1/dashboards/${id}/${path}/card.png`);

  test('of a kingdom and a governor are drawn, for other sites too', async () => {
    for (const path of ['kingdoms/701', 'kingdoms/704', 'governor/1']) {
      const response = await picture(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(Buffer.from(await response.arrayBuffer()).readUInt32BE(16)).toBe(1200);
    }
    for (const path of ['kingdoms/999', 'governor/99']) expect((await picture(path)).status).toBe(404);
  });

  test('of a kingdom show its rank, score and top governors', async () => {
    const meta = metaOf(await eventHeadOf(env, id, Date.now()), Date.now());
    expect(await roomCard(env, meta, '701')).toMatchObject({
      title: 'Kingdom 701: #1 of 4',
      line: expect.stringMatching(/^Trial of Kau · .* · 5\.40K DKP · 3 fighting · 2 below goal$/),
      rows: [
        { rank: 1, name: 'Renamed', about: '400% of goal', value: 4000 },
        { rank: 2, name: 'Fighter 10' },
        { rank: 3, name: 'Fighter 11' },
        { rank: 4, name: 'Fighter 12', about: '' },
      ],
    });
    expect(await recordCard(env, meta, 1)).toMatchObject({
      title: 'Renamed',
      line: expect.stringMatching(/^#1 of 7 · #1 of 5 in Kingdom 701 · Trial of Kau · /),
      rows: [
        { rank: 1, name: 'DKP', about: '400% of goal', value: 4000 },
        { rank: null, name: 'T5 Kills', value: 200 },
        { rank: null, name: 'T4 Kills', value: 0 },
        { rank: null, name: 'Deads', value: 200 },
      ],
    });
  });

  test('name camps in the language of the page, as its head does', async () => {
    for (const path of [`/ko/dashboards/${id}`, `/ko/dashboards/${id}/kingdoms/701`]) {
      const [head = ''] = (await (await visitor.fetch(path)).text()).split('<body');
      expect([path, /og:description" content="[^"]*불/.test(head), /Fire|Water/.test(head)]).toEqual([
        path,
        true,
        false,
      ]);
    }
    const meta = metaOf(await eventHeadOf(env, id, Date.now()), Date.now());
    const card = await inLocale('ko', () => eventCard(env, meta));
    expect(card?.rows.map(({ name }) => name).sort()).toEqual(['물', '불']);
  });
});
