import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf, dayStart } from '../../domain/days.ts';
import { app } from '../../worker/app.ts';
import { ANSWERS_VERSION } from '../../worker/gateways/dashboard-answers.ts';
import worker from '../../worker/index.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { caller, db, type Person, production } from './client.ts';
import { fighter, HOUR, load, madeEvent, START } from './events/war.ts';
import { governor, publishRows } from './scans.ts';

/**
 * Public answers that are computed on request. The first request for one counts against its network's rate limit,
 * cached answers do not. Each answer has its own ETag.
 */

const NETWORK = '2001:db8:9:0::/64';
const visitor = caller({ 'cf-connecting-ip': '2001:db8:9::9' });
const later = START + 20 * HOUR;
/** Rate limit keys counted since the last reset. */
const counts: string[] = [];
let isTooMany = false;

let admin: Person;
let id: number;
let other: number;
const fighters = (t5: number) => [701, 702, 703, 704].map((kingdom, place) => fighter(place + 1, kingdom, t5 + place));
const DAY = dayOf(Date.now() - 9 * 24 * HOUR);

beforeAll(async () => {
  ({ admin, id } = await madeEvent());
  other = (await madeEvent()).id;
  for (const event of [id, other])
    for (const [place, ts] of [START, later].entries()) await load(admin, event, ts, fighters(100 * (place + 1)));
  await publishRows('rok', 1001, dayStart(DAY) + HOUR, [governor(1, 9e6), governor(2, 8e6)]);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);
  Reflect.set(env, 'DASHBOARD_ADDRESS', {
    limit: async ({ key }: RateLimitOptions) => {
      counts.push(key);
      return { success: !isTooMany };
    },
  });
});

/** Calls whose answers are computed, each not yet requested in this file. */
const MADE: Record<string, () => string> = {
  '/dashboards/:dashboard_id/page': () => `/dashboards/${id}/page?start=${START}`,
  '/dashboards/:dashboard_id/table': () => `/dashboards/${id}/table?start=${START}`,
  '/dashboards/:dashboard_id/lines': () => `/dashboards/${id}/lines?metrics=dkp`,
  '/dashboards/:dashboard_id/governor/:governor_id': () => `/dashboards/${id}/governor/1`,
  '/dashboards/:dashboard_id/kingdoms/:kingdom': () => `/dashboards/${id}/kingdoms/701`,
  '/dashboards/:dashboard_id/kingdoms/:kingdom/card.png': () => `/dashboards/${id}/kingdoms/701/card.png`,
  '/dashboards/:dashboard_id/governor/:governor_id/card.png': () => `/dashboards/${id}/governor/1/card.png`,
  '/dashboards/:dashboard_id/card.png': () => `/dashboards/${id}/card.png`,
  '/dashboards/:dashboard_id/changes': () => `/dashboards/${id}/changes`,
  '/dashboards/:dashboard_id/feed.json': () => `/dashboards/${id}/feed.json`,
  '/dashboards/governors/:governor_id': () => '/dashboards/governors/1',
  '/dashboards/kingdoms/:id': () => '/dashboards/kingdoms/701',
  '/dashboards/alliances/:kingdom/:tag': () => '/dashboards/alliances/701/K1',
  '/dashboards/:dashboard_id/data': () => `/dashboards/${id}/data`,
  '/dashboards/:dashboard_id/download': () => `/dashboards/${id}/download?type=csv`,
  '/dashboards/:dashboard_id/snapshot/:ts/download': () => `/dashboards/${id}/snapshot/${START}/download?type=csv`,
  '/:kind{governor|alliance|kingdom}/rankings/:game/row': () =>
    `/governor/rankings/rok/row?type=power&day=${DAY}&place=1`,
};
/** Read from the database and counted at every request. */
const NOT_KEPT = ['/dashboards/:dashboard_id/snapshot/:ts/download'];

const ask = async (path: string, who = visitor) => {
  counts.length = 0;
  const response = await who.fetch(`/v1${path}`);
  await response.arrayBuffer();
  return { status: response.status, counts: [...counts], etag: response.headers.get('etag') };
};

it('covers every call about an event', () => {
  const routes = app.routes.filter(({ method, path }) => method === 'GET' && /\/dashboards\/.+\/|\/row$/.test(path));
  const paths = new Set(routes.map(({ path }) => path.replace('/v1', '')).filter((path) => !path.startsWith('/cards')));
  expect([...paths].sort()).toEqual(Object.keys(MADE).sort());
});

