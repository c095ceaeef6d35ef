import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { intercepted } from '../../stand-ins/database.ts';
import { openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import worker from '../../worker/index.ts';
import { dropOldMails } from '../../worker/models/messages/outbox.ts';
import { sizeTroubles } from '../../worker/models/service/troubles.ts';
import { forgetHealth } from '../../worker/services/service/check-health.ts';
import { troublesNow, watchService } from '../../worker/services/service/watch-service.ts';
import { eventually } from '../support/eventually.ts';
import { bot, caller, db, insertUser, production, scanOf, send, signedInUser, work } from './client.ts';
import { cell, mailsTo } from './people.ts';

/** Alerts: one by each of two channels when trouble begins, and one more when it is over. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.now();
const HOOK = 'https://hook.test/alerts';

interface Posted {
  state: string;
  kind: string;
  content: string;
}

/** Mocks the webhook and returns what was posted to it; `answers` makes its responses. */
function webhook(answers: () => Response = () => new Response(null, { status: 204 })) {
  const posted: Posted[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    if (String(address) !== HOOK) throw new Error(`nothing is at ${String(address)}`);
    const answer = answers();
    if (answer.ok) posted.push(JSON.parse(String(init?.body)) as Posted);
    return answer;
  });
  return posted;
}

const bindings = (changes: Partial<Env> = {}): Env =>
  production({ STRIPE_WEBHOOK_SECRET: 'whsec_x', READY_PRODUCTS: 'rok-kingdom-scan', ALERT_WEBHOOK: HOOK, ...changes });

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  forgetHealth();
  for (const table of ['alerts', 'outbox', 'failed_answers', 'setbacks', 'bots', 'event_snapshots', 'events'])
    await run(`DELETE FROM ${table}`);
  await run('DELETE FROM subtasks');
  await run(`UPDATE items SET state = 'cancelled', incomplete_count = 0, finished_at = 1`);
  await run(`UPDATE users SET role = 'user'`);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Registers a bot that was last heard of at `at`. */
const heard = async (at = NOW) => {
  const { call, name } = await bot();
  await call('POST', '/v1/fleet/heartbeat', { bot_id: name, account_game: 'rok' });
  await run('UPDATE bots SET last_connected_at = ?', at);
};

const kinds = async (at = NOW) => (await troublesNow(db, ['rok'], at)).map(({ kind }) => kind);
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject).sort();

