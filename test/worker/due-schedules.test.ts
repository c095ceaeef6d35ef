import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { configuredSale } from '../../domain/orders/sale.ts';
import { intercepted } from '../../stand-ins/database.ts';
import { openDb } from '../../worker/db/open.ts';
import { dueSchedules, runSchedules } from '../../worker/models/orders/schedule-runs.ts';
import { speakerFor } from '../../worker/services/service/speak.ts';
import { db, type Person, scanOf, signedInUser } from './client.ts';
import { chargesOf, rowsWhere } from './payments-client.ts';

const HOUR_MS = 3_600_000;

beforeEach(async () => {
  await env.DB.exec(`UPDATE schedules SET state = 'ended', next_at = NULL, trying_for = NULL`);
});

/** A schedule of one small order, first due at `start`. */
async function firstOf(user: Person, start: number): Promise<number> {
  const { data, status, msg } = await user.call('POST', '/v1/order/create', {
    orders: [scanOf([1011])],
    scheduleInfo: { period: 'day', interval: 1, start: new Date(start).toISOString() },
  });
  if (status !== 200) throw new Error(msg);
  return data.schedule_id as number;
}

/** Repeats a schedule `count` times. */
const repeat = (id: number, count: number) =>
  env.DB.prepare(
    `INSERT INTO schedules (user_id, created_at, entries, start_at, period, "interval", next_at)
     SELECT user_id, created_at, entries, start_at, period, "interval", next_at
     FROM schedules, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) SELECT i FROM n)
     WHERE id = ?1`,
  )
    .bind(id, count)
    .run();

describe('schedules that are due at once', () => {
  /** Makes six due schedules of one user, and counts the database calls that running them takes. */
  async function dueAtOnce() {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const start = Date.now() + HOUR_MS;
    const user = await signedInUser();
    const first = await firstOf(user, start);
    await repeat(first, 5);
    let trips = 0;
    const counted = openDb({
      DB: intercepted(env.DB, () => {
        trips += 1;
      }),
    });
    const run = async () =>
      runSchedules(counted, speakerFor(env), await dueSchedules(db, start), configuredSale(env.READY_PRODUCTS), start);
    return { user, ids: Array.from({ length: 6 }, (_, index) => first + index), run, trips: () => trips };
  }

  it('are claimed in one database call and placed in another', async () => {
    const { user, run, trips } = await dueAtOnce();
    expect(await run()).toEqual(Array(6).fill({ status: 'fulfilled', value: 'placed' }));
    expect(trips()).toBe(2);
    expect(await chargesOf(user.id)).toHaveLength(6);
    expect(await run()).toEqual([]);
  });

  it('are placed one by one if one of them breaks the batch', async () => {
    const { user, ids, run } = await dueAtOnce();
    const [, , poisoned] = ids;
    await env.DB.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON runs WHEN NEW.schedule_id = ${poisoned} BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    );
    const ran = await run();
    await env.DB.exec('DROP TRIGGER poison');
    expect(ran.map(({ status }) => status)).toEqual(ids.map((id) => (id === poisoned ? 'rejected' : 'fulfilled')));
    expect(await chargesOf(user.id)).toHaveLength(5);
  });

  it('are claimed one by one if one of them breaks the batch', async () => {
    const { user, ids, run } = await dueAtOnce();
    const [poisoned] = ids;
    await env.DB.exec(
      `CREATE TRIGGER poison BEFORE UPDATE ON schedules WHEN NEW.id = ${poisoned} BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    );
    const ran = await run();
    await env.DB.exec('DROP TRIGGER poison');
    expect(ran.map(({ status }) => status)).toEqual(ids.map((id) => (id === poisoned ? 'rejected' : 'fulfilled')));
    expect(await chargesOf(user.id)).toHaveLength(5);
  });

  it('are placed only as far as the balance pays', async () => {
    const { user, run } = await dueAtOnce();
    const [charge] = await rowsWhere(`SELECT balance_cents FROM users WHERE id = ?`, user.id);
    await env.DB.prepare(
      `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at) VALUES (?, ?, 'adjustment', ?, '', 1)`,
    )
      .bind(user.id, 150 - Number(charge?.balance_cents), crypto.randomUUID())
      .run();
    const outcomes = (await run()).map((ran) => (ran.status === 'fulfilled' ? ran.value : 'failed'));
    expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'unpaid')).toHaveLength(3);
  });
});
