import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { partsOf, putEventSnapshot } from '../../../worker/models/events/event-snapshots.ts';
import { caller, db } from '../client.ts';
import { fighter, HOUR, load, madeEvent, START } from './war.ts';

/**
 * A new snapshot of which this isolate and the event's object are not told, as is usual: every cached answer ends in
 * time. The clock is moved by hand; the caching of edge and browsers is read from the headers.
 */

const MOST_SECONDS = 30;
const visitor = caller();
let now = Date.now();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number) => {
  now += seconds * 1000;
  vi.setSystemTime(now);
};

/** How long a browser and Workers Cache keep serving an answer, one after the other, in seconds. */
const keptFor = ({ headers }: Response): number => {
  const told = `${headers.get('cache-control')} ${headers.get('cloudflare-cdn-cache-control')}`;
  return [...told.matchAll(/(?:max-age|while-revalidate)=(\d+)/g)].reduce(
    (sum, [, seconds]) => sum + Number(seconds),
    0,
  );
};

/** Stores a snapshot without telling any cache. */
async function putSilently(id: number, ts: number): Promise<void> {
  const parts = ((await partsOf(db, id, [START]))?.parts ?? []).map(({ kingdom_id, key }) => ({
    kingdom_id,
    key: key ?? '',
  }));
  expect(parts.length).toBe(4);
  await putEventSnapshot(db, id, { ts, source: 'test', kingdoms: [701, 702, 703, 704], parts });
}

test.each(['/', '/page', '/data', '/table', '/download?type=csv'])(
  'nobody sees an old latest snapshot for more than half a minute: %s',
  async (path) => {
    const { admin, id } = await madeEvent();
    const rows = [701, 702, 703, 704].map((kingdom, index) => fighter(980_001 + index, kingdom, 100));
    await load(admin, id, START, rows);
    const latest = START + 20 * HOUR;
    /** Whether the answer has the snapshot, and how long caches may keep it. */
    const asked = async () => {
      const response = await visitor.fetch(`/v1/dashboards/${id}${path}`);
      const text = await response.text();
      const name = response.headers.get('content-disposition') ?? '';
      return { told: name.includes(`_${latest}`) || text.includes(String(latest)), kept: keptFor(response) };
    };
    const before = await asked();
    expect(before.told).toBe(false);
    await putSilently(id, latest);
    // The worst case: the object was refreshed just before, and this isolate just before that ended.
    pass(4.9);
    expect((await asked()).told).toBe(false);
    let waited = 4.9;
    while (!(await asked()).told && waited < 60) {
      pass(1);
      waited += 1;
    }
    expect(waited + before.kept).toBeLessThanOrEqual(MOST_SECONDS);
  },
);

test('the list of events shows a new snapshot within half a minute', async () => {
  const { admin, id } = await madeEvent();
  const rows = [701, 702, 703, 704].map((kingdom, index) => fighter(981_001 + index, kingdom, 100));
  await load(admin, id, START, rows);
  const asked = async (game: string) => {
    const response = await visitor.fetch(`/v1/dashboards?game=${game}`);
    const { events } = (await response.json<{ data: { events: { latest: number }[] } }>()).data;
    return { latest: events.map(({ latest }) => latest), kept: keptFor(response) };
  };
  expect((await asked('rok')).latest).toContain(START);
  expect((await asked('cod')).latest).toEqual([]);
  await putSilently(id, START + 5 * HOUR);
  const { latest, kept } = await asked('rok');
  expect(latest).toContain(START + 5 * HOUR);
  expect(kept).toBeLessThanOrEqual(MOST_SECONDS);
});

test('a delayed event runs until its last scan is public, and says when the next one is', async () => {
  const { admin, id } = await madeEvent({ publication_delay: 6, gather: true });
  const scans = [START, START + 26 * HOUR, START + 27 * HOUR];
  for (const [kills, ts] of scans.entries()) {
    const rows = [701, 702, 703, 704].map((kingdom, index) => fighter(983_001 + index, kingdom, kills));
    await load(admin, id, ts, rows);
  }
  await admin.call('POST', `/v1/admin/events/${id}/close`);
  const shown = async () => {
    const { state, next_refresh, snapshots } = (await visitor.call('GET', `/v1/dashboards/${id}`)).data;
    const { events } = (await visitor.call('GET', '/v1/dashboards')).data;
    const { state: listed } = events.find((event: { dashboard_id: number }) => event.dashboard_id === id);
    return [state, listed, next_refresh, snapshots.at(-1).ts, snapshots.at(-1).state];
  };
  const publicAt = (scan: number) => (scans[scan] as number) + 6 * HOUR;
  expect(await shown()).toEqual(['running', 'running', publicAt(1), scans[0], 'live']);
  pass((publicAt(1) - now) / 1000);
  expect(await shown()).toEqual(['running', 'running', publicAt(2), scans[1], 'live']);
  pass((publicAt(2) - now) / 1000);
  expect(await shown()).toEqual(['ended', 'ended', null, scans[2], 'final']);
});

test('an isolate with an outdated event answers with the changed one', async () => {
  const { admin, id } = await madeEvent();
  const rows = [701, 702, 703, 704].map((kingdom, index) => fighter(982_001 + index, kingdom, 100));
  await load(admin, id, START, rows);
  const told = async (path: string) => {
    const response = await visitor.fetch(`/v1/dashboards/${id}${path}`);
    return { status: response.status, told: (await response.text()).includes(String(START + 3 * HOUR)) };
  };
  expect(await told('/')).toEqual({ status: 200, told: false });
  await putSilently(id, START + 3 * HOUR);
  // Another isolate has told the object, which no longer answers for the old revision.
  await env.DASHBOARD_CACHE.getByName(String(id)).forget();
  expect(await told('/table')).toEqual({ status: 200, told: true });
});