describe('a trouble', () => {
  it('is reported once by both channels, and once more when it is over', async () => {
    const posted = webhook();
    const [chief, other] = [await insertUser({ role: 'admin' }), await insertUser()];
    const watch = (minute: number) => watchService(bindings(), db, NOW + minute * MINUTE);
    for (const minute of [0, 1, 2, 600]) await watch(minute);
    expect(posted).toMatchObject(
      [{ state: 'trouble', kind: 'bots rok', content: /^Trouble: bots rok at https/ }].map(({ content, ...rest }) => ({
        ...rest,
        content: expect.stringMatching(content),
      })),
    );
    expect(await subjectsTo(chief.email)).toEqual(['Trouble: bots rok']);
    expect(await subjectsTo(other.email)).toEqual([]);
    await heard(NOW + 601 * MINUTE);
    await watch(601);
    expect(posted).toHaveLength(1);
    await watch(603);
    await watch(604);
    expect(posted.slice(1)).toMatchObject([{ state: 'recovered', kind: 'bots rok' }]);
    expect(await subjectsTo(chief.email)).toEqual(['Recovered: bots rok', 'Trouble: bots rok']);
    expect(await cell('SELECT count(*) FROM alerts')).toBe(0);
    // The next time it is reported again.
    await watch(700);
    expect(posted.slice(2)).toMatchObject([{ state: 'trouble', kind: 'bots rok' }]);
  });

  it('that returns within two minutes is the same trouble', async () => {
    const posted = webhook();
    await watchService(bindings(), db, NOW);
    await heard(NOW + MINUTE);
    await watchService(bindings(), db, NOW + MINUTE);
    await run('DELETE FROM bots');
    await watchService(bindings(), db, NOW + 2 * MINUTE);
    await watchService(bindings(), db, NOW + 5 * MINUTE);
    expect(posted).toHaveLength(1);
  });

  it('that lasts longer than its mail is kept is mailed once', async () => {
    webhook();
    const chief = await insertUser({ role: 'admin' });
    const watch = (minute: number) => watchService(bindings(), db, NOW + minute * MINUTE);
    await watch(0);
    await dropOldMails(db, NOW + 31 * DAY);
    await watch(31 * 24 * 60);
    expect(await subjectsTo(chief.email)).toEqual([]);
    await heard(NOW + 31 * DAY + MINUTE);
    for (const minute of [1, 4]) await watch(31 * 24 * 60 + minute);
    expect(await subjectsTo(chief.email)).toEqual(['Recovered: bots rok']);
  });

  it('is posted once the webhook works again, and the webhook’s failure is mailed', async () => {
    let status = 500;
    const posted = webhook(() => new Response('', { status }));
    const chief = await insertUser({ role: 'admin' });
    for (const minute of [0, 5, 11, 12]) await watchService(bindings(), db, NOW + minute * MINUTE);
    expect(await subjectsTo(chief.email)).toEqual(['Trouble: alert webhook', 'Trouble: bots rok']);
    status = 200;
    await watchService(bindings(), db, NOW + 13 * MINUTE);
    expect(posted.map(({ kind }) => kind).sort()).toEqual(['alert webhook', 'bots rok']);
  });

  it('is only mailed if there is no webhook', async () => {
    const chief = await insertUser({ role: 'admin' });
    await watchService(bindings({ ALERT_WEBHOOK: '' }), db, NOW);
    expect(await subjectsTo(chief.email)).toEqual(['Trouble: bots rok']);
  });
});

describe('without the database', () => {
  const away = {
    prepare: () => {
      throw new Error('D1_ERROR: away');
    },
    withSession: () => away,
    batch: () => away,
  };
  const minute = (of: Env, at: number) =>
    worker.scheduled(createScheduledController({ cron: '* * * * *', scheduledTime: new Date(at) }), of);

  it('support is alerted once by both channels, and once more on recovery', async () => {
    const posted = webhook();
    const mails: { to: string; subject: string }[] = [];
    const EMAIL = { send: async (mail: { to: string; subject: string }) => mails.push(mail) } as unknown as SendEmail;
    const broken = bindings({ DB: away as unknown as D1Database, EMAIL });
    for (const at of [0, 1, 2]) await expect(minute(broken, NOW + at * MINUTE)).rejects.toThrow('away');
    expect(posted).toMatchObject([{ state: 'trouble', kind: 'database' }]);
    expect(mails).toMatchObject([{ to: 'support@muster.test', subject: 'Trouble: database' }]);
    await minute(bindings({ EMAIL, READY_PRODUCTS: '' }), NOW + 3 * MINUTE);
    await minute(bindings({ EMAIL, READY_PRODUCTS: '' }), NOW + 4 * MINUTE);
    expect(posted.slice(1)).toMatchObject([{ state: 'recovered', kind: 'database' }]);
    expect(mails.slice(1)).toMatchObject([{ subject: 'Recovered: database' }]);
  });

  it('a failing channel does not block the other', async () => {
    webhook(() => new Response('', { status: 500 }));
    const mails: unknown[] = [];
    const EMAIL = { send: async (mail: unknown) => mails.push(mail) } as unknown as SendEmail;
    await expect(minute(bindings({ DB: away as unknown as D1Database, EMAIL }), NOW)).rejects.toThrow();
    expect(mails).toHaveLength(1);
    await env.STORE.delete('alerts/database.json');
  });

  it('and without the bucket, support is alerted every 15 minutes', async () => {
    const posted = webhook();
    const STORE = { get: () => Promise.reject(new Error('away')) } as unknown as R2Bucket;
    const EMAIL = { send: async () => undefined } as unknown as SendEmail;
    const broken = bindings({ DB: away as unknown as D1Database, EMAIL, STORE });
    const hour = Math.floor(NOW / (60 * MINUTE)) * 60 * MINUTE;
    for (let at = 0; at < 60; at++) await minute(broken, hour + at * MINUTE).catch(() => undefined);
    expect(posted).toHaveLength(4);
  });
});

