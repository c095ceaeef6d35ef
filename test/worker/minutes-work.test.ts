import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { configuredSale } from '../../domain/orders/sale.ts';
import { MAX_MISSED_RUNS } from '../../domain/orders/schedule.ts';
import { waitAfter } from '../../domain/work.ts';
import { runCron } from '../../worker/cron.ts';
import { openDb } from '../../worker/db/open.ts';
import { sendDue } from '../../worker/models/messages/outbox.ts';
import { dueSchedules, runSchedule } from '../../worker/models/orders/schedule-runs.ts';
import { listJobFailures } from '../../worker/models/service/job-failures.ts';
import { speakerFor } from '../../worker/services/service/speak.ts';
import { db, fireCron, insertUser, type Person, scanOf, signedInUser } from './client.ts';
import { chargesOf, rowsWhere } from './payments-client.ts';

const run = (on: typeof db, due: unknown, now: number) =>
  runSchedule(on, speakerFor(env), due as never, configuredSale(env.READY_PRODUCTS), now);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVERY_MINUTE = '* * * * *';

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare(`UPDATE schedules SET state = 'ended', next_at = NULL, trying_for = NULL`),
    env.DB.prepare(`DELETE FROM setbacks`),
    env.DB.prepare(`UPDATE outbox SET sent_at = 1 WHERE sent_at IS NULL`),
  ]);
});

/** Creates a schedule that is first due at `start`, with the `kept` entries if given. */
async function scheduled(user: Person, start: number, info: object = { period: 'minute', interval: 1 }, kept?: string) {
  const scheduleInfo = { ...info, start: new Date(start).toISOString() };
  const { data, status, msg } = await user.call('POST', '/v1/order/create', { orders: [scanOf([1011])], scheduleInfo });
  if (status !== 200) throw new Error(msg);
  if (kept !== undefined)
    await env.DB.prepare(`UPDATE schedules SET entries = ? WHERE id = ?`).bind(kept, data.schedule_id).run();
  return data.schedule_id as number;
}

/** Inserts copies of a schedule, spread over `users` if given. */
const repeat = (id: number, count: number, users?: readonly string[]) =>
  env.DB.prepare(
    `INSERT INTO schedules (user_id, created_at, entries, start_at, period, "interval", next_at)
     SELECT coalesce(?3 ->> (i % json_array_length(?3)), user_id), created_at, entries, start_at, period, "interval", next_at
     FROM schedules, (WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1) SELECT i FROM n)
     WHERE id = ?1`,
  )
    .bind(id, count, users ? JSON.stringify(users) : null)
    .run();

const runsOf = (id: number) =>
  rowsWhere(`SELECT due_at, outcome, order_id FROM runs WHERE schedule_id = ? ORDER BY 1`, id);
const stateOf = async (id: number) =>
  (await rowsWhere(`SELECT state, next_at, trying_for, tries, missed_runs FROM schedules WHERE id = ?`, id))[0];

