import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import type { Miniflare } from 'miniflare';
import { afterAll, expect, test } from 'vitest';
import { productOf } from '../domain/orders/catalogue.ts';
import { tableOf } from '../domain/scans/rows.ts';
import { fetchBackup, takeBackup } from '../scripts/admin/backup.ts';
import { restoreBackup } from '../scripts/admin/restore.ts';
import { openDb } from '../worker/db/open.ts';
import { post } from '../worker/models/money/ledger.ts';
import { openPayment, paymentOfId, settlePayment } from '../worker/models/money/payments.ts';
import { transferToTeam } from '../worker/models/money/team-money.ts';
import { writeOrder } from '../worker/models/orders/placing.ts';
import { insertReferring } from '../worker/models/service/restore.ts';
import { type TableShape, tablesOf } from '../worker/models/service/tables.ts';
import { createTeam } from '../worker/models/teams/teams.ts';
import { publishSnapshot } from '../worker/services/scans/publish-snapshot.ts';
import { backUp } from '../worker/services/service/back-up.ts';
import { verifyState } from '../worker/services/service/verify-state.ts';
import { type EmptyService, openEmpty } from './support/empty-service.ts';

/** Restores automatic backups of services that were in use meanwhile. */

const NOW = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'muster-restore-'));
const opened: Miniflare[] = [];
afterAll(async () => {
  for (const miniflare of opened) await miniflare.dispose();
  rmSync(folder, { recursive: true });
});

async function open(name: string): Promise<EmptyService> {
  const service = await openEmpty(name);
  opened.push(service.miniflare);
  return service;
}

/** Runs `acts` right before the backup first reads a table. */
function during(d1: D1Database, acts: Record<string, () => Promise<unknown>>): D1Database {
  const left = new Map(Object.entries(acts));
  return new Proxy(d1, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (name !== 'prepare') return typeof own === 'function' ? own.bind(target) : own;
      return (sql: string) => {
        const statement = target.prepare(sql);
        const table = /^SELECT .* FROM "(\w+)"/.exec(sql)?.[1] ?? '';
        const act = left.get(table);
        if (!act) return statement;
        left.delete(table);
        return {
          bind: (...values: unknown[]) => ({
            raw: async () => {
              await act();
              return statement.bind(...values).raw();
            },
          }),
        };
      };
    },
  });
}

