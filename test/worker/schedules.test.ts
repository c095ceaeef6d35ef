import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { dateTime } from '../../domain/figures.ts';
import { MAX_DOWNLOAD_ROWS } from '../../domain/scans/results.ts';
import { resumeSchedule, scheduleOf as savedSchedule } from '../../worker/models/orders/schedules.ts';
import { type Caller, db, fireCron, makeKey, scanOf, send, signedInUser } from './client.ts';
import { booksOfUser, rowsWhere } from './payments-client.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const hourly = { period: 'hour', interval: 1 };
const isoAt = (time: number): string => new Date(time).toISOString();

const create = (user: Caller, scheduleInfo: object, headers?: Record<string, string>) =>
  user.call('POST', '/v1/order/create', { orders: [scanOf([51_001])], scheduleInfo }, headers);

const scheduleOf = async (id: number) =>
  (await rowsWhere(`SELECT state, start_at, next_at, period, "interval" FROM schedules WHERE id = ?`, id))[0] as {
    state: string;
    start_at: number;
    next_at: number | null;
  };
const runsOf = (id: number) =>
  rowsWhere(`SELECT due_at, outcome, order_id FROM runs WHERE schedule_id = ? ORDER BY due_at`, id);
const charges = (userId: string) =>
  rowsWhere(`SELECT amount_cents FROM ledger_entries WHERE user_id = ? AND kind = 'charge'`, userId);
const act = (user: Caller, id: number, verb: string, body: object = {}) =>
  user.call('POST', `/v1/orders/scheduled/${id}/${verb}`, body);

