import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { tableOf } from '../../../domain/scans/rows.ts';
import { openDb } from '../../../worker/db/open.ts';
import { putEventSnapshot } from '../../../worker/models/events/event-snapshots.ts';
import { eventOf as eventModel } from '../../../worker/models/events/events.ts';
import { beginGathering, failGathering, openGatherings } from '../../../worker/models/events/gatherings.ts';
import { listAdminEvents } from '../../../worker/services/events/admin-event.ts';
import { gatherEvents } from '../../../worker/services/events/gather.ts';
import { publishSnapshot } from '../../../worker/services/scans/publish-snapshot.ts';
import { type Answer, caller, db, type Person } from '../client.ts';
import { governor } from '../scans.ts';
import { counted } from '../stores.ts';
import { eventOf, fighter, HOUR, load, madeEvent, START } from './war.ts';

/** Which reading of a kingdom an event keeps if two have the same time. */

const visitor = caller();
let admin: Person;
let id: number;

beforeAll(async () => {
  ({ admin, id } = await madeEvent());
});

const metaOf = async (event = id): Promise<Answer['data']> =>
  (await visitor.call('GET', `/v1/dashboards/${event}/`)).data;
/** A snapshot as admins see it, straight from the tables. */
const snapshotAt = async (ts: number) => {
  const { data } = await admin.call('GET', `/v1/admin/events/${id}`);
  return data.snapshots.find((snapshot: { ts: number }) => snapshot.ts === ts);
};
const replacedAt = async (ts: number) => (await snapshotAt(ts)).replaced;
const fighters = (kingdom: number, count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => fighter(kingdom * 1000 + first + index, kingdom, 10));

/** Publishes a gathering of one kingdom and adds it to the snapshot at `ts`. */
async function gathered(ts: number, kingdom_id: number, count: number): Promise<void> {
  const capture = { kingdom_id, captured_at: ts, source: 'bots', id: `bots-${ts}-${kingdom_id}-${count}` };
  const rows = Array.from({ length: count }, (_, index) => governor(kingdom_id * 1000 + 1 + index, 900));
  const table = tableOf(
    'rok',
    rows.map((row) => ({ ...row, home_kingdom: kingdom_id })),
  );
  await publishSnapshot(db, env.STORE, table, { ...capture, item_id: null, version: 1 });
  const { key } = (await db.$client
    .prepare(`SELECT key FROM snapshots WHERE kingdom_id = ? AND captured_at = ? AND source = 'bots' AND rows = ?`)
    .bind(kingdom_id, ts, count)
    .first<{ key: string }>()) as { key: string };
  await putEventSnapshot(db, id, { ts, source: 'bots', kingdoms: [701, 702, 703, 704], parts: [{ kingdom_id, key }] });
}

test('a gathering never replaces a file, and adds the kingdoms that the file lacks', async () => {
  await load(admin, id, START, [...fighters(701, 3), ...fighters(702, 2)]);
  const before = await snapshotAt(START);
  await gathered(START, 701, 5);
  expect(await snapshotAt(START)).toEqual(before);
  expect(await replacedAt(START)).toEqual([]);
  await gathered(START, 703, 4);
  expect(await snapshotAt(START)).toMatchObject({ rows: 9, state: 'corrected' });
  expect(await replacedAt(START)).toEqual([]);
});

test('a file replaces a gathering or another file, and both versions are kept', async () => {
  const ts = START + HOUR;
  await gathered(ts, 701, 2);
  expect(await snapshotAt(ts)).toMatchObject({ rows: 2 + 2 + 4, state: 'live' });
  expect(await load(admin, id, ts, fighters(701, 3))).toMatchObject({ status: 200, data: { rows: 3 } });
  expect(await snapshotAt(ts)).toMatchObject({ rows: 3 + 2 + 4, state: 'corrected' });
  expect(await replacedAt(ts)).toMatchObject([{ kingdom: 701, source: 'bots', rows: 2 }]);
  await load(admin, id, ts, fighters(701, 3, 50));
  expect(await replacedAt(ts)).toMatchObject([
    { source: expect.stringMatching(/^file: /), rows: 3 },
    { source: 'bots' },
  ]);
});

