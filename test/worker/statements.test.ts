import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { dueAlerts, lookAtBalance } from '../../worker/models/money/alerts.ts';
import { db, fireCron, type Person, person, signedInUser } from './client.ts';

/** A user's statement as pages and as a file, with warnings and adjustments. */

const adjusted = (admin: Person, { username }: Person, headers: Record<string, string> = {}) =>
  admin.call('POST', '/v1/admin/adjustments', { username, amount: 1, reason: 'For a test' }, headers);
const balanceOf = async (user: Person): Promise<number> => (await user.call('GET', '/v1/account/balance')).data.balance;

it('comes in pages of fifty lines, and as a file with all of them', async () => {
  const user = await signedInUser(0);
  await env.DB.batch(
    Array.from({ length: 52 }, (_, line) =>
      env.DB.prepare(
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, created_at) VALUES (?1, 1, 'adjustment', ?2, ?3)`,
      ).bind(user.id, `statement:${user.id}:${line}`, line),
    ),
  );
  const page = async (before = '') => (await user.call('GET', `/v1/account/statement${before}`)).data;
  const first = await page();
  expect([first.lines.length, first.next]).toEqual([50, first.lines[49].entry_id]);
  const second = await page(`?before=${first.next}`);
  expect([second.lines.length, second.next]).toEqual([2, null]);
  const file = await user.fetch('/v1/account/statement/download');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
  expect((await file.text()).trim().split('\r\n')).toHaveLength(1 + 52);
});

it('as a file has every entry of a long ledger, oldest last', async () => {
  const user = await signedInUser(0);
  await env.DB.prepare(
    `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, created_at)
     WITH RECURSIVE line(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM line WHERE at < 50001)
     SELECT ?1, 1, 'adjustment', 'long:' || ?1 || ':' || at, at * 1000 FROM line`,
  )
    .bind(user.id)
    .run();
  const rows = (await (await user.fetch('/v1/account/statement/download')).text()).trimEnd().split('\r\n').slice(1);
  expect(rows).toHaveLength(50_001);
  const [newest, oldest] = [rows[0], rows.at(-1)].map((row) => row?.split(','));
  expect([newest?.[0], newest?.[3]]).toEqual([new Date(50_001_000).toISOString(), '500.01']);
  expect([oldest?.[0], oldest?.[3]]).toEqual([new Date(1000).toISOString(), '0.01']);
  const balances = rows.map((row) => row.split(',')[3]);
  expect(new Set(balances).size).toBe(50_001);
});

it('a warning threshold can be set in dollars, and removed', async () => {
  const user = await person();
  const set = async (threshold: number | null) =>
    (await user.call('POST', '/v1/account/low-balance', { threshold })).data.threshold;
  expect([await set(2.5), await set(null)]).toEqual([2.5, null]);
});

const warnings = async ({ id }: Person) =>
  (
    await env.DB.prepare(`SELECT subject FROM outbox WHERE reference GLOB 'low-balance:' || ? || ':*'`)
      .bind(id)
      .all<{ subject: string }>()
  ).results.length;

it('a warning that was switched off and on again is sent for the next low balance', async () => {
  const user = await signedInUser(300);
  const set = (threshold: number | null) => user.call('POST', '/v1/account/low-balance', { threshold });
  const admin = await person({ role: 'admin' });
  await set(5);
  await fireCron('* * * * *');
  expect(await warnings(user)).toBe(1);
  await set(null);
  await adjusted(admin, user);
  await set(5);
  await fireCron('* * * * *');
  expect(await warnings(user)).toBe(2);
});

it('a threshold that changes while the balance is checked stays unchecked, and an old check mails nothing', async () => {
  const user = await signedInUser(300);
  const set = (threshold: number) => user.call('POST', '/v1/account/low-balance', { threshold });
  await set(5);
  const due = (await dueAlerts(db, Date.now())).find(({ user_id }) => user_id === user.id);
  if (!due) throw new Error('the balance is due');
  await set(2);
  await lookAtBalance(db, due, 'http://muster.test', Date.now());
  expect(await warnings(user)).toBe(0);
  expect((await dueAlerts(db, Date.now())).map(({ user_id }) => user_id)).toContain(user.id);
});

it('adjustments without a key are separate, and under one key the same', async () => {
  const [admin, user] = [await person({ role: 'admin' }), await person()];
  for (let times = 0; times < 2; times++) expect((await adjusted(admin, user)).status).toBe(200);
  expect(await balanceOf(user)).toBe(2);
  for (let times = 0; times < 2; times++) await adjusted(admin, user, { 'idempotency-key': 'adjusted-once' });
  expect(await balanceOf(user)).toBe(3);
});

it('an adjustment under a used key with another amount, user or reason is refused', async () => {
  const [admin, user, other] = [await person({ role: 'admin' }), await person(), await person()];
  const adjust = (about: object) =>
    admin.call(
      'POST',
      '/v1/admin/adjustments',
      { username: user.username, amount: 1, reason: 'A gift.', ...about },
      { 'idempotency-key': 'used' },
    );
  expect((await adjust({})).data).toEqual({ adjusted: true });
  for (const changed of [{ amount: 2 }, { amount: -1 }, { username: other.username }, { reason: 'A debt.' }])
    expect(await adjust(changed)).toMatchObject({
      status: 409,
      msg: 'Idempotency-Key: was used for another adjustment. Use a new one.',
    });
  expect((await adjust({})).data).toEqual({ adjusted: false });
  expect([await balanceOf(user), await balanceOf(other)]).toEqual([1, 0]);
});
