import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { auditOf, record } from '../../worker/models/service/audit.ts';
import { beginWork, failedStatement, listJobFailures } from '../../worker/models/service/job-failures.ts';
import { serviceFigures } from '../../worker/models/service/overview.ts';
import { caller, db, insertUser, type Person, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** Admin lists of the whole service: what counts, their order and page size. */

const DAY_MS = 86_400_000;
let admin: Person;
beforeEach(async () => {
  admin = await signedInAdmin();
});

const orderOf = async (user: Person, kingdoms: number[]): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] })).data.order_id;

describe('the bots', () => {
  const beat = async (token: string, bot_id: string, address: string, kingdoms?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'cf-connecting-ip': address };
    const body = { bot_id, account_game: 'rok', packets_count: 3, tasking_count: 2, tasking_count_failed: 1, kingdoms };
    expect((await caller(headers).call('POST', '/v1/fleet/heartbeat', body)).status).toBe(200);
  };

  it('are listed by group, with those silent for five minutes apart, and counted by address', async () => {
    const [bravo, alpha] = [`token-${crypto.randomUUID()}`, `token-${crypto.randomUUID()}`];
    await createGroup(db, crypto.randomUUID(), 'Bravo', bravo);
    await createGroup(db, crypto.randomUUID(), 'Alpha', alpha);
    for (const id of ['two', 'one']) await beat(bravo, id, '192.0.2.1');
    await beat(bravo, 'three', '192.0.2.2');
    await beat(alpha, 'one', '');
    await beat(alpha, 'gone', '192.0.2.1');
    await env.DB.prepare(`UPDATE bots SET last_connected_at = ? WHERE bot_id = 'gone'`)
      .bind(Date.now() - 300_000)
      .run();
    const { bots, summary } = (await admin.call('GET', '/v1/admin/bots')).data;
    expect(Object.keys(bots).sort()).toEqual(['Alpha', 'Bravo', 'null']);
    expect(bots.Bravo.map(({ bot_id }: { bot_id: string }) => bot_id)).toEqual(['one', 'three', 'two']);
    expect(bots.Alpha).toMatchObject([{ bot_id: 'one', packets_count: 3, tasking_count: 2, tasking_count_failed: 1 }]);
    expect(bots.null).toMatchObject([{ bot_id: 'gone', group: 'Alpha', last_connected: null }]);
    expect(Math.abs(bots.Alpha[0].last_connected - Date.now() / 1000)).toBeLessThan(30);
    expect(summary).toEqual({
      Alpha: { unknown: 1 },
      Bravo: { '192.0.2.1': 2, '192.0.2.2': 1 },
      null: { '192.0.2.1': 1 },
    });
    expect(bots.Alpha[0].scans).toBeNull();
    const many = Array.from({ length: 12 }, (_, index) => 1001 + index);
    await beat(alpha, 'one', '', { rok: many, cod: 'all' });
    expect((await admin.call('GET', '/v1/admin/bots')).data.bots.Alpha[0].scans).toEqual([
      { game: 'rok', count: 12, first: many.slice(0, 10) },
      { game: 'cod', count: null, first: [] },
    ]);
    const one = (await admin.call('GET', '/v1/admin/bots/one')).data;
    expect(Object.keys(one).sort()).toEqual(['Alpha', 'Bravo']);
    expect((await admin.call('GET', '/v1/admin/bots/none')).status).toBe(404);
  });

  it('have pages of fifty in each group, with counts of all', async () => {
    const [large, small] = [`Large ${crypto.randomUUID()}`, `Small ${crypto.randomUUID()}`];
    await createGroup(db, large, large, `token-${large}`);
    await createGroup(db, small, small, `token-${small}`);
    const now = Date.now();
    const insert = (group: string, count: number, retired: number | null = null) =>
      env.DB.prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
         INSERT INTO bots (group_id, bot_id, account_game, account_ip, last_connected_at, retired_at)
         SELECT ?1, printf('%s-%03d', iif(?4 IS NULL, 'bot', 'retired'), n), 'rok', '192.0.2.' || (n % 60), ?3, ?4 FROM numbers`,
      ).bind(group, count, now, retired);
    await env.DB.batch([insert(large, 120), insert(small, 1), insert(large, 9, now)]);
    const list = async (query: Record<string, string>) =>
      (await admin.call('GET', `/v1/admin/bots?${new URLSearchParams(query)}`)).data;
    const ids = ({ bots }: { bots: Record<string, { bot_id: string }[]> }, group: string) =>
      (bots[group] ?? []).map(({ bot_id }) => bot_id);
    const all = await list({});
    expect(all).toMatchObject({ per_page: 50, counts: { [large]: 120, [small]: 1 } });
    expect([ids(all, large).length, ids(all, small)]).toEqual([50, ['bot-001']]);
    const last = await list({ group: large, page: '3' });
    expect(ids(last, large)).toEqual(Array.from({ length: 20 }, (_, index) => `bot-${101 + index}`));
    expect(Object.keys(last.bots)).toEqual([large]);
    expect(last.counts).toMatchObject({ [large]: 120, [small]: 1 });
    expect(ids(await list({ group: large, page: '4' }), large)).toEqual([]);
    expect(ids(await list({ page: '3' }), small)).toEqual([]);
    // Fifty addresses, those with most bots.
    const counted = Object.values(last.summary[large] as Record<string, number>);
    expect([counted.length, new Set(counted)]).toEqual([50, new Set([2])]);
    expect((await admin.call('GET', '/v1/admin/bots?page=0')).msg).toBe('page: must be 1 or more.');
    await env.DB.prepare(`UPDATE bots SET last_connected_at = 1 WHERE group_id = ? AND bot_id = 'bot-007'`)
      .bind(large)
      .run();
    expect(ids(await list({ group: 'null' }), 'null')).toContain('bot-007');
  });
});

it('lists the newest 100 reports, at equal times by higher id', async () => {
  const { id } = await insertUser();
  const report = (at: number, answered_at: number | null = null) =>
    env.DB.prepare(
      `INSERT INTO issue_reports (user_id, order_id, message, rows, created_at, answered_at) VALUES (?, 1, ?, '', ?, ?)`,
    ).bind(id, `report ${at}`, at, answered_at);
  await env.DB.prepare('DELETE FROM issue_reports').run();
  await env.DB.batch([report(500), report(900, 1), report(500), ...Array.from({ length: 99 }, (_, at) => report(at))]);
  const { reports } = (await admin.call('GET', '/v1/admin/reports')).data;
  const moments = (all: { created_at: number }[]) => all.map(({ created_at }) => created_at);
  expect(moments(reports)).toEqual([900, 500, 500, ...Array.from({ length: 97 }, (_, index) => 98 - index)]);
  expect(reports[1].report_id).toBeGreaterThan(reports[2].report_id);
  const open = (await admin.call('GET', '/v1/admin/reports?open=true')).data.reports;
  expect(moments(open)).toEqual([500, 500, ...Array.from({ length: 98 }, (_, index) => 98 - index)]);
  await env.DB.prepare('DELETE FROM issue_reports').run();
});

describe('all orders', () => {
  it('are paged by 50, newest first, with item states and refunds', async () => {
    const [user, other] = [await signedInUser(), await signedInUser(100_000)];
    const first = await orderOf(user, [501, 502, 503]);
    const [done, failed] = (
      await env.DB.prepare('SELECT id FROM items WHERE order_id = ? ORDER BY position').bind(first).raw<[string]>()
    ).map(([id]) => id);
    await env.DB.batch([
      env.DB.prepare(`UPDATE items SET state = 'done' WHERE id = ?`).bind(done),
      env.DB.prepare(`UPDATE items SET state = 'failed' WHERE id = ?`).bind(failed),
    ]);
    await user.call('POST', `/v1/order/${first}/cancel`);
    const later: number[] = [];
    for (let count = 0; count < 50; count++) later.push(await orderOf(other, [510]));
    const page = (await admin.call('GET', '/v1/admin/orders')).data;
    expect(page.orders.map(({ order_id }: { order_id: number }) => order_id)).toEqual(later.toReversed());
    expect(page.next).toBe(later[0]);
    const rest = (await admin.call('GET', `/v1/admin/orders?before=${page.next}`)).data;
    expect(rest.orders[0]).toMatchObject({
      order_id: first,
      username: user.username,
      total: 1.5,
      item_count: 3,
      standings: { done: 1, cancelled: expect.any(Number) },
      returned: 0.5 * rest.orders[0].standings.cancelled,
    });
    expect(rest.orders[0].standings.cancelled).toBeGreaterThan(0);
    expect(rest.next).toBeNull();
  });
});

describe('the figures', () => {
  it('count existing users, orders of the last day and open work', async () => {
    const now = Date.now();
    const before = await serviceFigures(db, now);
    const user = await signedInUser(5000);
    await insertUser({ deleted_at: now, balance_cents: 700 });
    const order = await orderOf(user, [521, 522]);
    const old = await orderOf(user, [523]);
    await env.DB.prepare('UPDATE orders SET placed_at = ? WHERE id = ?')
      .bind(now - DAY_MS, old)
      .run();
    const after = await serviceFigures(db, now);
    expect(after.users - before.users).toBe(1);
    expect(after.balances_cents - before.balances_cents).toBe(5000 - 150);
    expect(after.orders_last_day - before.orders_last_day).toBe(1);
    expect(after.charged_last_day_cents - before.charged_last_day_cents).toBe(100);
    expect(after.subtasks_waiting - before.subtasks_waiting).toBe(3);
    await user.call('POST', `/v1/order/${order}/cancel`);
    const cancelled = await serviceFigures(db, now);
    expect(cancelled.charged_last_day_cents).toBe(before.charged_last_day_cents);
    expect(cancelled.subtasks_waiting - before.subtasks_waiting).toBe(1);
    expect((await admin.call('GET', '/v1/admin/figures')).data).toMatchObject({ mails: { failed: 0 } });
  });
});

describe('failed jobs', () => {
  beforeEach(async () => {
    await env.DB.prepare('DELETE FROM setbacks').run();
  });

  it('are listed with jobs silent for 15 minutes, newest first', async () => {
    const now = Date.now();
    const MINUTE_MS = 60_000;
    await beginWork(db, { job: 'silent', subject: 'a' }, now - 15 * MINUTE_MS - 1);
    await beginWork(db, { job: 'at work', subject: 'a' }, now - 15 * MINUTE_MS);
    const failed = { tries: 2, next_at: now, error: new Error('x'.repeat(600)), now: now - 5 };
    await failedStatement(db, { job: 'failed', subject: 'b' }, failed).run();
    await failedStatement(db, { job: 'failed', subject: 'a' }, failed).run();
    const { count, setbacks } = await listJobFailures(db, now);
    expect(count).toBe(3);
    expect(setbacks.map(({ job, subject }) => `${job} ${subject}`)).toEqual(['failed a', 'failed b', 'silent a']);
    expect(setbacks[0]).toMatchObject({ tries: 2, error: 'x'.repeat(500) });
  });

  it('count tries, start one at a time, and wait twice as long after each', async () => {
    const work = { job: 'again', subject: '1' };
    let now = 1000;
    const nextOf = (subject: string) =>
      cell<number>(`SELECT next_at FROM setbacks WHERE job = 'again' AND subject = ?`, subject);
    for (const [index, wait] of [30_000, 60_000, 120_000, 240_000, 480_000].entries()) {
      expect(await beginWork(db, work, now)).toBe(index + 1);
      expect((await nextOf('1')) - now).toBe(wait);
      expect(await beginWork(db, work, now + wait - 1)).toBeNull();
      now += wait;
    }
    await env.DB.prepare(`UPDATE setbacks SET tries = 40`).run();
    await beginWork(db, work, now);
    expect((await nextOf('1')) - now).toBe(6 * 3_600_000);
    // Another subject has its own tries. A whole job waits at most five minutes.
    expect(await beginWork(db, { ...work, subject: '2' }, now)).toBe(1);
    await beginWork(db, { ...work, subject: '' }, now);
    await env.DB.prepare(`UPDATE setbacks SET tries = 40, next_at = 0`).run();
    await beginWork(db, { ...work, subject: '' }, now);
    expect((await nextOf('')) - now).toBe(300_000);
  });
});

it('the log of an account has its own newest 100 entries', async () => {
  const [user, other] = [await insertUser(), await insertUser()];
  for (let count = 0; count < 101; count++)
    await record(db, { userId: user.id, actor: 'system', action: `test.${count}` }, 5);
  await record(db, { userId: other.id, actor: 'system', action: 'test.other' }, 6);
  const entries = await auditOf(db, user.id);
  expect(entries.map(({ action }) => action)).toEqual(Array.from({ length: 100 }, (_, index) => `test.${100 - index}`));
});

describe('access codes', () => {
  it('are created once with a future expiry, listed newest first, and revoked once', async () => {
    const make = (body: object) => admin.call('POST', '/v1/admin/access-codes', { max_uses: 1, note: '', ...body });
    expect((await make({ expires_at: Date.now() })).msg).toBe('expires_at: is in the past.');
    expect((await make({ code: 'FIRST-CODE', expires_at: Date.now() + 60_000 })).status).toBe(200);
    expect((await make({ code: 'FIRST-CODE' })).status).toBe(409);
    expect((await make({ code: 'SECOND-CODE' })).status).toBe(200);
    const listed = (await admin.call('GET', '/v1/admin/access-codes')).data as { id: number; code: string }[];
    expect(listed.slice(0, 2).map(({ code }) => code)).toEqual(['SECOND-CODE', 'FIRST-CODE']);
    const revoke = () => admin.call('DELETE', `/v1/admin/access-codes/${listed[0]?.id}`);
    expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 404]);
    const log = await auditOf(db, admin.id);
    expect(log.slice(0, 3).map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'access_code.revoked SECOND-CODE',
      'access_code.created SECOND-CODE',
      'access_code.created FIRST-CODE',
    ]);
  });

  it('are listed to the first one, page by page', async () => {
    const first = await cell<number>(`SELECT coalesce(max(id), 0) + 1 FROM access_codes`);
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 201)
       INSERT INTO access_codes (code, max_uses, created_by, created_at) SELECT 'PAGED-' || i, 1, 'admin', 1 FROM n`,
    ).run();
    const listed = async (query: string) =>
      ((await admin.call('GET', `/v1/admin/access-codes${query}`)).data as { id: number }[]).map(({ id }) => id);
    const newest = await listed('');
    expect(newest).toHaveLength(200);
    expect(newest).not.toContain(first);
    expect((await listed(`?before=${newest.at(-1)}`))[0]).toBe(first);
  });

  it('name the accounts that were registered with them, newest first', async () => {
    const code = `NAMED-${crypto.randomUUID().slice(0, 8)}`.toUpperCase();
    await admin.call('POST', '/v1/admin/access-codes', { code, max_uses: 3, note: '' });
    const id = await cell<number>('SELECT id FROM access_codes WHERE code = ?', code);
    const used = () => admin.call('GET', `/v1/admin/access-codes/${id}/users`);
    expect((await used()).data).toEqual({ users: [] });
    const names = ['one', 'two'].map((name) => `${name}-${crypto.randomUUID().slice(0, 8)}`);
    for (const username of names) {
      const email = `${username}@mail.example`;
      const body = {
        username,
        password: 'long enough, and odd',
        email,
        fullname: 'A B',
        access_code: code.toLowerCase(),
      };
      expect((await caller().call('POST', '/v1/account/create', body)).status).toBe(200);
    }
    await env.DB.prepare('UPDATE users SET created_at = created_at + 1 WHERE username = ?').bind(names[1]).run();
    const { users } = (await used()).data;
    expect(users.map(({ username }: { username: string }) => username)).toEqual(names.toReversed());
    expect(users[0]).toMatchObject({ user_id: expect.any(String), verified_at: null });
    expect((await admin.call('GET', '/v1/admin/access-codes/999999/users')).status).toBe(404);
  });
});

