import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, DAY_MS, dayOf, dayStart, HOUR_MS } from '../../domain/days.ts';
import { openDb } from '../../worker/db/open.ts';
import { MAX_MAIL_ATTEMPTS } from '../../worker/models/messages/outbox.ts';
import { needsNow } from '../../worker/models/service/needs.ts';
import { backUp } from '../../worker/services/service/back-up.ts';
import { showFigures, showTrends } from '../../worker/services/service/show-figures.ts';
import { writeMetrics } from '../../worker/services/service/write-metrics.ts';
import { db, type Person, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { eventOf } from './events/war.ts';
import { cell } from './people.ts';

/** The first page of admins: work that waits for them, and figures per day. */

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe('what waits for a person', () => {
  const now = Date.now();

  beforeEach(async () => {
    for (const table of ['issue_reports', 'setbacks', 'removals', 'reconciliations', 'outbox', 'reversals'])
      await run(`DELETE FROM ${table}`);
  });

  it('is nothing, then each kind with how many and since when, without what is over or old', async () => {
    expect(await needsNow(db, Promise.resolve(80), now)).toEqual([]);
    const user = await signedInUser();
    const { order_id } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([601, 602])] })).data;
    const report = `INSERT INTO issue_reports (user_id, order_id, message, created_at, answered_at) VALUES (?, ?, 'x', ?, ?)`;
    await run(report, user.id, order_id, now - 10, null);
    await run(report, user.id, order_id, now - 20, null);
    await run(report, user.id, order_id, now - 30, now);
    const fail = `UPDATE items SET state = 'failed', incomplete_count = 0, finished_at = ? WHERE order_id = ? AND position = ?`;
    await run(fail, now - HOUR_MS, order_id, 0);
    await run(fail, now - DAY_MS - 1, order_id, 1);
    const mail = `INSERT INTO outbox (reference, recipient, subject, text, html, created_at, next_at, attempts)
      VALUES (?, 'a@muster.test', 's', '', '', ?, 0, ?)`;
    await run(mail, 'given up', now - 7, MAX_MAIL_ATTEMPTS);
    await run(mail, 'waiting', now - 8, MAX_MAIL_ATTEMPTS - 1);
    const compared = `INSERT INTO reconciliations (day, ran_at, stripe_cents, ledger_cents, differences) VALUES (?, ?, 0, 0, ?)`;
    await run(compared, '2026-01-01', now - DAY_MS, '["Stripe received 5"]');
    await run(compared, '2026-01-02', now - DAY_MS, '[]');
    await run(compared, '2025-12-01', now - 8 * DAY_MS, '["Stripe received 5"]');
    await run(
      `INSERT INTO payments (id, user_id, amount_cents, request_key, state, created_at) VALUES ('p', ?, 500, 'p', 'paid', 1)`,
      user.id,
    );
    const reversal = `INSERT INTO reversals (id, payment_id, user_id, kind, amount_cents, stage, created_at) VALUES (?, 'p', ?, ?, ?, 1, ?)`;
    await run(reversal, 'open', user.id, 'dispute', 5, now - 6);
    await run(reversal, 'won', user.id, 'dispute', 0, now - 7);
    await run(reversal, 'over', user.id, 'dispute', 5, now - 22 * DAY_MS);
    await run(reversal, 'a refund', user.id, 'refund', 5, now - 8);
    const job = `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES ('j', ?, ?, 5, 0, ?)`;
    await run(job, 'twice', 2, 'away');
    await run(job, 'once', 1, 'away');
    await run(job, 'at work', 3, null);
    await run(
      `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES ('webhooks', 'signature', 9, 4, 0, 'x')`,
    );
    const removal = `INSERT INTO removals (game, governor_id, name, code, note, state, created_at) VALUES ('rok', ?, 'n', ?, '', ?, 9)`;
    await run(removal, 1, 'a', 'open');
    await run(removal, 2, 'b', 'refused');
    expect(await needsNow(db, Promise.resolve(80), now)).toEqual([
      { kind: 'reports', count: 2, since: now - 20 },
      { kind: 'failed_items', count: 1, since: now - HOUR_MS },
      { kind: 'failed_mails', count: 1, since: now - 7 },
      { kind: 'money', count: 1, since: now - DAY_MS },
      { kind: 'disputes', count: 1, since: now - 6 },
      { kind: 'jobs', count: 1, since: 5 },
      { kind: 'removals', count: 1, since: 9 },
    ]);
    expect((await admin.call('GET', '/v1/admin/figures')).data.needs).toHaveLength(7);
    await run(fail, 1, order_id, 0);
  });
});