describe('a schedule with broken entries', () => {
  it('is retried with growing waits, logged, counted, and paused after five tries', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start, { period: 'day', interval: 1 }, 'this is no JSON');
    let now = start;
    for (let tries = 1; tries <= 5; tries++) {
      await fireCron(EVERY_MINUTE, now);
      expect(await stateOf(id)).toMatchObject({
        state: 'active',
        next_at: start + 24 * HOUR_MS,
        trying_for: start,
        tries,
      });
      const { count, setbacks } = await listJobFailures(db, now);
      expect([count, setbacks[0]]).toMatchObject([
        1,
        {
          job: 'schedule',
          subject: `${id}`,
          tries,
          next_at: now + waitAfter(tries),
          error: expect.stringMatching(/JSON/),
        },
      ]);
      await fireCron(EVERY_MINUTE, now + waitAfter(tries) - 1);
      expect(await stateOf(id)).toMatchObject({ tries });
      now += waitAfter(tries);
    }
    expect(logged.mock.calls.flat().filter((line) => String(line).includes('"schedule"'))).toHaveLength(5);
    expect(await runsOf(id)).toEqual([]);
    await fireCron(EVERY_MINUTE, now);
    expect(await runsOf(id)).toMatchObject([{ due_at: start, outcome: 'failed', order_id: null }]);
    expect(await stateOf(id)).toMatchObject({ state: 'paused', trying_for: null, tries: 0 });
    expect((await listJobFailures(db, now)).count).toBe(0);
    expect(await rowsWhere(`SELECT subject FROM outbox WHERE reference LIKE ?`, `%:${id}:%`)).toEqual([
      { subject: 'A schedule was paused' },
    ]);
    logged.mockRestore();
  });

  it('is placed for its original time once it is repaired', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start, {}, '{"no":"list"}');
    await fireCron(EVERY_MINUTE, start);
    expect(await stateOf(id)).toMatchObject({ state: 'active', next_at: null, trying_for: start });
    await env.DB.prepare(`UPDATE schedules SET entries = ? WHERE id = ?`)
      .bind(JSON.stringify([scanOf([1011])]), id)
      .run();
    await fireCron(EVERY_MINUTE, start + MINUTE_MS);
    expect(await runsOf(id)).toMatchObject([{ due_at: start, outcome: 'placed', order_id: expect.any(Number) }]);
    expect(await stateOf(id)).toMatchObject({ state: 'ended', trying_for: null, tries: 0 });
    expect(await chargesOf(user.id)).toHaveLength(1);
  });

  it('is run by one of two crons, after a try that never finished', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start);
    // Simulates a process that ended in the middle.
    await env.DB.prepare(`UPDATE schedules SET trying_for = ?, next_at = ?, tries = 2, try_at = ? WHERE id = ?`)
      .bind(start, start + MINUTE_MS, start + 30_000, id)
      .run();
    expect(await dueSchedules(db, start + 29_999)).toEqual([]);
    const [due] = await dueSchedules(db, start + 30_000);
    const outcomes = await Promise.all([1, 2].map(() => run(db, due, start + 30_000)));
    expect(outcomes.sort()).toEqual(['placed', 'skipped']);
    expect(await chargesOf(user.id)).toHaveLength(1);
  });

  it('places its newest run alone, and skips the older ones', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start, undefined, 'null');
    await fireCron(EVERY_MINUTE, start);
    await env.DB.prepare(`UPDATE schedules SET entries = ? WHERE id = ?`)
      .bind(JSON.stringify([scanOf([1011])]), id)
      .run();
    await fireCron(EVERY_MINUTE, start + MINUTE_MS);
    expect(await runsOf(id)).toMatchObject([
      { due_at: start, outcome: 'skipped' },
      { due_at: start + MINUTE_MS, outcome: 'placed' },
    ]);
  });
});

/** D1 that runs `act` between the first batch, which claims the run, and the second, which charges or records it. */
function meanwhile(act: () => Promise<unknown>) {
  let batches = 0;
  return openDb({
    DB: {
      prepare: (sql: string) => env.DB.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        if (++batches === 2) await act();
        return env.DB.batch(statements);
      },
    } as unknown as D1Database,
  });
}

describe('a schedule that is stopped during its run', () => {
  it.each(['end', 'pause'])('%s: charges nothing, records nothing and mails nothing', async (verb) => {
    for (const balance of [10_000, 0]) {
      const user = await signedInUser(balance);
      const start = Date.now() + HOUR_MS;
      const id = await scheduled(user, start);
      const [due] = await dueSchedules(db, start);
      const stop = () => user.call('POST', `/v1/orders/scheduled/${id}/${verb}`, {});
      const held = meanwhile(async () => expect((await stop()).status).toBe(200));
      expect(await run(held, due, start)).toBe('skipped');
      expect([await chargesOf(user.id), await runsOf(id)]).toEqual([[], []]);
      expect(await rowsWhere(`SELECT id FROM orders WHERE user_id = ?`, user.id)).toEqual([]);
      expect(await rowsWhere(`SELECT id FROM outbox WHERE reference LIKE ?`, `%:${id}:%`)).toEqual([]);
      expect(await stateOf(id)).toMatchObject({ trying_for: null, tries: 0 });
      await fireCron(EVERY_MINUTE, start + HOUR_MS);
      expect(await chargesOf(user.id)).toEqual([]);
    }
  });
});

it('a schedule that is paused and resumed during its run places nothing for that time', async () => {
  const user = await signedInUser();
  const start = Date.now() + HOUR_MS;
  const id = await scheduled(user, start, { period: 'day', interval: 1 });
  const [due] = await dueSchedules(db, start);
  const held = meanwhile(async () => {
    for (const verb of ['pause', 'resume'])
      expect((await user.call('POST', `/v1/orders/scheduled/${id}/${verb}`, {})).status).toBe(200);
  });
  expect(await run(held, due, start)).toBe('skipped');
  expect([await chargesOf(user.id), await runsOf(id)]).toEqual([[], []]);
  expect(await stateOf(id)).toMatchObject({ state: 'active', trying_for: null, missed_runs: 0 });
});

