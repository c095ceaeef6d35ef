import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { listKeys } from '../../worker/models/accounts/api-keys.ts';
import { knownAddressStatements, listKnownAddresses } from '../../worker/models/accounts/known-addresses.ts';
import { listSessions } from '../../worker/models/accounts/sessions.ts';
import { addReport, linksOf, reportsOf } from '../../worker/models/compare/reports.ts';
import { post, statementOf } from '../../worker/models/money/ledger.ts';
import { itemsWork, listOrders, progressOfOrder, snapshotsOfOrder } from '../../worker/models/orders/orders.ts';
import { createSchedule, listSchedules } from '../../worker/models/orders/schedules.ts';
import { allShares, sharesOf } from '../../worker/models/orders/shares.ts';
import { auditOf, record } from '../../worker/models/service/audit.ts';
import { db, insertUser, scanOf, signedInUser } from './client.ts';

/** Order, ties and page size of each list of an account. */

const NOW = Date.now() + 1000 * 86_400_000;
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** Time and tiebreaker of each row, written in another order than the list's. */
const MOMENTS = [
  [2, 'b'],
  [3, 'd'],
  [1, 'a'],
  [2, 'c'],
  [3, 'e'],
] as const;

describe('listed newest first, ties by id', () => {
  const ascending = ['d', 'e', 'b', 'c', 'a'];
  const descending = ['e', 'd', 'c', 'b', 'a'];
  const suffix = (ids: readonly { id: string }[]) => ids.map(({ id }) => id.at(-1));

  it.each<[string, (user: string) => Promise<unknown>, readonly string[]]>([
    [
      'sessions',
      async (user) => {
        for (const [moment, id] of MOMENTS)
          await run(
            `INSERT INTO sessions (id, user_id, created_at, last_seen_at, expires_at, user_agent, address, two_factor)
             VALUES (?1, ?2, ?3, ?4, ?5, '', '', 0)`,
            `${user}${id}`,
            user,
            NOW - moment,
            NOW + moment,
            NOW + 1000,
          );
        return suffix(await listSessions(db, user, NOW));
      },
      ascending,
    ],
    [
      'keys',
      async (user) => {
        for (const [moment, id] of MOMENTS)
          await run(
            `INSERT INTO api_keys (id, user_id, name, prefix, key_hash, scopes, created_at) VALUES (?1, ?2, '', '', ?1, 'read', ?3)`,
            `${user}${id}`,
            user,
            NOW + moment,
          );
        return suffix(await listKeys(db, user));
      },
      ascending,
    ],
    [
      'reports',
      async (user) => {
        for (const [moment, id] of MOMENTS)
          await run(
            `INSERT INTO reports (id, user_id, name, game, ranges, settings, created_at, updated_at)
             VALUES (?1, ?2, '', 'rok', '[]', '{}', ?3, ?4)`,
            `${user}${id}`,
            user,
            NOW - moment,
            NOW + moment,
          );
        return (await reportsOf(db, user)).map(({ report_id }) => report_id.at(-1));
      },
      ascending,
    ],
    [
      'links to a report',
      async (user) => {
        const report = await addReport(db, user, 'rok', { name: '', ranges: [], settings: {} as never }, NOW);
        for (const [moment, id] of MOMENTS)
          await run(
            `INSERT INTO report_links (id, report_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)`,
            `${user}${id}`,
            report,
            user,
            NOW + moment,
            NOW + 1000,
          );
        return suffix(await linksOf(db, user, report ?? '', NOW));
      },
      ascending,
    ],
    [
      'links to results',
      async (user) => {
        for (const [moment, id] of MOMENTS)
          await run(
            `INSERT INTO share_links (id, item_id, user_id, created_at, expires_at) VALUES (?, 'none', ?, ?, ?)`,
            `${user}${id}`,
            user,
            NOW + moment,
            NOW + 1000,
          );
        expect(await allShares(db, user, NOW)).toEqual([]);
        return suffix(await sharesOf(db, user, 'none', NOW));
      },
      descending,
    ],
    [
      'addresses, at most 20',
      async (user) => {
        const seen = (address: string, at: number) => db.$client.batch(knownAddressStatements(db, user, address, at));
        for (let old = 0; old < 20; old++) await seen(`old-${String(old).padStart(2, '0')}`, NOW);
        for (const [moment, id] of MOMENTS) await seen(id, NOW + moment);
        const all = (await listKnownAddresses(db, user)).map(({ address }) => address);
        expect(all).toHaveLength(20);
        expect(all.slice(5)).toEqual(Array.from({ length: 15 }, (_, old) => `old-${String(old).padStart(2, '0')}`));
        await seen('a', NOW + 9);
        expect((await listKnownAddresses(db, user))[0]).toEqual({ address: 'a', last_seen_at: NOW + 9 });
        expect(await listKnownAddresses(db, 'nobody')).toEqual([]);
        return all.slice(0, 5);
      },
      ascending,
    ],
  ])('%s', async (_, listed, expected) => {
    const { id } = await insertUser();
    expect(await listed(id)).toEqual(expected);
  });

  it('log entries, at most 100', async () => {
    const [{ id }, { id: other }] = [await insertUser(), await insertUser()];
    for (let entry = 0; entry < 102; entry++)
      await record(db, { userId: id, actor: 'user', action: `act-${entry}` }, NOW);
    await record(db, { userId: other, actor: 'user', action: 'other' }, NOW);
    const actions = (await auditOf(db, id)).map(({ action }) => action);
    expect([actions.length, actions[0], actions.at(-1)]).toEqual([100, 'act-101', 'act-2']);
  });
});