const insert = (d1: D1Database, table: string, row: Record<string, unknown>) =>
  d1
    .prepare(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
        .map(() => '?')
        .join(', ')})`,
    )
    .bind(...Object.values(row))
    .run();

const addUser = (d1: D1Database, id: string) =>
  insert(d1, 'users', {
    ...{
      id,
      username: id,
      username_key: id,
      full_name: id,
      email: `${id}@muster.test`,
      email_key: `${id}@muster.test`,
    },
    ...{ password_hash: 'x', created_at: NOW },
  });

const product = productOf('rok-kingdom-scan');
if (!product) throw new Error('the catalogue has no scan of kingdoms');
const PRICE = 200;

/** Orders 200 governors of a kingdom for 2.00. Returns the item's id. */
async function order({ db, d1 }: EmptyService, userId: string, kingdom: number): Promise<string> {
  const entry = { type: 'rok-kingdom-scan', params: { kingdoms: [String(kingdom)], governors: 200 }, price: 2 };
  const placed = await writeOrder(db, {
    userId,
    entries: [{ product: product as never, entry: entry as never, price: PRICE }],
    idempotencyKey: null,
    requestHash: '',
  });
  if (placed.outcome !== 'placed') throw new Error(placed.outcome);
  const { order_id } = placed.order;
  return (await d1.prepare('SELECT id FROM items WHERE order_id = ?').bind(order_id).first<string>('id')) ?? '';
}

/** Returns a bucket that fails the first two of equal calls, or all. */
function failing(store: EmptyService['store'], method: 'list' | 'get', isLost = false): EmptyService['store'] {
  const calls = new Map<string, number>();
  return new Proxy(store, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...args: unknown[]) => {
        if (name !== method) return own.apply(target, args);
        const call = JSON.stringify(args);
        calls.set(call, (calls.get(call) ?? 0) + 1);
        const fails = isLost || (calls.get(call) ?? 0) < 3;
        return fails ? Promise.reject(new Error('the connection was closed')) : own.apply(target, args);
      };
    },
  });
}

test('a copy repeats reads of the bucket that fail, twice each', async () => {
  const service = await open('listed');
  for (const key of ['a', 'b']) await service.store.put(`scans/${key}`, key);
  const taken = (name: string, store: EmptyService['store']) => takeBackup({ ...service, store }, join(folder, name));
  for (const method of ['list', 'get'] as const) {
    const { objects } = await taken(method, failing(service.store, method));
    expect(objects.map(({ key }) => key)).toEqual(['scans/a', 'scans/b']);
    await expect(taken(`${method}-lost`, failing(service.store, method, true))).rejects.toThrow(
      'connection was closed',
    );
  }
}, 180_000);

test('a backup of a service in use is restored without what it has only in half, and its money adds up', async () => {
  const service = await open('service');
  const { db, d1 } = service;
  await addUser(d1, 'old');
  await post(db, { userId: 'old', amount: 5000, kind: 'top_up', reference: 'first' });
  const item = await order(service, 'old', 1001);
  const opening = await openPayment(db, { userId: 'old', amount: 1000, requestKey: 'key' });
  const payment = opening.outcome === 'open' ? opening.payment : null;
  if (!payment) throw new Error('the payment was not opened');
  const busy = during(d1, {
    async snapshots() {
      await addUser(d1, 'new');
      await insert(d1, 'sessions', {
        ...{
          id: 's',
          user_id: 'new',
          created_at: NOW,
          last_seen_at: NOW,
          expires_at: NOW,
          user_agent: '',
          address: '',
        },
      });
      await post(db, { userId: 'new', amount: 700, kind: 'top_up', reference: 'new' });
      await order(service, 'new', 1002);
      await order(service, 'old', 1003);
      const teamId = await createTeam(db, { userId: 'old', address: '' } as never, 'Team');
      if (!teamId) throw new Error('the team was not made');
      expect(await transferToTeam(db, { userId: 'old', teamId, amount: 900, key: 'k' })).toBe('transferred');
      const rows = Array.from({ length: 40 }, (_, index) => ({
        ...{ governor_id: 100 + index, name: `Governor ${index}`, alliance_tag: 'A', home_kingdom: 1001 },
        ...{ power: 90_000_000 - index, highest_power: 90_000_000, deads: 1, killpoints: 2 },
      }));
      await publishSnapshot(db, service.store as never, tableOf('rok', rows), {
        ...{ kingdom_id: 1001, captured_at: NOW, source: 'bot', id: item, item_id: item, version: 1 },
        bought: { user_id: 'old', governors: 200 },
      });
    },
    async licences() {
      const [paid, asked] = [{ state: 'paid', amount: 1000, currency: 'usd' } as const, { session_id: 'cs' }];
      const rest = { payment_id: payment.id, payment_intent: 'pi', customer: null };
      expect(await settlePayment(db, payment, { ...paid, ...asked, ...rest })).toBe(true);
    },
  });
  expect(
    await backUp(
      { db: openDb({ DB: busy } as never), store: service.store as never, bucket: service.backup as never },
      NOW,
      Infinity,
    ),
  ).toBe(true);
  const kept = join(folder, 'kept');
  await fetchBackup(service, kept);
  const target = await open('target');
  // Of the new user: the session, an entry for the top-up and one for the order. Of the two new orders: the subtasks. Of
  // the new team: its member and its entry.
  expect(await restoreBackup(target, kept, { name: 'op' })).toMatchObject({ orphans: 3 + 2 * 2 + 2 });
  expect((await verifyState(target.db, target.store as never)).flaws).toEqual([]);
  const numbers = async (sql: string) => Object.values((await target.d1.prepare(sql).first()) ?? {});
  expect(await numbers(`SELECT count(*), sum(balance_cents) FROM users WHERE id IN ('old', 'new')`)).toEqual([
    1,
    5000 - PRICE + PRICE / 2,
  ]);
  expect(await numbers('SELECT count(*), sum(returned_cents) FROM items')).toEqual([1, PRICE / 2]);
  // A backup from before orders had teams.
  const shape = (await tablesOf(target.db)).find(({ name }) => name === 'orders');
  const columns = ['uuid', 'user_id', 'placed_at', 'total_cents', 'request_hash', 'entries'];
  const rows = ['old', 'new'].map((user) => [`of ${user}`, user, NOW, 0, '', '[]']);
  expect(await insertReferring(target.db, shape as TableShape, columns, rows)).toBe(1);
  expect(await numbers(`SELECT user_id, team_id FROM orders WHERE uuid LIKE 'of %'`)).toEqual(['old', null]);
  // The entry of a payment that is paid is there, so Stripe's next call credits this one.
  const restored = await paymentOfId(target.db, payment.id);
  expect(restored?.state).toBe('open');
}, 120_000);
