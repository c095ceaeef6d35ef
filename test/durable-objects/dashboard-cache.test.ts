import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import type { DashboardCache } from '../../durable-objects/dashboard-cache.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import type { Question } from '../../worker/gateways/dashboard-answers.ts';
import { eventually } from '../support/eventually.ts';
import { db } from '../worker/client.ts';
import { fighter, HOUR, load, madeEvent, START } from '../worker/events/war.ts';

/** An event's object: what it caches, and how it recovers from failures. */

const END = START + 2 * HOUR;

async function war(more: Record<string, unknown> = {}) {
  const { admin, id } = await madeEvent(more);
  for (const [ts, won] of [
    [START, 0],
    [START + HOUR, 25],
    [END, 50],
  ] as const)
    await load(
      admin,
      id,
      ts,
      [701, 702, 703, 704].map((kingdom, index) => fighter(index + 1, kingdom, 100 + won * (index + 1))),
    );
  const object = env.DASHBOARD_CACHE.getByName(String(id));
  const head = await object.head();
  const revision = head?.event.revision ?? 0;
  const ask = (question: Partial<Question>) =>
    object.fetch('https://dashboard.invalid/', {
      method: 'POST',
      body: JSON.stringify({ kind: 'board', revision, start: START, end: END, ...question }),
    });
  return { id, object, revision, ask };
}

/** Deletes all stored scans; the returned function restores them. */
async function withoutStore(): Promise<() => Promise<void>> {
  const { objects } = await env.STORE.list();
  const held = await Promise.all(
    objects.map(async ({ key }) => ({ key, bytes: await (await env.STORE.get(key))?.arrayBuffer() })),
  );
  await env.STORE.delete(objects.map(({ key }) => key));
  return async () => {
    await Promise.all(held.map(({ key, bytes }) => env.STORE.put(key, bytes ?? '')));
  };
}

/** The data of a compressed answer. */
const unpacked = async (response: Response) => JSON.parse(gunzipSync(await response.bytes()).toString()).data;

const bytesOf = async (response: Response) => [response.status, (await response.bytes()).join()];

test('a cached answer and its cached scans are not read again', async () => {
  const { object, ask } = await war();
  const reads = await runInDurableObject(object, (instance: DashboardCache) =>
    vi.spyOn((Reflect.get(instance, 'env') as typeof env).STORE, 'get'),
  );
  const [one, two] = await Promise.all([ask({}), ask({})]);
  expect(one.status).toBe(200);
  const board = await bytesOf(one);
  expect(await bytesOf(two)).toEqual(board);
  expect(reads.mock.calls.length).toBeGreaterThan(0);
  reads.mockClear();
  expect(await bytesOf(await ask({}))).toEqual(board);
  expect((await ask({ kind: 'table' })).status).toBe(200);
  expect(reads.mock.calls).toEqual([]);
  reads.mockRestore();
});

test('a cached answer does not wait for one being computed', async () => {
  const { object, ask } = await war();
  const board = await bytesOf(await ask({}));
  const { store, get } = await runInDurableObject(object, (instance: DashboardCache) => {
    const { STORE } = Reflect.get(instance, 'env') as typeof env;
    return { store: STORE, get: STORE.get.bind(STORE) };
  });
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((settle) => {
    goOn = settle;
  });
  const reads = vi.spyOn(store, 'get').mockImplementation((async (key: string) => {
    await held;
    return get(key);
  }) as typeof store.get);
  // Sides that are not cached, so that the store is read.
  const later = { start: START + HOUR, kind: 'table' as const };
  const slow = Promise.all([ask(later), ask(later)]);
  await eventually(() => expect(reads).toHaveBeenCalled());
  expect(await bytesOf(await ask({}))).toEqual(board);
  goOn();
  const [one, two] = await slow;
  expect(one.status).toBe(200);
  expect(await bytesOf(two)).toEqual(await bytesOf(one));
  reads.mockRestore();
});