it('filters a statement by kind, days and page, with the whole account’s balance on each line', async () => {
  const [{ id }, { id: other }] = [await insertUser(), await insertUser()];
  const day = Date.parse('2026-03-01');
  const entries = [
    [100, 'top_up', day - 1],
    [50, 'adjustment', day],
    [-30, 'charge', day + 86_400_000 - 1],
    [7, 'top_up', day + 86_400_000],
  ] as const;
  for (const [amount, kind, at] of entries)
    for (const userId of [id, other]) await post(db, { userId, amount, kind, reference: `${userId}:${at}` }, at);
  const lines = async (query: Parameters<typeof statementOf>[2], limit = 50) =>
    (await statementOf(db, id, query, limit)).map(({ amount_cents, balance_cents }) => [amount_cents, balance_cents]);
  expect(await lines({})).toEqual([
    [7, 127],
    [-30, 120],
    [50, 150],
    [100, 100],
  ]);
  expect(await lines({ kind: 'top_up' })).toEqual([
    [7, 127],
    [100, 100],
  ]);
  expect(await lines({ from: '2026-03-01', to: '2026-03-01' })).toEqual([
    [-30, 120],
    [50, 150],
  ]);
  expect(await lines({}, 1)).toEqual([[7, 127]]);
  const [first] = await statementOf(db, id, {}, 1);
  expect(await lines({ before: first?.entry_id ?? 0 }, 1)).toEqual([[-30, 120]]);
});

describe('orders', () => {
  it('are paged by 20, newest first, each with its first 100 items in order', async () => {
    const [user, other] = [await signedInUser(1_000_000), await signedInUser()];
    const kingdoms = Array.from({ length: 101 }, (_, index) => 60_000 - index);
    const order = async (who: typeof user, numbers: number[]) =>
      (await who.call('POST', '/v1/order/create', { orders: [scanOf(numbers)] })).data.order_id as number;
    const large = await order(user, kingdoms);
    await order(other, [1]);
    const small: number[] = [];
    for (let index = 0; index < 20; index++) small.push(await order(user, [100 + index]));
    const { orders: page } = await listOrders(db, user.id, {});
    expect(page.map(({ id }) => id)).toEqual(small.toReversed());
    const { orders: rest } = await listOrders(db, user.id, { before: page.at(-1)?.id });
    expect(rest.map(({ id }) => id)).toEqual([large]);
    expect(rest[0]?.item_count).toBe(101);
    expect(rest[0]?.items.map(({ kingdom_id }) => kingdom_id)).toEqual(kingdoms.slice(0, 100));
    expect(rest[0]?.standings).toEqual({ open: 101 });
    // Unfinished items come first, then by position.
    const ids = rest[0]?.items.map(({ id }) => id) ?? [];
    await run(`UPDATE items SET state = 'failed' WHERE id IN (?, ?)`, ids[0], ids[2]);
    expect((await progressOfOrder(db, large, 2)).map(({ item_id }) => item_id)).toEqual([ids[1], ids[3]]);
    const last = (await progressOfOrder(db, large, 200)).slice(-2).map(({ item_id }) => item_id);
    expect(last).toEqual([ids[0], ids[2]]);
    // The open items that follow come with it, up to the given number.
    const work = await itemsWork(db, [ids[1] as string], 2);
    expect(work.map(({ item }) => item.id).sort()).toEqual([ids[1], ids[3], ids[4]].sort());
    expect(work[0]?.subtasks.map(({ number }) => number)).toEqual([0]);
    expect((await itemsWork(db, [ids[1] as string])).map(({ item }) => item.id)).toEqual([ids[1]]);
    expect(await snapshotsOfOrder(db, large)).toEqual([]);
    expect((await listOrders(db, 'nobody', {})).orders).toEqual([]);
  });
});