describe('the figures per day', () => {
  const day = (days: { day: string }[], wanted: string) => days.find((one) => one.day === wanted);

  it('count new users, orders, rows of scans and net revenue by their day in UTC, with the kingdoms', async () => {
    const now = Date.now();
    const [today, first] = [dayOf(now), addDays(dayOf(now), -29)];
    const before = await showTrends(db, env.BACKUP, now);
    expect(before.days.map((one) => one.day)).toEqual(Array.from({ length: 30 }, (_, index) => addDays(first, index)));
    const user = await signedInUser(5000);
    const place = async (kingdoms: number[]): Promise<number> =>
      (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] })).data.order_id;
    const [early, late, old] = [await place([611, 612]), await place([611]), await place([611])];
    await run('UPDATE orders SET placed_at = ? WHERE id = ?', dayStart(first), early);
    await run('UPDATE orders SET placed_at = ? WHERE id = ?', dayStart(first) - 1, old);
    await run('UPDATE items SET returned_cents = 20 WHERE order_id = ? AND position = 1', early);
    await run(
      `INSERT INTO snapshots (key, game, kingdom_id, captured_at, source, rows, bytes, quality, created_at)
       VALUES ('home', 'rok', 611, 1, '', 300, 1, '{}', 1)`,
    );
    const snapshot = await cell<number>(`SELECT id FROM snapshots WHERE key = 'home'`);
    await run('UPDATE items SET snapshot_id = ?, finished_at = ? WHERE order_id = ?', snapshot, dayStart(first), late);
    const { days, kingdoms, platform } = (await admin.call('GET', '/v1/admin/trends')).data;
    expect(day(days, first)).toEqual({ day: first, users: 0, orders: 1, governors: 300, revenue: 0.8 });
    const [was, is] = [day(before.days, today), day(days, today)] as unknown as { users: number; orders: number }[];
    expect([Number(is?.users) - Number(was?.users), Number(is?.orders) - Number(was?.orders)]).toEqual([1, 1]);
    expect(kingdoms.slice(0, 1)).toEqual([{ game: 'rok', kingdom_id: 611, items: 2, revenue: 1 }]);
    expect(platform).toMatchObject({ database_limit: 1e10, rows_included: 5e7, month_cost: 5 });
    expect(platform.database_bytes).toBeGreaterThan(0);
  });

  it('count no scans that the service ordered for events', async () => {
    const figures = async () => {
      const { days, kingdoms } = await showTrends(db, env.BACKUP, Date.now());
      return { orders: (await showFigures(db)).orders_last_day, today: days.at(-1)?.orders, kingdoms };
    };
    const before = await figures();
    const camps = [
      { name: 'Fire', kingdoms: ['621'] },
      { name: 'Water', kingdoms: ['622'] },
    ];
    const { dashboard_id } = (await admin.call('POST', '/v1/admin/events', eventOf({ camps, gather: true }))).data;
    expect((await admin.call('POST', `/v1/admin/events/${dashboard_id}/publish`)).status).toBe(200);
    expect((await admin.call('POST', `/v1/admin/events/${dashboard_id}/refresh`)).status).toBe(200);
    expect(await cell(`SELECT count(*) FROM items WHERE kingdom_id IN (621, 622)`)).toBe(2);
    expect(await figures()).toEqual(before);
  });

  it('have the size of the fullest database, and the cost of all of them', async () => {
    /** A database of which only the size is asked. None of this size fits here. */
    const ofSize = (size_after: number) =>
      ({ prepare: () => ({ run: async () => ({ meta: { size_after } }) }) }) as unknown as D1Database;
    const apart = openDb({ DB: env.DB, DIRECTORY_ROK: ofSize(9e9), DIRECTORY_COD: ofSize(8e9) });
    const { platform } = await showTrends(apart, env.BACKUP, Date.now());
    // 12 GB past the five that the plan includes, at 0.75 each.
    expect([platform.database_bytes, platform.month_cost]).toEqual([9e9, 14]);
    expect(await needsNow(apart, Promise.resolve(80), Date.now())).toContainEqual({
      ...{ kind: 'database', count: 90, since: null },
    });
    expect(await writeMetrics(apart)).toContain('muster_database_bytes 9000000000\n');
  });

  it('have the objects that the newest backup counted, and none before it', async () => {
    // Other test files of this process may have made backups.
    for (const { key } of (await env.BACKUP.list()).objects) await env.BACKUP.delete(key);
    expect((await showTrends(db, env.BACKUP, Date.now())).platform.objects).toBeNull();
    await env.STORE.put('scans/home-1', 'x'.repeat(40));
    await env.STORE.put('exports/home-2', 'x'.repeat(40));
    const { objects } = await env.STORE.list();
    const kept = objects.filter(({ key }) => !/^(exports|sums|answers|alerts|arriving)\//.test(key));
    const now = Date.now();
    await backUp({ db, store: env.STORE, bucket: env.BACKUP }, now, now + 60_000);
    expect((await showTrends(db, env.BACKUP, now)).platform.objects).toEqual({
      count: kept.length,
      bytes: kept.reduce((sum, { size }) => sum + size, 0),
      at: new Date(now).toISOString(),
    });
  });
});
