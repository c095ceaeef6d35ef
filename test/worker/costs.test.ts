import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import costs from '../../docs/costs.md?raw';
import type { Task } from '../../domain/fleet/contract.ts';
import { configuredSale } from '../../domain/orders/sale.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { openDb } from '../../worker/db/open.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { mailStatement, sendDue } from '../../worker/models/messages/outbox.ts';
import { dueSchedules, runSchedules } from '../../worker/models/orders/schedule-runs.ts';
import { gatherEvents } from '../../worker/services/events/gather.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { speakerFor } from '../../worker/services/service/speak.ts';
import { columnsFor, db, json, PASSWORD, scanOf, send, signedInUser } from './client.ts';
import { madeEvent } from './events/war.ts';
import { governor } from './scans.ts';

/** The rows of D1 that the main actions read and write are those of docs/costs.md. */

interface Rows {
  read: number;
  written: number;
}

const isRead = (sql: string): boolean => /^\s*(SELECT|WITH)\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/.test(sql);

/** Returns D1 with the rows of all its statements counted in `rows`. */
function counting(database: D1Database, rows: Rows): D1Database {
  const bare = new WeakMap<object, D1PreparedStatement>();
  const add = <Answer extends D1Result<unknown>>(answer: Answer): Answer => {
    rows.read += answer.meta.rows_read ?? 0;
    rows.written += answer.meta.rows_written ?? 0;
    return answer;
  };
  const ofStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const all = async () => add(await statement.all());
    const own = Object.assign(Object.create(statement), {
      bind: (...values: unknown[]) => ofStatement(statement.bind(...values), sql),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all()).results as Record<string, unknown>[];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
      // The answer of `raw` has no row counts, so a read runs twice.
      raw: async () => {
        if (isRead(sql)) await all();
        else throw new Error(`a write by raw is not counted: ${sql}`);
        return statement.raw();
      },
    }) as D1PreparedStatement;
    bare.set(own, statement);
    return own;
  };
  const of = (opened: D1Database | D1DatabaseSession) => ({
    prepare: (sql: string) => ofStatement(opened.prepare(sql), sql),
    batch: async (statements: D1PreparedStatement[]) =>
      (await opened.batch(statements.map((one) => bare.get(one) ?? one))).map(add),
    withSession: (start: string) => of(database.withSession(start)),
    getBookmark: () => ('getBookmark' in opened ? opened.getBookmark() : null),
  });
  return of(database) as unknown as D1Database;
}

/** Counts the rows of an action. */
async function rowsOf(act: (database: D1Database) => Promise<unknown>): Promise<Rows> {
  const rows = { read: 0, written: 0 };
  await act(counting(env.DB, rows));
  return rows;
}

const KINGDOM = 1017;
const GOVERNORS = 300;

/** Publishes a scan of a kingdom, for an item or without one. */
const scan =
  (captured_at: number, power: number, kingdom_id = KINGDOM, item_id: string | null = null) =>
  async (database: D1Database) =>
    publishSnapshot(
      openDb({ DB: database }),
      env.STORE,
      tableOf(
        'rok',
        Array.from({ length: GOVERNORS }, (_, index) =>
          governor(kingdom_id * 1000 + index, power - index, {
            home_kingdom: kingdom_id,
            alliance_tag: `T${index % 10}`,
          }),
        ),
      ),
      { kingdom_id, captured_at, source: 'made up', id: `c-${kingdom_id}-${captured_at}`, item_id, version: 1 },
    );

/** Camps of the event and their kingdoms. */
const WAR = [
  ['Fire', 721],
  ['Water', 722],
] as const;

/** Makes an event whose first gathering is due. Returns the cron's work at that time. */
async function dueEvent() {
  const { id } = await madeEvent({
    gather: true,
    camps: WAR.map(([name, kingdom]) => ({ name, kingdoms: [`${kingdom}`] })),
  });
  const due = await env.DB.prepare('SELECT next_refresh FROM events WHERE id = ?')
    .bind(id)
    .first<number>('next_refresh');
  return (DB: D1Database) => gatherEvents({ ...env, DB } as typeof env, openDb({ DB }), due ?? Number.NaN);
}