describe('schedules', () => {
  it('are listed by next run, then the newest 100 that ended', async () => {
    const [{ id: userId }, { id: other }] = [await insertUser(), await insertUser()];
    const made = async (start_at: number, owner = userId) => {
      const recurrence = { start_at, end_at: null, period: 'day', interval: 1 } as const;
      const outcome = await createSchedule(
        db,
        { userId: owner, entries: [], recurrence, idempotencyKey: null, requestHash: 'h' },
        NOW,
      );
      if (outcome.outcome !== 'kept') throw new Error(outcome.outcome);
      return outcome.schedule.id;
    };
    const [late, soon, ended, alsoSoon] = [
      await made(NOW + 9),
      await made(NOW + 5),
      await made(NOW),
      await made(NOW + 5),
    ];
    await made(NOW + 1, other);
    await run(`UPDATE schedules SET state = 'ended', next_at = NULL WHERE id = ?`, ended);
    expect((await listSchedules(db, userId)).map(({ id }) => id)).toEqual([alsoSoon, soon, late, ended]);
    for (let index = 0; index < 101; index++)
      await run(
        `INSERT INTO schedules (user_id, created_at, entries, start_at, period, interval, state, request_hash)
         VALUES (?, ?, '[]', ?, 'day', 1, 'ended', '')`,
        userId,
        NOW,
        NOW,
      );
    await run(
      `INSERT INTO runs (schedule_id, due_at, outcome, created_at) VALUES (?, ?, 'unpaid', ?)`,
      ended,
      NOW,
      NOW,
    );
    await made(NOW + 20);
    const kept = (await listSchedules(db, userId)).filter(({ state }) => state === 'ended');
    expect([kept.length, kept.some(({ id }) => id === ended)]).toEqual([100, false]);
    const { results } = await env.DB.prepare('SELECT * FROM runs WHERE schedule_id = ?').bind(ended).all();
    expect(results).toEqual([]);
    expect(await listSchedules(db, other)).toHaveLength(1);
  });

  it('show their newest runs, without skipped ones', async () => {
    const { id: userId } = await insertUser();
    const recurrence = { start_at: NOW, end_at: null, period: 'day', interval: 1 } as const;
    const about = { userId, entries: [], recurrence, idempotencyKey: null, requestHash: 'h' };
    const made = await createSchedule(db, about, NOW);
    const id = made.outcome === 'kept' ? made.schedule.id : 0;
    for (let due = 0; due < 60; due++)
      await run(
        `INSERT INTO runs (schedule_id, due_at, outcome, created_at) VALUES (?, ?, ?, ?)`,
        id,
        NOW + ((due * 7) % 60),
        ((due * 7) % 60) % 2 === 0 ? 'skipped' : 'unpaid',
        NOW,
      );
    const [schedule] = await listSchedules(db, userId);
    const dues = schedule?.runs.map(({ due_at }) => due_at - NOW) ?? [];
    expect(dues).toEqual(Array.from({ length: dues.length }, (_, index) => 59 - 2 * index));
    expect(dues).toHaveLength(20);
  });
});