it('a directory that does not answer is a trouble, and hides no other', async () => {
  const posted = webhook();
  const chief = await insertUser({ role: 'admin' });
  const DIRECTORY_ROK = intercepted(env.OTHER_ROK as never, () => {
    throw new Error('D1_ERROR: away');
  }) as unknown as D1Database;
  const broken = bindings({ DIRECTORY_ROK });
  await watchService(broken, openDb(broken), NOW);
  expect(posted.map(({ kind }) => kind).sort()).toEqual(['bots rok', 'directory rok']);
  expect(posted.map(({ content }) => content)).toContainEqual(expect.stringContaining('D1_ERROR: away'));
  expect(await subjectsTo(chief.email)).toEqual(['Trouble: bots rok', 'Trouble: directory rok']);
});

describe('what counts as trouble', () => {
  const order = async (kingdoms: number[]) => {
    const user = await signedInUser();
    return (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] })).data.order_id as number;
  };

  it('is a subtask that waits for more than ten minutes, unless its kingdom is being prepared', async () => {
    await heard(NOW + 11 * MINUTE);
    const id = await order([8101]);
    await run('UPDATE orders SET placed_at = ? WHERE id = ?', NOW, id);
    expect(await kinds(NOW + 10 * MINUTE)).toEqual([]);
    expect(await kinds(NOW + 10 * MINUTE + 1)).toEqual(['waiting rok']);
    await run('UPDATE items SET preparing_until = ? WHERE order_id = ?', NOW + 12 * MINUTE, id);
    expect(await kinds(NOW + 11 * MINUTE)).toEqual([]);
    await run('UPDATE items SET preparing_until = NULL, repaired_at = ? WHERE order_id = ?', NOW + 5 * MINUTE, id);
    expect(await kinds(NOW + 11 * MINUTE)).toEqual([]);
    await run(`UPDATE items SET repaired_at = NULL WHERE order_id = ?`, id);
    await run(`UPDATE subtasks SET state = 'leased', lease_until = ? WHERE order_id = ?`, NOW + 12 * MINUTE, id);
    expect(await kinds(NOW + 11 * MINUTE)).toEqual([]);
    expect(await kinds(NOW + 12 * MINUTE)).toEqual(['waiting rok']);
  });

  it('is an item that has been finishing for more than 15 minutes', async () => {
    await heard(NOW + 20 * MINUTE);
    const id = await order([8102]);
    await run(`UPDATE items SET incomplete_count = 0, state = 'finishing' WHERE order_id = ?`, id);
    expect(await kinds(NOW)).toEqual([]);
    expect(await kinds(NOW + 15 * MINUTE)).toEqual([]);
    expect(await kinds(NOW + 15 * MINUTE + 1)).toEqual(['finishing']);
    await run(`UPDATE items SET state = 'done' WHERE order_id = ?`, id);
    expect(await kinds(NOW + 16 * MINUTE)).toEqual([]);
    // The time counts from the latest start.
    await run(`UPDATE items SET state = 'finishing' WHERE order_id = ?`, id);
    expect(await kinds(NOW + 17 * MINUTE)).toEqual([]);
  });

  it('is an hour in which more than a fifth of the subtasks failed', async () => {
    await heard(NOW + 50 * MINUTE);
    const id = await order([8103]);
    const ended = (failed: number, all: number, at = NOW) =>
      run(
        `UPDATE items SET state = 'done', incomplete_count = 0, failed_count = ?, subtask_count = ?, finished_at = ?
         WHERE order_id = ?`,
        failed,
        all,
        at,
        id,
      );
    await ended(20, 100);
    expect(await kinds()).toEqual([]);
    await ended(21, 100);
    expect(await kinds()).toEqual(['failures']);
    await ended(4, 4);
    expect(await kinds()).toEqual([]);
    await ended(21, 100, NOW - 60 * MINUTE);
    expect(await kinds()).toEqual([]);
    // Subtasks that a customer cancelled did not end well.
    await ended(21, 100);
    const cancelled = await order([8105, 8106]);
    await run(
      `UPDATE items SET state = 'cancelled', incomplete_count = 0, subtask_count = 50, finished_at = ? WHERE order_id = ?`,
      NOW,
      cancelled,
    );
    expect(await kinds()).toEqual(['failures']);
  });

  it('is an event whose snapshot is two intervals late', async () => {
    await heard(NOW);
    const start = NOW - 24 * 60 * MINUTE;
    await run(
      `INSERT INTO events (id, game, kvk_id, name, mark, start_at, end_at, plan, next_refresh, created_at, updated_at)
       VALUES (9, 'rok', 'c1', 'War', 'open', ?1, ?2, '{"refresh_rate":60}', ?2, 1, 1)`,
      start,
      NOW + 24 * 60 * MINUTE,
    );
    const snapshotAt = (ts: number) =>
      run(`INSERT OR REPLACE INTO event_snapshots (id, event_id, ts, source, created_at) VALUES (9, 9, ?, 's', 1)`, ts);
    expect(await kinds()).toEqual(['event 9']);
    await snapshotAt(NOW - 180 * MINUTE);
    expect(await kinds()).toEqual([]);
    await snapshotAt(NOW - 180 * MINUTE - 1);
    expect(await kinds()).toEqual(['event 9']);
    await run(`UPDATE events SET next_refresh = NULL`);
    expect(await kinds()).toEqual([]);
  });

  it('is a database that is more than four fifths full', async () => {
    expect(sizeTroubles(8_000_000_000)).toEqual([]);
    expect(sizeTroubles(8_100_000_000)).toEqual([{ kind: 'database size', text: 'The database is 81 % full.' }]);
  });
});