describe('a schedule that cannot pay', () => {
  it('is paused after five unpaid runs in a row, with one mail', async () => {
    const user = await signedInUser(0);
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start);
    const mails = () => rowsWhere(`SELECT reference FROM outbox WHERE reference LIKE ? ORDER BY id`, `%:${id}:%`);
    for (let run = 0; run < MAX_MISSED_RUNS - 1; run++) {
      await fireCron(EVERY_MINUTE, start + run * MINUTE_MS);
      expect(await stateOf(id)).toMatchObject({ state: 'active', missed_runs: run + 1 });
      expect(await mails()).toEqual([]);
    }
    const last = start + (MAX_MISSED_RUNS - 1) * MINUTE_MS;
    await fireCron(EVERY_MINUTE, last);
    expect(await stateOf(id)).toMatchObject({ state: 'paused', missed_runs: 5 });
    expect(await mails()).toEqual([{ reference: `paused:${id}:${last}` }]);
    await fireCron(EVERY_MINUTE, last + HOUR_MS);
    expect(await runsOf(id)).toHaveLength(5);
    const [listed] = (await user.call('GET', '/v1/orders/scheduled')).data.scheduled;
    expect(listed).toMatchObject({ state: 'paused', paused_by: 'service' });
    expect((await user.call('POST', `/v1/orders/scheduled/${id}/resume`, {})).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ state: 'active', missed_runs: 0 });
  });

  it('counts a run as missed once if two crons have read it as due, one after the other', async () => {
    const user = await signedInUser(0);
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start, { period: 'day', interval: 1 });
    const [due] = await dueSchedules(db, start);
    expect(await run(db, due, start)).toBe('unpaid');
    expect(await run(db, due, start + 3 * MINUTE_MS)).toBe('skipped');
    expect(await stateOf(id)).toMatchObject({ missed_runs: 1, trying_for: null, tries: 0 });
  });

  it('is paused after five days if it is daily, with one mail on the first', async () => {
    const user = await signedInUser(0);
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start, { period: 'day', interval: 1 });
    for (let run = 0; run < MAX_MISSED_RUNS; run++) await fireCron(EVERY_MINUTE, start + run * 24 * HOUR_MS);
    expect(await stateOf(id)).toMatchObject({ state: 'paused', missed_runs: 5 });
    expect(await rowsWhere(`SELECT reference, text FROM outbox WHERE reference LIKE ?`, `%:${id}:%`)).toEqual([
      { reference: `run:${id}:${start}`, text: expect.stringMatching(/paused, without another mail/) },
    ]);
  });

  it('starts counting again after a paid run', async () => {
    const user = await signedInUser(50);
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start);
    await env.DB.prepare(`UPDATE schedules SET missed_runs = 4 WHERE id = ?`).bind(id).run();
    await fireCron(EVERY_MINUTE, start);
    expect(await stateOf(id)).toMatchObject({ state: 'active', missed_runs: 0 });
    await fireCron(EVERY_MINUTE, start + MINUTE_MS);
    expect(await stateOf(id)).toMatchObject({ state: 'active', missed_runs: 1 });
  });
});

describe('fairness between users', () => {
  it('5,000 broken or unpaid schedules of ten accounts do not delay an honest one by a minute', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const start = Date.now() + HOUR_MS;
    const heap = await signedInUser(0);
    const others = await Promise.all(Array.from({ length: 9 }, () => insertUser()));
    const users = [heap.id, ...others.map(({ id }) => id)];
    await repeat(await scheduled(heap, start - MINUTE_MS), 2500, users);
    await repeat(await scheduled(heap, start - MINUTE_MS, undefined, '['), 2498, users);
    const honest = await signedInUser();
    const id = await scheduled(honest, start);
    const due = await dueSchedules(db, start);
    expect(due.findIndex((each) => each.id === id)).toBeLessThan(11);
    await runCron(EVERY_MINUTE, env, start, 2000);
    expect(await runsOf(id)).toMatchObject([{ due_at: start, outcome: 'placed' }]);
    await runCron(EVERY_MINUTE, env, start + MINUTE_MS, 2000);
    expect(await runsOf(id)).toMatchObject([{ outcome: 'placed' }, { due_at: start + MINUTE_MS, outcome: 'placed' }]);
    const [worked] = await rowsWhere(`SELECT count(*) AS count FROM schedules WHERE next_at > ?`, start);
    expect(worked?.count).toBeGreaterThan(10);
  });

  it('users with failing runs come last, and ties go by id', async () => {
    const start = Date.now() + HOUR_MS;
    const [troubled, honest] = [await signedInUser(), await signedInUser()];
    const [failing, other] = [await scheduled(troubled, start), await scheduled(troubled, start)];
    const id = await scheduled(honest, start + 1);
    const later = await scheduled(await signedInUser(), start + 1);
    const order = async () => (await dueSchedules(db, start + 1)).map((each) => each.id);
    expect(await order()).toEqual([failing, id, later, other]);
    await env.DB.prepare(`UPDATE schedules SET trying_for = 1, tries = 1, try_at = ? WHERE id = ?`)
      .bind(start + HOUR_MS, failing)
      .run();
    expect(await order()).toEqual([id, later, other]);
    // The same for one user's schedules: a failed one delays no other.
    await env.DB.prepare(`UPDATE schedules SET try_at = ? WHERE id = ?`).bind(start, failing).run();
    expect(await order()).toEqual([id, later, other, failing]);
  });

  it('a mail does not wait behind many mails to another recipient', async () => {
    const now = Date.now();
    const insert = (recipient: string, count: number, at: number) =>
      env.DB.prepare(
        `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
         SELECT ?1 || i, ?1, '', '', ?2, ?2
         FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3) SELECT i FROM n)`,
      )
        .bind(recipient, at, count)
        .run();
    await insert('heap@example.com', 160, now - 1000);
    await insert('one@example.com', 2, now);
    const sent: string[] = [];
    await sendDue(db, async ({ recipient }) => void sent.push(recipient), false, now);
    expect(sent.filter((recipient) => recipient === 'one@example.com')).toHaveLength(2);
    await fireCron(EVERY_MINUTE, now);
    expect(await rowsWhere(`SELECT count(*) AS left FROM outbox WHERE sent_at IS NULL`)).toEqual([{ left: 0 }]);
  });
});