test('a shallower file does not replace a deeper reading, says so, and adds the rest', async () => {
  const ts = START + 2 * HOUR;
  await load(admin, id, ts, fighters(701, 5));
  const shallow = await load(admin, id, ts, [...fighters(701, 2), ...fighters(702, 2)]);
  expect(shallow).toMatchObject({ status: 200, data: { kingdoms: [702], rows: 2 } });
  expect(shallow.data.problems[0].reason).toBe(
    'Kingdom 701: the snapshot of this moment has 5 governors, this file 2. The deeper reading stays.',
  );
  expect(await snapshotAt(ts)).toMatchObject({ rows: 5 + 2 + 4 });
  expect(await load(admin, id, ts, fighters(701, 4))).toMatchObject({
    status: 409,
    msg: 'Nothing was changed. Kingdom 701: the snapshot of this moment has 5 governors, this file 4. The deeper reading stays.',
  });
  await gathered(ts, 702, 1);
  expect(await snapshotAt(ts)).toMatchObject({ rows: 5 + 2 + 4 });
});

test('the list of events equals their pages, with as many requests for three as for one', async () => {
  const listOf = async (before: number | undefined) => {
    let requests = 0;
    const counting = openDb({ DB: counted(env.DB, () => requests++) });
    return { ...(await listAdminEvents(counting, { before })), requests };
  };
  const one = await listOf(undefined);
  const [second, third] = [await madeEvent(), await madeEvent()];
  await load(second.admin, second.id, START, fighters(702, 2));
  await load(second.admin, second.id, START, fighters(702, 4));
  for (const [of, moments] of [
    [id, [1, 2]],
    [third.id, Array.from({ length: 22 }, (_, index) => index)],
  ] as const)
    for (const at of moments) {
      const event = (await eventModel(db, of)) ?? expect.fail();
      await beginGathering(db, event, START + at, START + at);
      const [begun] = await openGatherings(db);
      if (begun) await failGathering(db, begun, `gathering ${at}`);
    }
  const pages = await Promise.all(
    [third.id, second.id, id].map(async (of) => (await admin.call('GET', `/v1/admin/events/${of}`)).data),
  );
  const three = await listOf(undefined);
  expect(three.events).toEqual(pages);
  expect(pages.map(({ refreshes }) => refreshes.length)).toEqual([20, 0, 2]);
  expect(three.events[0]?.refreshes[0]).toMatchObject({ due_at: START + 21, msg: 'gathering 21' });
  expect(three.events[1]?.snapshots[0]?.replaced).toMatchObject([{ kingdom: 702, rows: 2 }]);
  expect(three.requests).toBe(one.requests);
});

test('deleting a snapshot deletes its versions', async () => {
  expect(await admin.call('DELETE', `/v1/admin/events/${id}/snapshots/${START + HOUR}`)).toMatchObject({ status: 200 });
  const left = await db.$client
    .prepare(
      `SELECT count(*) AS n FROM event_part_versions WHERE event_snapshot_id NOT IN (SELECT id FROM event_snapshots)`,
    )
    .first();
  expect(left).toEqual({ n: 0 });
});