describe('an answer that is computed on the first request', () => {
  it.each(Object.entries(MADE))('counts once against the caller’s network: %s', async (name, pathOf) => {
    isTooMany = true;
    expect(await ask(pathOf())).toMatchObject({ status: 429, counts: [NETWORK] });
    isTooMany = false;
    expect(await ask(pathOf())).toMatchObject({ status: 200, counts: [NETWORK] });
    const again = NOT_KEPT.includes(name) ? [NETWORK] : [];
    expect(await ask(pathOf())).toMatchObject({ status: 200, counts: again });
  });

  it('counts for nobody if the platform gives no address', async () => {
    const nobody = caller();
    expect(await ask(`/dashboards/${id}/table?start=${later}`, nobody)).toMatchObject({ status: 200, counts: [] });
    const row = `/governor/rankings/rok/row?type=power&day=${DAY}&place=2`;
    expect(await ask(row, nobody)).toMatchObject({ status: 200, counts: [] });
  });
});

it('each answer has its own ETag, which changes with the event', async () => {
  const range = `start=${START}&end=${later}`;
  const paths = (event: number) => [
    `/dashboards/${event}/table?${range}`,
    `/dashboards/${event}/table?start=${START}&end=${START}`,
    `/dashboards/${event}/table?start=${later}&end=${later}`,
    `/dashboards/${event}/lines?${range}&metrics=dkp`,
    `/dashboards/${event}/lines?${range}&metrics=deads`,
    `/dashboards/${event}/governor/1?${range}`,
    `/dashboards/${event}/governor/2?${range}`,
    `/dashboards/${event}/data?${range}`,
  ];
  const tagsOf = (event: number) => Promise.all(paths(event).map(async (path) => (await ask(path)).etag));
  const before = [...(await tagsOf(id)), ...(await tagsOf(other))];
  expect(new Set(before).size).toBe(before.length);
  await load(admin, id, START + HOUR, fighters(50));
  const changed = await tagsOf(id);
  expect(changed.filter((tag) => before.includes(tag))).toEqual([]);
});

it('an answer that the caller has is not computed', async () => {
  const { etag } = await ask(`/dashboards/${id}/lines?metrics=dkp`);
  expect(etag).toMatch(new RegExp(`^"v${ANSWERS_VERSION}-`));
  const headers = { 'if-none-match': String(etag).replace('dkp', 'killcount_t4') };
  counts.length = 0;
  const { status } = await visitor.fetch(`/v1/dashboards/${id}/lines?metrics=killcount_t4`, { headers });
  expect([status, counts]).toEqual([304, []]);
});

it('each board row has its own ETag and returns 304 if unchanged', async () => {
  const row = (place: number) => `/governor/rankings/rok/row?type=power&day=${DAY}&place=${place}`;
  const [first, second] = [await ask(row(1)), await ask(row(2))];
  expect(first.etag).not.toBe(second.etag);
  const again = await visitor.fetch(`/v1${row(1)}`, { headers: { 'if-none-match': first.etag ?? '' } });
  expect(again.status).toBe(304);
});

it('a cached board allows configured origins only', async () => {
  const bindings = production({ ALLOWED_ORIGINS: 'https://two.test' });
  const readBy = async (headers: Record<string, string>) => {
    const url = `https://muster.test/v1/governor/rankings/rok?type=power&day=${DAY}`;
    const answer = await worker.fetch(new Request(url, { headers }), bindings, createExecutionContext());
    const text = await answer.text();
    const { headers: told } = answer;
    expect(told.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    return [answer.status, told.get('access-control-allow-origin'), told.get('vary'), text.length > 0];
  };
  const both = 'Accept-Encoding, Origin';
  for (let times = 0; times < 3; times++) expect(await readBy({})).toEqual([200, null, both, true]);
  expect(await readBy({ origin: 'https://two.test' })).toEqual([200, 'https://two.test', both, true]);
  expect(await readBy({ origin: 'https://three.test' })).toEqual([200, null, both, true]);
});

it('an event without snapshots has no board and refuses ranges', async () => {
  const { id: empty } = await madeEvent();
  expect((await visitor.call('GET', `/v1/dashboards/${empty}/page`)).data.board).toBeNull();
  for (const query of [`start=${START}`, `end=${START}`])
    expect(await visitor.call('GET', `/v1/dashboards/${empty}/page?${query}`)).toMatchObject({
      status: 404,
      msg: 'There is no snapshot of this event yet.',
    });
});