describe('the outbox', () => {
  it('is searched by recipient, subject and state, and failed mails that match are sent again', async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    const write = (recipient: string, subject: string, attempts: number, sent: number | null) =>
      env.DB.prepare(
        `INSERT INTO outbox (reference, channel, recipient, subject, text, html, created_at, next_at, attempts, sent_at)
         VALUES (?, ?, ?, ?, '', '', 1, 1, ?, ?)`,
      ).bind(crypto.randomUUID(), recipient.includes('@') ? 'mail' : 'discord', recipient, subject, attempts, sent);
    const hooked = await signedInUser();
    await env.DB.batch([
      write(`a_${mark}@mail.example`, 'One', 22, null),
      write(`b_${mark}@mail.example`, `About ${mark}`, 22, null),
      write(`c_${mark}@mail.example`, 'Three', 0, null),
      write(`d_${mark}@mail.example`, 'Four', 1, 5),
      write(hooked.id, 'Five', 22, null),
    ]);
    const list = async (query: string) => (await admin.call('GET', `/v1/admin/outbox?${query}`)).data;
    const subjects = async (query: string) =>
      (await list(query)).mails.map(({ subject }: { subject: string }) => subject.replace(` ${mark}`, ''));
    expect(await subjects(`search=${mark.toUpperCase()}`)).toEqual(['Four', 'Three', 'About', 'One']);
    expect(await subjects(`search=about ${mark}`)).toEqual(['About']);
    expect(await subjects(`search=${hooked.username}`)).toEqual(['Five']);
    expect(await subjects(`search=${mark}&state=waiting`)).toEqual(['Three']);
    expect(await subjects(`search=${mark}&state=sent`)).toEqual(['Four']);
    expect(await subjects(`search=${mark}&state=given_up`)).toEqual(['About', 'One']);
    expect((await list(`search=${mark}&state=sent`)).failed).toBe(2);
    expect(await subjects(`search=a%25${mark}`)).toEqual([]);
    expect((await admin.call('GET', '/v1/admin/outbox?state=lost')).msg).toMatch(/^state: must be one of/);

    const again = { id: 'all', search: mark };
    expect((await admin.call('POST', '/v1/admin/outbox/again', again)).data).toEqual({ mails: 2 });
    expect((await admin.call('POST', '/v1/admin/outbox/again', again)).status).toBe(409);
    expect(await cell<number>('SELECT attempts FROM outbox WHERE recipient = ?', hooked.id)).toBe(22);
  });
});