test('a failed answer is computed again and delays no later one', async () => {
  const { ask } = await war();
  const restore = await withoutStore();
  const fails = (question: Partial<Question>) =>
    ask(question).then(
      async (response) => response.ok,
      () => false,
    );
  expect([await fails({}), await fails({ kind: 'table' })]).toEqual([false, false]);
  const file = { kind: 'file', type: 'csv' } as const;
  const began = Date.now();
  expect([await fails(file), await fails(file)]).toEqual([false, false]);
  await restore();
  expect((await bytesOf(await ask(file)))[0]).toBe(200);
  // An unreleased slot would be taken after ten seconds.
  expect(Date.now() - began).toBeLessThan(10_000);
  for (const kind of ['board', 'table', 'lines', 'data'] as const)
    expect([kind, (await ask({ kind, metrics: ['dkp'] })).status]).toEqual([kind, 200]);
});

test('a head is cached for five seconds, unless dropped or of another revision than requested', async () => {
  const { id, object, revision, ask } = await war();
  const clock = vi.spyOn(Date, 'now');
  const now = Date.now();
  clock.mockReturnValue(now);
  try {
    await object.forget();
    const revisionAt = async (at: number) => {
      clock.mockReturnValue(now + at);
      return ((await object.head())?.event.revision ?? 0) - revision;
    };
    expect(await revisionAt(0)).toBe(0);
    await env.DB.prepare('UPDATE events SET revision = revision + 1 WHERE id = ?').bind(id).run();
    expect(await revisionAt(4999)).toBe(0);
    expect(await revisionAt(5000)).toBe(1);
    await env.DB.prepare('UPDATE events SET revision = revision + 1 WHERE id = ?').bind(id).run();
    // A question about an old revision is refused; one about a newer revision reads the head again.
    expect((await ask({ revision })).status).toBe(409);
    await env.DB.prepare('UPDATE events SET revision = revision + 1 WHERE id = ?').bind(id).run();
    expect((await ask({ revision: revision + 3 })).status).toBe(200);
    expect((await ask({ revision: revision + 4 })).status).toBe(409);
    await env.DB.prepare('UPDATE events SET revision = revision + 1 WHERE id = ?').bind(id).run();
    expect(await revisionAt(5000)).toBe(3);
    await object.forget();
    expect(await revisionAt(5000)).toBe(4);
  } finally {
    clock.mockRestore();
  }
});

test('a head that could not be read is read again for the next caller', async () => {
  const { object } = await war();
  await object.forget();
  const batch = await runInDurableObject(object, (instance: DashboardCache) => {
    const { DB } = Reflect.get(instance, 'env') as typeof env;
    return vi.spyOn(DB, 'batch').mockRejectedValueOnce(new Error('D1 went away'));
  });
  expect(
    await runInDurableObject(object, (instance: DashboardCache) =>
      instance.head().then(
        () => 'read',
        (error: Error) => error.message,
      ),
    ),
  ).toBe('D1 went away');
  expect((await object.head())?.event.revision).toBeGreaterThan(0);
  batch.mockRestore();
});

test('points of the trend survive a restart, up to the newest twenty thousand', async () => {
  const { object, ask } = await war();
  const points = () =>
    runInDurableObject(object, (_, { storage: { sql } }) =>
      sql.exec<{ id: number; name: string }>('SELECT id, name FROM points ORDER BY id').toArray(),
    );
  await (await ask({})).bytes();
  const kept = await points();
  expect(kept.length).toBeGreaterThan(1);
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    sql.exec(`UPDATE points SET id = 19000 + id`);
    for (let id = 1; id <= 50; id++)
      sql.exec(`INSERT INTO points (id, name, point) VALUES (?, ?, '')`, id, `old-${id}`);
    sql.exec(`INSERT INTO points (id, name, point) VALUES (20000, 'last', '')`);
  });
  await evictDurableObject(object);
  await (await ask({})).bytes();
  // Points that existed are not computed again.
  expect((await points()).length).toBe(kept.length + 51);
  await (await ask({ start: START + HOUR })).bytes();
  const all = await points();
  const newest = all.at(-1)?.id ?? 0;
  expect(newest).toBeGreaterThan(20_000);
  expect(all[0]?.id).toBe(newest - 20_000 + 1);
});