test('a draft is private, and is not scanned until it is published', async () => {
  const { data } = await admin.call('POST', '/v1/admin/events', eventOf({ gather: true }));
  const draft = data.dashboard_id;
  const listed = async () => (await visitor.call('GET', '/v1/dashboards')).data.events.map(idOf);
  const idOf = ({ dashboard_id }: { dashboard_id: number }) => dashboard_id;
  expect((await admin.call('GET', `/v1/admin/events/${draft}`)).data).toMatchObject({
    state: 'draft',
    next_refresh: null,
  });
  for (const path of [
    '',
    '/page',
    '/table',
    '/lines',
    '/data',
    '/download?type=csv',
    `/snapshot/${START}/download?type=csv`,
  ])
    expect([path, (await visitor.fetch(`/v1/dashboards/${draft}${path}`)).status]).toEqual([path, 404]);
  expect(await listed()).not.toContain(draft);
  expect(await admin.call('POST', `/v1/admin/events/${draft}/refresh`)).toMatchObject({
    status: 409,
    msg: 'This event is a draft: publish it to scan its kingdoms.',
  });
  await gatherEvents(env, db, Date.now() + HOUR);
  expect(await orders(draft)).toBe(0);
  // A draft can be filled before anybody sees it.
  expect(await load(admin, draft, START, fighters(701, 2))).toMatchObject({ status: 200 });
  expect(await admin.call('POST', `/v1/admin/events/${draft}/publish`)).toMatchObject({ data: { state: 'running' } });
  expect((await metaOf(draft)).snapshots).toHaveLength(1);
  expect(await admin.call('POST', `/v1/admin/events/${draft}/publish`)).toMatchObject({
    status: 409,
    msg: 'This event is published already.',
  });
});

const orders = async (event: number): Promise<number> =>
  (await db.$client
    .prepare(`SELECT count(*) AS n FROM event_refreshes WHERE event_id = ?`)
    .bind(event)
    .first<number>('n')) as number;

test('an event that is over never starts a scan by clock, reopening or hand', async () => {
  const { data } = await admin.call('POST', '/v1/admin/events', eventOf({ gather: true, end: START + HOUR }));
  const over = data.dashboard_id;
  for (const act of ['publish', 'close', 'reopen']) {
    await admin.call('POST', `/v1/admin/events/${over}/${act}`);
    await gatherEvents(env, db, Date.now());
  }
  expect(await admin.call('POST', `/v1/admin/events/${over}/refresh`)).toMatchObject({
    status: 409,
    msg: 'This event is over: nothing is scanned for it any more.',
  });
  // A scan was due at its end while the service was down.
  await db.$client
    .prepare(`UPDATE events SET next_refresh = ? WHERE id = ?`)
    .bind(START + HOUR, over)
    .run();
  await gatherEvents(env, db, Date.now());
  expect(await orders(over)).toBe(0);
  expect((await metaOf(over)).next_refresh).toBeNull();
});