describe('the limits of an account', () => {
  it('refuses schedules with more than 2 MB of entries, until there is room', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start);
    const [{ size }] = (await rowsWhere(`SELECT length(entries) AS size FROM schedules WHERE id = ?`, id)) as [
      { size: number },
    ];
    const fill = (bytes: number) =>
      env.DB.prepare(`UPDATE schedules SET entries = ? WHERE id = ?`)
        .bind('é'.repeat(bytes / 2), id)
        .run();
    await fill(2_000_000 - size + (size % 2));
    const again = () =>
      user.call('POST', '/v1/order/create', {
        orders: [scanOf([1011])],
        scheduleInfo: { period: 'hour', interval: 1, start: new Date(start).toISOString() },
      });
    if (size % 2 === 0) await fill(2_000_000 - size + 2);
    expect(await again()).toMatchObject({ status: 400, msg: expect.stringMatching(/500 schedules, of 2 MB in all/) });
    await fill(2_000_000 - size - (size % 2));
    expect((await again()).status).toBe(200);
  });

  it('keeps the newest hundred ended schedules', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const id = await scheduled(user, start);
    await repeat(id, 120);
    await env.DB.prepare(`UPDATE schedules SET state = 'ended', next_at = NULL WHERE user_id = ?`).bind(user.id).run();
    await env.DB.prepare(`INSERT INTO runs (schedule_id, due_at, outcome, created_at) VALUES (?, 1, 'unpaid', 1)`)
      .bind(id)
      .run();
    const newest = await scheduled(user, start);
    const left = await rowsWhere(`SELECT id FROM schedules WHERE user_id = ? ORDER BY id`, user.id);
    expect(left).toHaveLength(101);
    expect(left.at(-1)).toEqual({ id: newest });
    expect(left[0]).toEqual({ id: id + 21 });
    expect(await runsOf(id)).toEqual([]);
  });
});

it('a cron job that fails does not stop the others', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const user = await signedInUser();
  const start = Date.now() + HOUR_MS;
  const id = await scheduled(user, start);
  const broken = `SELECT raise(ABORT, 'no balances today')`;
  await env.DB.exec(`CREATE TRIGGER broken BEFORE UPDATE ON outbox BEGIN ${broken}; END`);
  await env.DB.prepare(
    `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at) VALUES ('b', 'b', '', '', 1, 1)`,
  ).run();
  await fireCron(EVERY_MINUTE, start);
  await env.DB.exec('DROP TRIGGER broken');
  expect(await runsOf(id)).toMatchObject([{ outcome: 'placed' }]);
  const { setbacks } = await listJobFailures(db, start);
  expect(setbacks).toMatchObject([
    { job: 'mails', subject: '', tries: 1, error: expect.stringMatching(/no balances/) },
  ]);
  await fireCron(EVERY_MINUTE, start + waitAfter(1) - 1);
  expect((await listJobFailures(db, start)).count).toBe(1);
  await fireCron(EVERY_MINUTE, start + waitAfter(1));
  expect((await listJobFailures(db, start)).count).toBe(0);
});