describe('a schedule', () => {
  it('runs at once if its start is blank or past, and later if it is ahead', async () => {
    const user = await signedInUser();
    const now = await create(user, hourly);
    const past = await create(user, { ...hourly, start: '2020-01-01T00:00Z' });
    const later = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    expect([now, past, later].map(({ status, data }) => [status, data.order_id !== null])).toEqual([
      [200, true],
      [200, true],
      [200, false],
    ]);
    for (const { data } of [now, past])
      expect((await user.call('GET', `/v1/order/${data.order_uuid}`)).data.order_id).toBe(data.order_id);
    expect(later.data.order_uuid).toBeNull();
    expect(await charges(user.id)).toHaveLength(2);
    const { start_at, next_at } = await scheduleOf(past.data.schedule_id);
    expect(next_at).toBe(start_at + HOUR_MS);
    const { data } = await user.call('GET', '/v1/orders/scheduled');
    expect(data.scheduled).toHaveLength(3);
    expect(data.scheduled[0]).toMatchObject({ state: 'active', period: 'hour', interval: 1, total: 0.5 });
  });

  it('has no cost once it has ended', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    const listed = async () => (await user.call('GET', '/v1/orders/scheduled')).data.scheduled[0];
    expect(await listed()).toMatchObject({ state: 'active', total: 0.5 });
    await act(user, data.schedule_id, 'end');
    expect(await listed()).toMatchObject({ state: 'ended', total: null, next_at: null });
  });

  it('has no known cost while one of its products cannot be ordered', async () => {
    const user = await signedInUser();
    await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    const { key } = (await makeKey(user, ['read'])).data;
    const totalWith = async (READY_PRODUCTS: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await send('/v1/orders/scheduled', { headers }, { ...env, READY_PRODUCTS });
      return (await response.json<{ data: { scheduled: { total: number | null }[] } }>()).data.scheduled[0]?.total;
    };
    expect([await totalWith(env.READY_PRODUCTS), await totalWith('')]).toEqual([0.5, null]);
  });

  it('counts as paused by the service if its newest run failed, else by its user', async () => {
    const pausedAfter = async (...outcomes: string[]) => {
      const user = await signedInUser();
      const { data } = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
      await env.DB.batch([
        env.DB.prepare(`UPDATE schedules SET state = 'paused', missed_runs = 1 WHERE id = ?`).bind(data.schedule_id),
        ...outcomes.map((outcome, due) =>
          env.DB.prepare(`INSERT INTO runs (schedule_id, due_at, outcome, created_at) VALUES (?1, ?2, ?3, ?2)`).bind(
            data.schedule_id,
            due + 1,
            outcome,
          ),
        ),
      ]);
      return (await user.call('GET', '/v1/orders/scheduled')).data.scheduled[0].paused_by;
    };
    expect([await pausedAfter('unpaid', 'failed'), await pausedAfter('failed', 'unpaid')]).toEqual(['service', 'user']);
  });

  it('shows the outcome of each run, and offers no file beyond the row limit', async () => {
    const user = await signedInUser();
    const { data } = await create(user, hourly);
    const run = async () => (await user.call('GET', '/v1/orders/scheduled')).data.scheduled[0].orders[0];
    const none = { order_id: data.order_id, outcome: 'placed', running: true, has_results: false, downloadable: false };
    expect(await run()).toMatchObject({ ...none, not_downloadable: false });
    const kept = (rows: number) =>
      env.DB.batch([
        env.DB.prepare(
          `INSERT OR REPLACE INTO snapshots (id, key, game, kingdom_id, captured_at, source, rows, bytes, quality, created_at)
           VALUES (9001, 'runs', 'rok', 51001, 1, '', ?, 1, '{}', 1)`,
        ).bind(rows),
        env.DB.prepare(`UPDATE items SET state = 'done', snapshot_id = 9001 WHERE order_id = ?`).bind(data.order_id),
      ]);
    await kept(MAX_DOWNLOAD_ROWS);
    const done = { running: false, has_results: true };
    expect(await run()).toMatchObject({ ...done, downloadable: true, not_downloadable: false });
    await kept(MAX_DOWNLOAD_ROWS + 1);
    expect(await run()).toMatchObject({ ...done, downloadable: false, not_downloadable: true });
  });

  it('is placed once per due time, however often and concurrently the cron fires', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const { data } = await create(user, { ...hourly, start: isoAt(start) });
    await fireCron('* * * * *', start - 1);
    expect(await runsOf(data.schedule_id)).toEqual([]);
    await Promise.all([1, 2, 3].map(() => fireCron('* * * * *', start + 5)));
    await fireCron('* * * * *', start + 60_000);
    expect(await runsOf(data.schedule_id)).toEqual([
      { due_at: start, outcome: 'placed', order_id: expect.any(Number) },
    ]);
    expect(await charges(user.id)).toEqual([{ amount_cents: -50 }]);
    expect((await scheduleOf(data.schedule_id)).next_at).toBe(start + HOUR_MS);
  });

  it('after a day without a cron runs once, and records the others as skipped', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const { data } = await create(user, { ...hourly, start: isoAt(start) });
    await fireCron('* * * * *', start + DAY_MS);
    const runs = await runsOf(data.schedule_id);
    expect(runs).toMatchObject([
      { due_at: start + DAY_MS - HOUR_MS, outcome: 'skipped' },
      { due_at: start + DAY_MS, outcome: 'placed' },
    ]);
    expect(
      await rowsWhere(`SELECT note FROM runs WHERE schedule_id = ? AND outcome = 'skipped'`, data.schedule_id),
    ).toEqual([{ note: `24 runs were skipped, from ${dateTime(start)} to ${dateTime(start + DAY_MS - HOUR_MS)}.` }]);
    expect(await charges(user.id)).toHaveLength(1);
  });

  it('that cannot be paid is recorded and mailed once', async () => {
    const user = await signedInUser(0);
    const { data } = await create(user, { start: isoAt(Date.now() + HOUR_MS) });
    const { next_at } = await scheduleOf(data.schedule_id);
    await Promise.all([1, 2].map(() => fireCron('* * * * *', next_at as number)));
    expect(await runsOf(data.schedule_id)).toEqual([{ due_at: next_at, outcome: 'unpaid', order_id: null }]);
    expect(await rowsWhere(`SELECT recipient FROM outbox WHERE reference LIKE ?`, `run:${data.schedule_id}:%`)).toEqual(
      [{ recipient: `${user.username}@example.com` }],
    );
    expect(await scheduleOf(data.schedule_id)).toMatchObject({ state: 'ended', next_at: null });
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 0, sum: 0 });
  });

  it('whose product is not ready is recorded and mailed', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { ...hourly, period: 'day', start: isoAt(Date.now() + HOUR_MS) });
    await env.DB.prepare(`UPDATE schedules SET entries = replace(entries, 'rok-kingdom-scan', ?) WHERE id = ?`)
      .bind('cod-server-scan', data.schedule_id)
      .run();
    const { next_at } = await scheduleOf(data.schedule_id);
    await fireCron('* * * * *', next_at as number);
    expect(await runsOf(data.schedule_id)).toMatchObject([{ outcome: 'not_ready', order_id: null }]);
    expect(await rowsWhere(`SELECT id FROM outbox WHERE reference LIKE ?`, `run:${data.schedule_id}:%`)).toHaveLength(
      1,
    );
  });

  it('keeps its start and day through an edit that does not change them', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { period: 'month', interval: 1, start: '2020-01-01T00:00Z' });
    const id = data.schedule_id as number;
    // Started on 31 January, some months ago.
    const start = Date.UTC(2026, 0, 31, 18, 0, 30);
    await env.DB.prepare(`UPDATE schedules SET start_at = ? WHERE id = ?`).bind(start, id).run();
    const charged = await charges(user.id);
    const end = Date.now() + 400 * DAY_MS;
    for (const kept of ['2026-01-31T18:00Z', null, undefined]) {
      const scheduleInfo = { period: 'month', interval: 1, start: kept, end: isoAt(end) };
      expect((await act(user, id, 'edit', { scheduleInfo })).status).toBe(200);
      const edited = await scheduleOf(id);
      expect(edited).toMatchObject({ state: 'active', start_at: start });
      expect(edited.next_at).toBeGreaterThan(Date.now());
      expect(new Date(edited.next_at as number).getUTCHours()).toBe(18);
    }
    await fireCron('* * * * *');
    expect(await charges(user.id)).toEqual(charged);
    // A changed start counts as a new one, and an edit that leaves no run is refused.
    expect((await act(user, id, 'edit', { scheduleInfo: { ...hourly, start: '2026-02-01T00:00Z' } })).status).toBe(200);
    expect((await scheduleOf(id)).start_at).toBeGreaterThan(Date.now() - 60_000);
    await fireCron('* * * * *');
    const none = await act(user, id, 'edit', { scheduleInfo: { period: 'none' } });
    expect(none).toMatchObject({ status: 400, msg: expect.stringMatching(/no run is left/) });
  });

  it('repeated under its Idempotency-Key answers the same, and refuses another body', async () => {
    const user = await signedInUser();
    const key = { 'idempotency-key': 'the very same' };
    const both = await Promise.all([1, 2].map(() => create(user, hourly, key)));
    const again = await create(user, hourly, key);
    expect(both[0]?.data).toMatchObject({ order_id: expect.any(Number), schedule_id: expect.any(Number) });
    expect([both[1]?.data, again.data]).toEqual([both[0]?.data, both[0]?.data]);
    expect(await charges(user.id)).toHaveLength(1);
    expect((await create(user, { ...hourly, interval: 2 }, key)).status).toBe(409);
    const once = (headers: Record<string, string>) =>
      user.call('POST', '/v1/order/create', { orders: [scanOf([51_001])] }, headers);
    expect((await once(key)).status).toBe(409);
    expect((await once({ 'idempotency-key': 'of an order' })).status).toBe(200);
    expect((await create(user, hourly, { 'idempotency-key': 'of an order' })).status).toBe(409);
    expect((await user.call('GET', '/v1/orders/scheduled')).data.scheduled).toHaveLength(1);
  });

  it('runs whatever keys its user gives to orders', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    const { next_at } = await scheduleOf(data.schedule_id);
    const key = { 'idempotency-key': `schedule:${data.schedule_id}:${next_at}` };
    const own = (await user.call('POST', '/v1/order/create', { orders: [scanOf([51009])] }, key)).data.order_id;
    await fireCron('* * * * *', next_at as number);
    const [run] = await runsOf(data.schedule_id);
    expect(run).toMatchObject({ outcome: 'placed', order_id: expect.any(Number) });
    expect(run?.order_id).not.toBe(own);
    // That order is not shown as a run of the schedule either.
    const { orders } = (await user.call('GET', '/v1/orders')).data;
    const shown = orders.find(({ order_id }: { order_id: number }) => order_id === own);
    expect(shown.schedule_id).toBeNull();
  });

  it('can be paused, resumed, edited and ended, in states that allow it', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    const id = data.schedule_id as number;
    const { next_at } = await scheduleOf(id);
    expect((await act(user, id, 'pause')).status).toBe(200);
    expect((await act(user, id, 'pause')).status).toBe(409);
    const [paused] = (await user.call('GET', '/v1/orders/scheduled')).data.scheduled;
    expect(paused).toMatchObject({ state: 'paused', paused_by: 'user' });
    await fireCron('* * * * *', next_at as number);
    expect(await runsOf(id)).toEqual([]);
    expect((await act(user, id, 'resume')).status).toBe(200);
    expect((await act(user, id, 'resume')).status).toBe(409);
    const start = Date.now() + DAY_MS;
    const edit = { scheduleInfo: { start: isoAt(start), period: 'month', interval: 2 } };
    expect((await act(user, id, 'edit', edit)).status).toBe(200);
    expect(await scheduleOf(id)).toMatchObject({ state: 'active', next_at: start, period: 'month', interval: 2 });
    expect((await act(user, id, 'end')).status).toBe(200);
    for (const verb of ['end', 'pause', 'resume']) expect((await act(user, id, verb)).status).toBe(409);
    expect((await act(user, id, 'edit', edit)).status).toBe(409);
    expect(await scheduleOf(id)).toMatchObject({ state: 'ended', next_at: null });
  });

  it('is not resumed with outdated times', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    const id = data.schedule_id as number;
    await act(user, id, 'pause');
    const before = (await savedSchedule(db, user.id, id)) as NonNullable<Awaited<ReturnType<typeof savedSchedule>>>;
    for (const other of [
      { start_at: before.start_at + 1 },
      { end_at: before.start_at + DAY_MS },
      { period: 'day' as const },
      { interval: 2 },
    ])
      expect(await resumeSchedule(db, { ...before, ...other })).toBe(false);
    expect(await scheduleOf(id)).toMatchObject({ state: 'paused' });
    // Runs that were due in the pause are not made up, and missed runs are reset.
    await env.DB.prepare('UPDATE schedules SET missed_runs = 4 WHERE id = ?').bind(id).run();
    const later = before.start_at + 90 * 60_000;
    expect(await resumeSchedule(db, before, later)).toBe(true);
    const next_at = before.start_at + 2 * HOUR_MS;
    expect(await savedSchedule(db, user.id, id)).toMatchObject({ state: 'active', next_at, missed_runs: 0 });
    expect(await runsOf(id)).toEqual([]);
  });

  it('resets its missed runs after an edit of its times', async () => {
    const user = await signedInUser(0);
    const start = Date.now() + HOUR_MS;
    const { data } = await create(user, { ...hourly, start: isoAt(start) });
    await fireCron('* * * * *', start);
    const missed = () => rowsWhere(`SELECT missed_runs FROM schedules WHERE id = ?`, data.schedule_id);
    expect(await missed()).toEqual([{ missed_runs: 1 }]);
    const scheduleInfo = { ...hourly, start: isoAt(start + HOUR_MS) };
    expect((await act(user, data.schedule_id, 'edit', { scheduleInfo })).status).toBe(200);
    expect(await missed()).toEqual([{ missed_runs: 0 }]);
  });

  it('paused by the service stays so through an edit', async () => {
    const user = await signedInUser();
    const { data } = await create(user, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    await env.DB.prepare(`UPDATE schedules SET state = 'paused', missed_runs = 5 WHERE id = ?`)
      .bind(data.schedule_id)
      .run();
    const scheduleInfo = { ...hourly, start: isoAt(Date.now() + 2 * HOUR_MS) };
    expect((await act(user, data.schedule_id, 'edit', { scheduleInfo })).status).toBe(200);
    const { scheduled } = (await user.call('GET', '/v1/orders/scheduled')).data;
    expect(scheduled[0]).toMatchObject({ state: 'paused', paused_by: 'service' });
  });

  it('of another user is not found', async () => {
    const [owner, other] = [await signedInUser(), await signedInUser()];
    const { data } = await create(owner, { ...hourly, start: isoAt(Date.now() + HOUR_MS) });
    for (const verb of ['pause', 'resume', 'end', 'edit'])
      expect((await act(other, data.schedule_id, verb, { scheduleInfo: hourly })).status).toBe(404);
    expect((await other.call('GET', '/v1/orders/scheduled')).data.scheduled).toEqual([]);
    expect((await scheduleOf(data.schedule_id)).state).toBe('active');
  });

  it.each<[string, object, RegExp]>([
    ['an end before the start', { ...hourly, start: '2031-01-01T00:00Z', end: '2030-01-01T00:00Z' }, /not lie before/],
    ['an end in the past', { ...hourly, start: '2020-01-01T00:00Z', end: '2021-01-01T00:00Z' }, /not lie before/],
    ['interval 0', { period: 'day', interval: 0 }, /at least 1/],
    ['interval 1.5', { period: 'day', interval: 1.5 }, /whole number/],
    ['a repeat without interval', { period: 'day' }, /every how many/],
    ['an unknown period', { period: 'fortnight', interval: 1 }, /must be one of/],
  ])('with %s is refused with a sentence', async (_, info, sentence) => {
    const user = await signedInUser();
    expect(await create(user, info)).toMatchObject({ status: 400, success: 0, msg: expect.stringMatching(sentence) });
    expect(await charges(user.id)).toEqual([]);
  });

  it('is refused beyond 500', async () => {
    const user = await signedInUser();
    const start = isoAt(Date.now() + HOUR_MS);
    const { data } = await create(user, { ...hourly, start });
    await env.DB.prepare(
      `INSERT INTO schedules (user_id, created_at, entries, start_at, period, "interval", next_at)
       SELECT user_id, created_at, entries, start_at, period, "interval", next_at FROM schedules,
         (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499) SELECT i FROM n)
       WHERE id = ?`,
    )
      .bind(data.schedule_id)
      .run();
    expect(await create(user, { ...hourly, start })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('500'),
    });
    await act(user, data.schedule_id, 'end');
    expect((await create(user, { ...hourly, start })).status).toBe(200);
    // Ends the five hundred due schedules, so that no other test's cron runs them.
    await env.DB.prepare(`UPDATE schedules SET state = 'ended', next_at = NULL WHERE user_id = ?`).bind(user.id).run();
  });
});