test.each([
  ['weights', '$.weights.killcount_t5', 40],
  ['points off for power', '$.power_off', 0.5],
  ['deads that count', '$.zeroed', { 1: 50 }],
  [
    'camps',
    '$.camps',
    [
      { name: 'Fire', kingdoms: ['703', '701'] },
      { name: 'Water', kingdoms: ['704', '702'] },
    ],
  ],
])('stored points are used only with the same %s', async (_, path, value) => {
  const { id, ask, object } = await war({ weights: { killcount_t5: 20, deads: 1 } });
  const lines = async (revision: number) => unpacked(await ask({ kind: 'lines', metrics: ['dkp', 'deads'], revision }));
  const first = (await object.head())?.event.revision ?? 0;
  const before = await lines(first);
  await db.$client
    .prepare(`UPDATE events SET plan = json_set(plan, ?, json(?)), revision = revision + 1 WHERE id = ?`)
    .bind(path, JSON.stringify(value), id)
    .run();
  await object.forget();
  const after = await lines(first + 1);
  expect(after).not.toEqual(before);
  await runInDurableObject(object, (__, { storage: { sql } }) => {
    sql.exec('DELETE FROM points');
  });
  await evictDurableObject(object);
  expect(await lines(first + 1)).toEqual(after);
});

test('cached columns belong to their snapshot and their names', async () => {
  const { ask } = await war();
  const gained = async (start: number, end: number, metric: string) => {
    const { camps } = await unpacked(await ask({ kind: 'lines', start, end, metrics: [metric] }));
    return [camps.Fire.gained[metric].at(-1), camps.Water.gained[metric].at(-1)];
  };
  for (const _ of ['read', 'held']) {
    expect(await gained(START, END, 'killcount_t5')).toEqual([150, 350]);
    expect(await gained(START + HOUR, END, 'killcount_t5')).toEqual([75, 175]);
    expect(await gained(START, START + HOUR, 'deads')).toEqual([75, 175]);
    expect(await gained(START, END, 'killpoints')).toEqual([3000, 7000]);
    expect(await gained(START, END, 'power')).toEqual([0, 0]);
  }
});

test('data of 30,000 governors is cached, and of more is streamed to one caller at a time', async () => {
  const { id, object, revision } = await war();
  const about = { game: 'rok', kingdom_id: 701, captured_at: START, source: 'x', quality: {} } as const;
  const first = { governor_id: 1, home_kingdom: 701, name: 'Fighter 1', power: 9, killcount_t5: 100 };
  const stored = await env.DB.prepare(
    `SELECT snapshots.id FROM event_snapshots JOIN event_parts ON event_snapshot_id = event_snapshots.id
     JOIN snapshots ON snapshots.id = snapshot_id WHERE event_id = ? AND ts = ? AND event_parts.kingdom_id = 701`,
  )
    .bind(id, START)
    .first<{ id: string }>();
  /** Returns data of this many rows. Most of them repeat one governor, who counts once. */
  const data = async (rows: number) => {
    const table = tableOf('rok', Array<Row>(rows - 7).fill(first));
    const key = `snapshots/large-${id}-${rows}`;
    await env.STORE.put(key, writeSnapshot(table, about));
    await env.DB.prepare(`UPDATE snapshots SET rows = ?, key = ? WHERE id = ?`)
      .bind(table.count, key, stored?.id)
      .run();
    await object.forget();
    // Runs inside the object, because a stream to another isolate is read ahead.
    return runInDurableObject(object, async (instance: DashboardCache) => {
      const asked = () => {
        const body = JSON.stringify({ kind: 'data', revision, start: START, end: END });
        return instance.fetch(new Request('https://dashboard.invalid/', { method: 'POST', body }));
      };
      const one = await asked();
      const next = asked();
      const waits = rows > 30_000 && (await Promise.race([next, scheduler.wait(100)])) === undefined;
      if (!waits) await next;
      return { waits, texts: [await one.text(), await (await next).text()] };
    });
  };
  const began = Date.now();
  const held = await data(30_000);
  // No caller waited for the answer that nobody read.
  expect(Date.now() - began).toBeLessThan(10_000);
  expect([held.texts[1], JSON.parse(held.texts[0] ?? '').success]).toEqual([held.texts[0], 1]);
  expect(await data(30_001)).toEqual({ ...held, waits: true });
});