test('a gathering is due at a labelled date, whose snapshot is the nearest one', async () => {
  const pass = Date.now() + 30 * 60_000;
  const { id: war } = await madeEvent({
    gather: true,
    refresh_rate: 240,
    dates: { 'Pass 4': pass, Altar: START + HOUR },
  });
  await gatherEvents(env, db, Date.now());
  expect((await admin.call('GET', `/v1/admin/events/${war}`)).data.next_refresh).toBe(pass);
  await load(admin, war, START, fighters(701, 1));
  await load(admin, war, START + HOUR + 7 * 60_000, fighters(701, 2));
  const file = await visitor.fetch(`/v1/dashboards/${war}/snapshot/${START + HOUR}/download?type=csv`);
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="kvk_T-1_${START + HOUR + 7 * 60_000}.csv"`,
  ]);
  // Every value of `dates` works, also a future one: the file name tells which scan it is.
  expect((await visitor.fetch(`/v1/dashboards/${war}/snapshot/${pass}/download?type=csv`)).status).toBe(200);
  expect((await visitor.fetch(`/v1/dashboards/${war}/snapshot/${START + 30 * 60_000}/download?type=csv`)).status).toBe(
    404,
  );
});

test('visitors see that nothing came and the event is late, but no internal reasons', async () => {
  const { id: war } = await madeEvent({ gather: true });
  await gatherEvents(env, db, Date.now());
  expect((await metaOf(war)).late.msg).toBe('A scan is under way and has not ended yet.');
  await db.$client
    .prepare(
      `UPDATE items SET state = 'failed', error = 'Kingdom 701 is not in the simulated world'
       WHERE order_id IN (SELECT order_id FROM event_refreshes WHERE event_id = ?)`,
    )
    .bind(war)
    .run();
  await gatherEvents(env, db, Date.now());
  const meta = await metaOf(war);
  expect(JSON.stringify(meta)).not.toContain('simulated');
  expect(meta.failed.msg).toBe('None of its kingdoms could be scanned.');
  expect(meta.late).toEqual({ since: START + 2 * HOUR, msg: 'None of its kingdoms could be scanned.' });
  const { data } = await admin.call('GET', `/v1/admin/events/${war}`);
  expect(data.refreshes[0].msg).toContain('Kingdom 701 is not in the simulated world');
  const { id: byHand } = await madeEvent();
  expect((await metaOf(byHand)).late.msg).toBe('Its scans are loaded by hand, and no newer one was loaded.');
});

/** Returns a kingdom's scan in each snapshot of an event: its minute, its governors, and whether it stands in. */
const scansOf = async (event: number, kingdom: number) =>
  (
    await db.$client
      .prepare(
        `SELECT captured_at, rows, stands_in FROM event_snapshots JOIN event_parts ON event_snapshot_id = event_snapshots.id
         LEFT JOIN snapshots ON snapshots.id = snapshot_id WHERE event_id = ? AND event_parts.kingdom_id = ? ORDER BY ts`,
      )
      .bind(event, kingdom)
      .all<{ captured_at: number | null; rows: number | null; stands_in: number }>()
  ).results.map(({ captured_at, rows, stands_in }) => [captured_at && (captured_at - START) / 60_000, rows, stands_in]);

test('a scan loaded later replaces a missing one in later snapshots, up to the next scan', async () => {
  const made = await madeEvent();
  const [t10, t20, t30, t40, t50] = [10, 20, 30, 40, 50].map((minute) => START + minute * 60_000) as [
    ...[number, number, number, number, number],
  ];
  for (const [ts, rows] of [
    [t10, [...fighters(701, 2), ...fighters(702, 2)]],
    [t20, fighters(702, 3)],
    [t30, fighters(702, 4)],
    [t40, fighters(701, 5)],
    [t50, fighters(702, 5)],
  ] as const)
    await load(made.admin, made.id, ts, rows);
  const scans = (kingdom: number) => scansOf(made.id, kingdom);
  const others = await scans(702);
  expect(await scans(701)).toEqual([
    [10, 2, 0],
    [10, 2, 1],
    [10, 2, 1],
    [40, 5, 0],
    [40, 5, 1],
  ]);
  for (const rows of [3, 4]) {
    await load(made.admin, made.id, t20, fighters(701, rows));
    expect(await scans(701)).toEqual([
      [10, 2, 0],
      [20, rows, 0],
      [20, rows, 1],
      [40, 5, 0],
      [40, 5, 1],
    ]);
  }
  expect(await scans(702)).toEqual(others);
});

test('the scans of a deleted snapshot stand in for no later one', async () => {
  const made = await madeEvent();
  const [t61, t62, t63, t64] = [61, 62, 63, 64].map((minute) => START + minute * 60_000) as [
    ...[number, number, number, number],
  ];
  for (const [ts, rows] of [
    [t61, fighters(701, 1)],
    [t62, [...fighters(701, 2), ...fighters(704, 2)]],
    [t63, fighters(702, 1)],
    [t64, fighters(702, 2)],
  ] as const)
    expect(await load(made.admin, made.id, ts, rows)).toMatchObject({ status: 200 });
  const scans = () => Promise.all([701, 704].map((kingdom) => scansOf(made.id, kingdom)));
  expect((await scans()).map((each) => each.at(-1))).toEqual([
    [62, 2, 1],
    [62, 2, 1],
  ]);
  expect(await made.admin.call('DELETE', `/v1/admin/events/${made.id}/snapshots/${t62}`)).toMatchObject({
    status: 200,
  });
  expect(await scans()).toEqual([
    [
      [61, 1, 0],
      [61, 1, 1],
      [61, 1, 1],
    ],
    [
      [null, null, 1],
      [null, null, 1],
      [null, null, 1],
    ],
  ]);
});
