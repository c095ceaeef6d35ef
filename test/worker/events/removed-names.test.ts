import { beforeAll, expect, test } from 'vitest';
import { MAX_OPEN_REMOVALS } from '../../../worker/models/boards/removals.ts';
import { caller, db, type Person } from '../client.ts';
import { fighter, HOUR, load, madeEvent, START } from './war.ts';

/** No answer of an event names a player removed from public pages, and no sum changes. */

const visitor = caller();
const REMOVED = 9_021_001;
const EXEMPT = 9_021_002;
const MOMENTS = [START, START + 2 * HOUR, START + 26 * HOUR] as const;
let admin: Person;
let id: number;

beforeAll(async () => {
  ({ admin, id } = await madeEvent({
    exempt: [EXEMPT],
    zeroed: { [REMOVED]: 80 },
    weights: { killcount_t5: 20, deads: 5 },
    goals: [{ min_power: 1_000_000, dkp: 1000, kills: null, deads: null }],
  }));
  for (const [step, ts] of MOMENTS.entries()) {
    const { status, msg } = await load(admin, id, ts, [
      fighter(REMOVED, 701, 500 * (step + 1), {
        'Governor Name': step === 2 ? 'Zanzibar New' : 'Zanzibar Old',
        'Alliance Tag': 'ZZZ',
        'Alliance Name': 'Zzyzx Guild',
      }),
      fighter(EXEMPT, 701, 100 * (step + 1), { 'Governor Name': 'Xanthippe', 'Alliance Name': 'Xanadu' }),
      fighter(9_021_003, 702, 50 * (step + 1)),
      fighter(9_021_004, 703, 70 * (step + 1)),
    ]);
    expect([status, msg]).toEqual([200, undefined]);
  }
});

const PATHS = [
  '',
  '/page',
  '/data',
  '/table',
  '/kingdoms/701',
  '/changes',
  '/feed.json',
  '/download?type=csv',
  `/snapshot/${MOMENTS[2]}/download?type=csv`,
];
const texts = () =>
  Promise.all(
    PATHS.map(async (path) => {
      const response = await visitor.fetch(`/v1/dashboards/${id}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      return [path, await response.text()] as const;
    }),
  );
const get = async (path: string) => (await visitor.call('GET', `/v1/dashboards/${id}${path}`)).data;
const naming = (all: readonly (readonly [string, string])[], words: RegExp) =>
  all.filter(([, text]) => words.test(text)).map(([path]) => path);

async function decide(governor_id: number, decision: 'accepted' | 'refused', game = 'rok'): Promise<void> {
  await visitor.call('POST', '/v1/removals', { game, governor_id });
  const { removals } = (await admin.call('GET', '/v1/admin/removals')).data;
  const { removal_id } = removals.find((one: { governor_id: number }) => one.governor_id === governor_id);
  expect((await admin.call('POST', `/v1/admin/removals/${removal_id}`, { decision })).status).toBe(200);
}

const SECRETS = new RegExp(`Zanzibar|ZZZ|Zzyzx|${REMOVED}|Xanthippe|Xanadu|${EXEMPT}`);

/** What must be the same before and after. */
async function sums() {
  const [{ diffs, data }, room] = [await get('/data'), await get('/kingdoms/701')];
  return {
    kingdoms: diffs.kingdoms,
    camps: [diffs.camps, data.camps],
    counts: room.counts,
    scores: room.governors.map((one: Record<string, unknown>) => [one.dkp, one.rank, one.goal, one.exempt]),
  };
}

test('no answer about an event names a removed player, and no sum changes', async () => {
  const before = await texts();
  expect(naming(before, /Zanzibar/).length).toBeGreaterThanOrEqual(6);
  const known = await sums();
  const record = (await visitor.call('GET', `/v1/dashboards/governors/${REMOVED}`)).data;
  expect(record.wars).toHaveLength(1);

  await decide(REMOVED, 'accepted');
  await decide(EXEMPT, 'accepted');
  expect(naming(await texts(), SECRETS)).toEqual([]);
  expect(await sums()).toEqual(known);
  const { governors } = await get('/kingdoms/701');
  expect(governors[0]).toMatchObject({ name: 'Name removed', tag: null, renamed_from: null });
  expect(governors[0].governor_id).toBeLessThan(0);
  expect((await visitor.call('GET', `/v1/dashboards/${id}/governor/${REMOVED}`)).status).toBe(404);
  expect((await visitor.call('GET', `/v1/dashboards/${id}/governor/${REMOVED}/card.png`)).status).toBe(404);
  expect((await visitor.call('GET', `/v1/dashboards/governors/${REMOVED}`)).data.wars).toEqual([]);
  for (const path of [`/dashboards/${id}`, `/dashboards/${id}/kingdoms/701`])
    expect(await (await visitor.fetch(path, { headers: { accept: 'text/html' } })).text()).not.toMatch(SECRETS);
});

test('an admin still edits an event whose exempt and zeroed players were removed', async () => {
  const { version, event } = (await admin.call('GET', `/v1/admin/events/${id}`)).data;
  expect(event).toMatchObject({ exempt: [EXEMPT], zeroed: { [REMOVED]: 80 } });
  const edited = { ...event, season: 'S2' };
  expect(await admin.call('PUT', `/v1/admin/events/${id}?seen=${version}`, edited)).toMatchObject({ status: 200 });
  expect((await admin.call('GET', `/v1/admin/events/${id}`)).data.event).toEqual(edited);
  expect(naming(await texts(), SECRETS)).toEqual([]);
});

test('files of Call of Dragons do not tell a removed lord’s alliance', async () => {
  const lord = (lord_id: number, alliance_id: number) => ({
    ...{ 'Lord ID': lord_id, 'Home Server': 701, Name: `L${lord_id}`, 'Alliance Tag': `T${alliance_id}` },
    ...{ 'Alliance ID': alliance_id, Power: 5_000_000, Merits: 10 },
  });
  const war = await madeEvent({ game: 'cod', weights: { merits: 1 } });
  const rows = [lord(9_021_011, 9_021_801), lord(9_021_012, 9_021_802)];
  expect(await load(war.admin, war.id, START, rows)).toMatchObject({ status: 200 });
  const file = async () => (await visitor.fetch(`/v1/dashboards/${war.id}/snapshot/${START}/download?type=csv`)).text();
  expect(await file()).toMatch(/9021801/);
  await decide(9_021_011, 'accepted', 'cod');
  expect(await file()).not.toMatch(/T?9021801/);
  expect(await file()).toMatch(/9021802/);
});

test('a removal that is undone brings the name back', async () => {
  await decide(EXEMPT, 'refused');
  expect(naming(await texts(), /Xanthippe/).length).toBeGreaterThanOrEqual(6);
  expect(naming(await texts(), /Zanzibar|ZZZ/)).toEqual([]);
});

test('requests past the cap are refused until others end', async () => {
  const ask = () => visitor.call('POST', '/v1/removals', { game: 'rok', governor_id: 9_021_004 });
  await db.$client
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
       INSERT INTO removals (game, governor_id, name, code, note, created_at)
       SELECT 'rok', 500000000 + n, 'made up', 'ABCDEF', '', 1 FROM numbers`,
    )
    .bind(MAX_OPEN_REMOVALS)
    .run();
  expect(await ask()).toMatchObject({
    status: 429,
    msg: 'Too many requests for removal are open. Please try again in some days.',
  });
  await db.$client.prepare(`DELETE FROM removals WHERE governor_id > 500000000 AND governor_id < 500000002`).run();
  expect((await ask()).data.state).toBe('open');
});
