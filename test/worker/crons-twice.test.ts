import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { RETURN_AFTER_MS } from '../../domain/orders/order.ts';
import settings from '../../wrangler.toml?raw';
import { fireCron, scanOf, signedInUser } from './client.ts';
import { booksOfUser, rowsWhere } from './payments-client.ts';
import { governor, publishRows } from './scans.ts';

/**
 * The platform may run a cron twice, at once or one after the other, and a late one overlaps with that of a later
 * minute. The cron does its work only once.
 */

const [, named = ''] = /^crons = \[(.*)\]$/m.exec(settings) ?? [];
const CRONS = [...named.matchAll(/"([^"]+)"/g)].map(([, cron = '']) => cron);

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare(`UPDATE schedules SET state = 'ended', next_at = NULL, trying_for = NULL`),
    env.DB.prepare(`DELETE FROM setbacks`),
    env.DB.prepare(`UPDATE outbox SET sent_at = 1 WHERE sent_at IS NULL`),
  ]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Longer than a job that began keeps the same job of the next minutes from beginning. */
const LATE_MS = 3 * 60_000;

/** `fire` takes the time after the first cron for which the platform fires it. */
const WAYS: Record<string, { kingdom: number; run: (fire: (later: number) => Promise<void>) => Promise<unknown> }> = {
  'at once': { kingdom: 73_003, run: (fire) => Promise.all([fire(0), fire(0), fire(0)]) },
  'one after the other': {
    kingdom: 73_004,
    run: async (fire) => {
      for (let time = 0; time < 3; time++) await fire(0);
    },
  },
  'at once with that of a later minute': { kingdom: 73_005, run: (fire) => Promise.all([fire(0), fire(LATE_MS)]) },
};

it.each(Object.entries(WAYS))(
  'every cron that fires several times, %s, does its work once',
  async (_, { kingdom, run }) => {
    const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const told = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const now = Date.now() + 2 * RETURN_AFTER_MS;
    // An order that was not delivered within a day, a due schedule, a waiting mail, and a kingdom without a digest.
    const [late, regular] = [await signedInUser(), await signedInUser()];
    const placed = await late.call('POST', '/v1/order/create', { orders: [scanOf([73_001])] });
    expect((await booksOfUser(late.id)).balance).toBe(10_000 - 50);
    const { data } = await regular.call('POST', '/v1/order/create', {
      orders: [scanOf([73_002])],
      scheduleInfo: { period: 'day', interval: 1, start: new Date(now - 60_000).toISOString() },
    });
    const recipient = `${crypto.randomUUID()}@twice.example`;
    await env.DB.prepare(
      `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at) VALUES (?1, ?1, 'Once', '', 1, 1)`,
    )
      .bind(recipient)
      .run();
    await publishRows('rok', kingdom, now - DAY_MS, [governor(kingdom, 5e6, { home_kingdom: kingdom })]);

    for (const cron of CRONS) await run((later) => fireCron(cron, now + later));

    expect(await booksOfUser(late.id)).toMatchObject({ balance: 10_000, sum: 10_000 });
    expect(await rowsWhere(`SELECT state FROM items WHERE order_id = ?`, placed.data.order_id)).toEqual([
      { state: 'cancelled' },
    ]);
    expect(
      await rowsWhere(`SELECT subject FROM outbox WHERE recipient = ? AND reference LIKE 'undelivered:%'`, late.email),
    ).toHaveLength(1);
    expect(await rowsWhere(`SELECT outcome FROM runs WHERE schedule_id = ?`, data.schedule_id)).toEqual([
      { outcome: 'placed' },
    ]);
    expect(await booksOfUser(regular.id)).toMatchObject({ balance: 10_000 - 50, sum: 10_000 - 50 });
    expect(told.mock.calls.flat().filter((line) => String(line).includes(recipient))).toHaveLength(1);
    expect(
      await rowsWhere(`SELECT digested_at - captured_at AS late FROM kingdoms WHERE kingdom_id = ?`, kingdom),
    ).toEqual([{ late: 0 }]);
    // Nothing failed, and no failure was recorded.
    expect(failed.mock.calls).toEqual([]);
    expect(await rowsWhere(`SELECT job, subject, error FROM setbacks`)).toEqual([]);
  },
);
