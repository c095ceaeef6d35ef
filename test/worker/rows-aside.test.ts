import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { waitAfter } from '../../domain/work.ts';
import { listJobFailures } from '../../worker/models/service/job-failures.ts';
import { db, fireCron, insertUser, type Person, signedInAdmin, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';

const HOUR_MS = 3_600_000;
const EVERY_MINUTE = '* * * * *';

beforeEach(() => env.DB.prepare(`DELETE FROM setbacks`).run());

describe('one account whose job fails', () => {
  const poisoned = async (when: string, name = 'poison') => {
    await env.DB.exec(`CREATE TRIGGER ${name} BEFORE ${when} BEGIN SELECT raise(ABORT, 'poisoned'); END`);
  };
  const asideOf = async (job: string, now: number) =>
    (await listJobFailures(db, now)).setbacks.filter((setback) => setback.job === job).map(({ subject }) => subject);

  it('delays no warnings of others, and is not retried before its time', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const users = [await signedInUser(100), await signedInUser(100)];
    for (const user of users) await user.call('POST', '/v1/account/low-balance', { threshold: 5 });
    const [bad, good] = users as [Person, Person];
    await poisoned(`UPDATE ON balance_alerts WHEN NEW.user_id = '${bad.id}'`);
    const now = Date.now();
    await fireCron(EVERY_MINUTE, now);
    const warned = (user: Person) =>
      rowsWhere(`SELECT id FROM outbox WHERE reference LIKE ?`, `low-balance:${user.id}:%`);
    expect([await warned(bad), (await warned(good)).length]).toEqual([[], 1]);
    expect(await asideOf('balance warnings', now)).toEqual([bad.id]);
    await env.DB.exec('DROP TRIGGER poison');
    await fireCron(EVERY_MINUTE, now + waitAfter(1) - 1);
    expect(await warned(bad)).toEqual([]);
    await fireCron(EVERY_MINUTE, now + waitAfter(1));
    expect(await warned(bad)).toHaveLength(1);
    expect(await asideOf('balance warnings', now)).toEqual([]);
  });

  it('does not stop collections from other accounts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const [bad, good] = [await signedInUser(0), await signedInUser(0)];
    for (const user of [bad, good])
      await env.DB.batch([
        env.DB.prepare(
          `INSERT INTO payments (id, user_id, amount_cents, request_key, state, created_at) VALUES (?1, ?2, 500, ?1, 'paid', 1)`,
        ).bind(`left-${user.id}`, user.id),
        env.DB.prepare(
          `INSERT INTO reversals (id, payment_id, user_id, kind, amount_cents, stage, created_at)
           VALUES (?1, ?1, ?2, 'refund', 300, 1, 1)`,
        ).bind(`left-${user.id}`, user.id),
        env.DB.prepare(
          `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, created_at) VALUES (?1, 1000, 'top_up', ?2, 1)`,
        ).bind(user.id, `left-${user.id}`),
      ]);
    await poisoned(`INSERT ON ledger_entries WHEN NEW.user_id = '${bad.id}'`);
    const now = Date.now();
    await fireCron(EVERY_MINUTE, now);
    const balance = async (user: Person) =>
      (await rowsWhere(`SELECT balance_cents FROM users WHERE id = ?`, user.id))[0]?.balance_cents;
    expect([await balance(bad), await balance(good)]).toEqual([1000, 700]);
    expect(await asideOf('money taken back', now)).toEqual([bad.id]);
    await env.DB.exec('DROP TRIGGER poison');
    await fireCron(EVERY_MINUTE, now + waitAfter(1));
    expect([await balance(bad), await balance(good)]).toEqual([700, 700]);
  });

  it('is warned at the next round instead of after hours if an admin presses "Try now", once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const [user, admin] = [await signedInUser(100), await signedInAdmin()];
    await user.call('POST', '/v1/account/low-balance', { threshold: 5 });
    await poisoned(`UPDATE ON balance_alerts WHEN NEW.user_id = '${user.id}'`);
    await fireCron(EVERY_MINUTE, Date.now());
    await env.DB.exec('DROP TRIGGER poison');
    const later = Date.now() + 6 * HOUR_MS;
    await env.DB.prepare(`UPDATE setbacks SET next_at = ? WHERE subject = ?`).bind(later, user.id).run();
    const warned = async () =>
      (await rowsWhere(`SELECT id FROM outbox WHERE reference LIKE ?`, `low-balance:${user.id}:%`)).length;
    await fireCron(EVERY_MINUTE, Date.now());
    expect(await warned()).toBe(0);
    const named = { job: 'balance warnings', subject: user.id };
    const tried = await Promise.all([1, 2].map(() => admin.call('POST', '/v1/admin/setbacks/try', named)));
    expect(tried.map(({ status }) => status)).toEqual([200, 200]);
    await fireCron(EVERY_MINUTE, Date.now());
    await fireCron(EVERY_MINUTE, Date.now());
    expect(await warned()).toBe(1);
    expect(await admin.call('POST', '/v1/admin/setbacks/try', named)).toMatchObject({
      status: 409,
      msg: 'This is no longer in the retry queue, or is retried automatically.',
    });
  });

  it('stops no other unverified account from being dropped', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const [bad, good] = [await insertUser(), await insertUser()];
    const created = Date.now() - 30 * 24 * HOUR_MS;
    await env.DB.prepare(`DELETE FROM ledger_entries WHERE user_id IN (?, ?)`).bind(bad.id, good.id).run();
    await env.DB.prepare(`UPDATE users SET verified_at = NULL, created_at = ? WHERE id IN (?, ?)`)
      .bind(created, bad.id, good.id)
      .run();
    await poisoned(`DELETE ON users WHEN OLD.id = '${bad.id}'`);
    const now = Date.now();
    await fireCron('10 0 * * *', now);
    await env.DB.exec('DROP TRIGGER poison');
    expect(await rowsWhere(`SELECT id FROM users WHERE id IN (?, ?)`, bad.id, good.id)).toEqual([{ id: bad.id }]);
    expect(await asideOf('unverified accounts', now)).toEqual([bad.id]);
  });

  it('keeps an abandoned job failure for two days at most', async () => {
    const now = Date.now();
    const day = 24 * HOUR_MS;
    for (const [subject, next_at] of [
      ['left', now - 2 * day - 1],
      ['waiting', now - 2 * day + 60_000],
    ] as const)
      await env.DB.prepare(
        `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES ('digest', ?, 1, 1, ?, 'x')`,
      )
        .bind(subject, next_at)
        .run();
    await fireCron('10 0 * * *', now);
    expect(await asideOf('digest', now)).toEqual(['waiting']);
  });

  it('is retried in the next round only if an admin asks for it', async () => {
    const admin = await signedInAdmin();
    const later = Date.now() + HOUR_MS;
    const put = (job: string, subject: string) =>
      env.DB.prepare(`INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES (?, ?, 3, 1, ?, 'x')`)
        .bind(job, subject, later)
        .run();
    await put('digest', 'rok 1');
    await put('digest', 'rok 2');
    await put('finishing items', 'item');
    const hurry = (job: string, subject: string) => admin.call('POST', '/v1/admin/setbacks/try', { job, subject });
    expect((await hurry('digest', 'rok 1')).status).toBe(200);
    expect((await hurry('digest', 'rok 3')).status).toBe(409);
    // An order's object keeps its own schedule.
    expect((await hurry('finishing items', 'item')).status).toBe(409);
    const next = await rowsWhere(`SELECT subject, next_at FROM setbacks ORDER BY subject`);
    expect(next).toEqual([
      { subject: 'item', next_at: later },
      { subject: 'rok 1', next_at: expect.toSatisfy((at: number) => at <= Date.now()) },
      { subject: 'rok 2', next_at: later },
    ]);
    const { data } = await admin.call('GET', '/v1/admin/setbacks');
    expect(
      Object.fromEntries(
        data.setbacks.map((each: { subject: string; by_itself: boolean }) => [each.subject, each.by_itself]),
      ),
    ).toEqual({ item: true, 'rok 1': false, 'rok 2': false });
    expect(
      await rowsWhere(
        `SELECT subject FROM audit_entries WHERE actor = ? AND action = 'setback.tried_again'`,
        `admin:${admin.id}`,
      ),
    ).toEqual([{ subject: 'digest rok 1' }]);
    const user = await signedInUser();
    expect((await user.call('POST', '/v1/admin/setbacks/try', { job: 'digest', subject: 'rok 2' })).status).toBe(404);
  });
});