describe('/v1/health/fleet', () => {
  const asked = async () => {
    forgetHealth();
    return caller().call('GET', '/v1/health/fleet');
  };

  it('is 503 while customers would wait, with a reason and Retry-After', async () => {
    expect(await asked()).toMatchObject({ status: 503, msg: expect.stringContaining('No bot of rok') });
    // Nobody waits while no scan is on sale (docs/operating.md, 'Deploy').
    forgetHealth();
    expect((await send('/v1/health/fleet', {}, production({ READY_PRODUCTS: '' }))).status).toBe(200);
    forgetHealth();
    const answer = await caller().fetch('/v1/health/fleet');
    expect(answer.headers.get('retry-after')).toBe('60');
    const scanner = await bot();
    for (const game of ['rok', 'cod'])
      await scanner.call('POST', '/v1/fleet/heartbeat', {
        ...{ bot_id: `${scanner.name}-${game}`, account_game: game },
        kingdoms: { [game]: 'all' },
      });
    const { status, data } = await asked();
    expect(status).toBe(200);
    expect(data.games).toContainEqual({ game: 'rok', bots_online: 1, subtasks_waiting: 0, waiting_since: null });
    const user = await signedInUser();
    const { order_id } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([8104])] })).data;
    expect((await asked()).data.games).toContainEqual(
      expect.objectContaining({ game: 'rok', subtasks_waiting: 1, waiting_since: expect.any(Number) }),
    );
    await run('UPDATE orders SET placed_at = ? WHERE id = ?', Date.now() - 11 * MINUTE, order_id);
    expect(await asked()).toMatchObject({ status: 503, msg: expect.stringContaining('has waited for 11 minutes') });
    await work(scanner);
    await eventually(async () => expect((await asked()).status).toBe(200));
  });

  it('caches its answer between calls', async () => {
    const prepare = vi.spyOn(env.DB, 'withSession');
    forgetHealth();
    const first = await caller().call('GET', '/v1/health/fleet');
    await heard(NOW);
    expect(await caller().call('GET', '/v1/health/fleet')).toEqual(first);
    prepare.mockRestore();
  });
});