/** Delivers the scans that the event has ordered. */
async function deliverScans(captured_at: number): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT items.id, items.kingdom_id FROM items JOIN event_refreshes ON event_refreshes.order_id = items.order_id`,
  ).all<{ id: string; kingdom_id: number }>();
  expect(results.map(({ kingdom_id }) => kingdom_id).sort()).toEqual(WAR.map(([, kingdom]) => kingdom));
  for (const { id, kingdom_id } of results) await scan(captured_at, 1e6, kingdom_id, id)(env.DB);
}

it('each action reads and writes as many rows as docs/costs.md says', async () => {
  const user = await signedInUser();
  const now = Date.now();
  const counted = new Map<string, Rows>();
  const count = async (name: string, act: (database: D1Database) => Promise<unknown>) =>
    counted.set(name, await rowsOf(act));
  const call = async (path: string, init: RequestInit) => {
    let answer: Response | undefined;
    const rows = await rowsOf(async (DB) => {
      answer = await send(path, init, { ...env, DB } as typeof env);
    });
    expect([path, answer?.status]).toEqual([path, 200]);
    return { rows, answer: answer as Response };
  };
  const signedIn = await call('/v1/login', json({ username: user.username, password: PASSWORD }));
  counted.set('sign-in', signedIn.rows);
  const cookie = signedIn.answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const order = json({ orders: [scanOf([KINGDOM], GOVERNORS)] }, { cookie });
  counted.set('order of 300 governors of a kingdom', (await call('/v1/order/create', order)).rows);
  counted.set('list of orders', (await call('/v1/orders', { headers: { cookie } })).rows);
  const token = crypto.randomUUID();
  await createGroup(db, 'costs', 'costs', token);
  const asBot = (path: string, body: object) =>
    call(`/v1/fleet/${path}`, json({ bot_id: 'bot-1', ...body }, { authorization: `Bearer ${token}` }));
  const leased = await asBot('lease', { games: ['rok'], count: 3 });
  counted.set('lease of three subtasks', leased.rows);
  const { data } = (await leased.answer.json()) as { data: { tasks: Task[] } };
  const results = data.tasks.map((task) => ({
    ...{ subtask_id: task.subtask_id, lease: task.lease, captured_at: now, source: 'made up' },
    columns: columnsFor(task),
  }));
  expect(results).toHaveLength(3);
  counted.set('hand-in of three subtasks', (await asBot('rows', { results })).rows);
  const schedule = {
    orders: [scanOf([KINGDOM])],
    scheduleInfo: { period: 'day', interval: 1, start: new Date(now + 9e5) },
  };
  await user.call('POST', '/v1/order/create', schedule);
  const due = await dueSchedules(openDb(env), now + 1e6);
  expect(due).toHaveLength(1);
  await count('run of a schedule', (DB) =>
    runSchedules(openDb({ DB }), speakerFor(env), due, configuredSale(env.READY_PRODUCTS), now + 1e6),
  );
  await count('first scan of 300 governors, finished', scan(now - 2e8, 1e6));
  await count('its digest', (DB) => digestKingdoms(openDb({ DB }), env.STORE));
  await count('the next day’s scan, finished', scan(now - 1e8, 2e6));
  await count('the next day’s digest', (DB) => digestKingdoms(openDb({ DB }), env.STORE));
  const gather = await dueEvent();
  await count('scans of an event of two kingdoms, ordered', gather);
  await deliverScans(now);
  await count('its snapshot', gather);
  await env.DB.exec('UPDATE outbox SET sent_at = 1');
  await count('mail, queued and sent', async (DB) => {
    const mail = { to: 'a@costs.example', subject: 'Once', text: 'Text', reference: 'costs' };
    await mailStatement(openDb({ DB }), mail, now).run();
    expect(await sendDue(openDb({ DB }), async () => undefined, false)).toEqual({ taken: 1, sent: 1 });
  });
  const told = new Map(
    [...costs.matchAll(/^\| (.+?) \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(([, name = '', read = '', written = '']) => [
      name,
      { read: Number(read.replaceAll(',', '')), written: Number(written.replaceAll(',', '')) },
    ]),
  );
  // A tenth more or less, because ids and pages of the search index differ.
  const near = (one: number, other: number) => Math.abs(one - other) <= Math.max(2, other / 10);
  for (const [name, rows] of counted) {
    const { read, written } = told.get(name) ?? { read: -9, written: -9 };
    const isNear = near(rows.read, read) && near(rows.written, written);
    expect.soft([name, isNear ? 'as told' : rows]).toEqual([name, 'as told']);
  }
});
