import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { RETURN_AFTER_MS } from '../../domain/orders/order.ts';
import { openDb } from '../../worker/db/open.ts';
import { readEvent, readMeaning } from '../../worker/gateways/stripe-events.ts';
import { giveUpUndelivered } from '../../worker/services/orders/give-up-undelivered.ts';
import { collectLeftovers } from '../../worker/services/payments/adjust-balance.ts';
import { handleStripeEvent } from '../../worker/services/payments/take-webhook.ts';
import { eventually } from '../support/eventually.ts';
import { bot, columnsFor, db, fireCron, scanOf, signedInUser } from './client.ts';
import { booksOfUser, happens, opens, rowsWhere, type SignedEvent, tell } from './payments-client.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

/** D1 for a Worker that dies at its n-th call: before the call, or after the database has done it. */
function dyingAt(client: D1Database, call: number, after: boolean): D1Database {
  let calls = 0;
  const dies = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const last = calls++ === call;
    if (last && !after) throw new Error('the Worker died');
    const answer = await work();
    if (last) throw new Error('the Worker died');
    return answer;
  };
  const RUNS = new Set(['run', 'all', 'first', 'raw']);
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values));
        if (name === 'inner') return target;
        if (!RUNS.has(String(name))) return typeof value === 'function' ? value.bind(target) : value;
        return (...args: unknown[]) => dies(() => value.apply(target, args));
      },
    });
  const bare = (statement: D1PreparedStatement) => (statement as unknown as { inner?: D1PreparedStatement }).inner;
  return {
    prepare: (sql: string) => wrap(client.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      dies(() => client.batch(statements.map((each) => bare(each) ?? each))),
  } as unknown as D1Database;
}

/** State outside of the service: payments at Stripe, and confirmed orders. */
class World {
  readonly user: User;
  readonly sessions: string[] = [];
  readonly payments: { intent: string; amount: number; left: number }[] = [];
  /** Refunds and disputes, with the call that undoes them at Stripe. */
  readonly takings: { back: string; amount: number }[] = [];
  readonly events: SignedEvent[] = [];
  readonly orders = new Set<number>();
  /** Cents that Stripe holds for this user: payments less reversals. */
  atStripe = 0;

  constructor(user: User) {
    this.user = user;
  }

  note(events: SignedEvent[]): void {
    this.events.push(...events);
  }
}

const pick = <Thing>(things: readonly Thing[], index: number): Thing | undefined =>
  things.length ? things[index % things.length] : undefined;

type Step = (world: World) => Promise<void>;

const small = fc.nat(1000);

/** A payment at Stripe that the service does not know of yet. */
const pays = fc.tuple(fc.integer({ min: 5, max: 20 }), fc.boolean()).map(([dollars, forgotten]): Step => {
  return async (world) => {
    const session = await opens(world.user, dollars);
    // A crash between Stripe's answer and its storage.
    if (forgotten)
      await env.DB.prepare('UPDATE payments SET session_id = NULL WHERE session_id = ?').bind(session).run();
    const events = await happens(`sessions/${session}/pay`);
    world.sessions.push(session);
    const { payment_intent: intent } = JSON.parse(events[0]?.body ?? '').data.object;
    world.payments.push({ intent, amount: dollars * 100, left: dollars * 100 });
    world.atStripe += dollars * 100;
    world.note(events);
  };
});

/** Any event so far, repeated or for the first time, sometimes to a Worker that dies midway. */
const tells = fc.tuple(small, fc.option(fc.tuple(fc.nat(5), fc.boolean()), { nil: null })).map(
  ([index, death]): Step =>
    async ({ events }) => {
      const event = pick(events, index);
      if (!event) return;
      if (!death) {
        expect((await tell(event)).status).toBe(200);
        return;
      }
      const told = readMeaning(readEvent(event.body));
      await handleStripeEvent(openDb({ DB: dyingAt(env.DB, ...death) }), env, told).catch(() => {});
    },
);

const asks = small.map(
  (index): Step =>
    async ({ user, sessions }) => {
      const session_id = pick(sessions, index);
      if (session_id) expect((await user.call('POST', '/v1/payment/status', { session_id })).status).toBe(200);
    },
);

/** An order, often a repeat of one under the same key. */
const orders = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }), fc.nat(2)).map(
  ([kingdoms, hundreds, key]): Step =>
    async (world) => {
      const scan = scanOf(
        Array.from({ length: kingdoms }, (_, index) => 50_000 + index),
        hundreds * 100,
      );
      const keyed = { 'idempotency-key': `${kingdoms}-${hundreds}-${key}` };
      const { status, data } = await world.user.call('POST', '/v1/order/create', { orders: [scan] }, keyed);
      expect([200, 402]).toContain(status);
      if (status === 200) world.orders.add(data.order_id);
    },
);

/** Cancels the items without results of an order, or only its first item. */
const cancels = fc.tuple(small, fc.boolean()).map(
  ([index, whole]): Step =>
    async ({ user, orders }) => {
      const order = pick([...orders], index);
      if (order === undefined) return;
      const [first] = await rowsWhere<{ id: string }>('SELECT id FROM items WHERE order_id = ? LIMIT 1', order);
      const { status } = await user.call('POST', `/v1/order/${whole ? order : first?.id}/cancel`);
      expect([200, 409]).toContain(status);
    },
);

const repairs = small.map(
  (index): Step =>
    async ({ user, orders }) => {
      const order = pick([...orders], index);
      if (order !== undefined)
        expect([200, 409, 429]).toContain((await user.call('POST', `/v1/order/${order}/repair`)).status);
    },
);

/** Bots hand in whole subtasks, parts of one, empty kingdoms or a failure; some twice. */
const works = fc.array(fc.tuple(fc.constantFrom(100, 100, 99, 1, 0, 'down'), fc.boolean()), { maxLength: 5 }).map(
  (outcomes): Step =>
    async () => {
      const worker = await bot();
      const wish = { bot_id: worker.name, games: ['rok'], count: 5 };
      const tasks: Task[] = (await worker.call('POST', '/v1/fleet/lease', wish)).data.tasks;
      for (const [index, task] of tasks.entries()) {
        const [rows, twice] = outcomes[index] ?? [100, false];
        const claim = { subtask_id: task.subtask_id, lease: task.lease };
        const hand = () =>
          typeof rows === 'string'
            ? worker.call('POST', '/v1/fleet/fail', { bot_id: worker.name, ...claim, reason: rows, permanent: true })
            : worker.call('POST', '/v1/fleet/rows', {
                bot_id: worker.name,
                results: [
                  {
                    ...claim,
                    captured_at: Date.now(),
                    source: 'made up',
                    columns: columnsFor(task, task.from_rank - 1 + rows),
                  },
                ],
              });
        await Promise.all(twice ? [hand(), hand()] : [hand()]);
      }
    },
);

/** A day later, what could not be read is refunded. */
const givesUp = fc.constant<Step>(async () => {
  await giveUpUndelivered(env, db, Date.now() + RETURN_AFTER_MS);
});

/** Ends all work: cancels what bots have not begun, and gives up what they could not read. */
async function comesToAnEnd({ user, orders }: World): Promise<void> {
  for (const order of orders) await user.call('POST', `/v1/order/${order}/cancel`);
  const moving = `SELECT count(*) AS n FROM items JOIN orders ON orders.id = order_id
    WHERE user_id = ? AND state IN ('open', 'finishing')`;
  for (const _ of [1, 2]) {
    // An item under repair cannot be cancelled, and its bots never return.
    await rowsWhere(`UPDATE subtasks SET state = 'leased', attempts = 5, lease_until = 0
      WHERE state IN ('waiting', 'leased')`);
    await fireCron('* * * * *');
    await eventually(async () => expect(await rowsWhere(moving, user.id)).toEqual([{ n: 0 }]));
    await giveUpUndelivered(env, db, Date.now() + RETURN_AFTER_MS);
  }
}

/** A dispute of a whole payment, or a refund of a share of its rest. */
const takesBack = fc.tuple(small, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })).map(
  ([index, disputed, share]): Step =>
    async (world) => {
      const payment = pick(world.payments, index);
      if (!payment || payment.left === 0) return;
      const whole = disputed && payment.left === payment.amount;
      const amount = whole ? payment.left : Math.ceil(payment.left * share) || 1;
      payment.left -= amount;
      world.atStripe -= amount;
      const events = await happens(
        whole ? `intents/${payment.intent}/dispute` : `intents/${payment.intent}/refund?amount=${amount}`,
      );
      const { id } = JSON.parse(events[0]?.body ?? '').data.object;
      world.takings.push({ back: whole ? `disputes/${id}/win` : `refunds/${id}/fail`, amount });
      world.note(events);
    },
);

const givesBack = small.map(
  (index): Step =>
    async (world) => {
      const taking = pick(world.takings, index);
      if (!taking) return;
      const events = await happens(taking.back);
      if (events.length > 0) world.atStripe += taking.amount;
      world.note(events);
    },
);

const sweeps = fc.constant<Step>(async () => {
  await collectLeftovers(db);
});

const step = fc.oneof(
  { arbitrary: pays, weight: 3 },
  { arbitrary: tells, weight: 5 },
  { arbitrary: asks, weight: 2 },
  { arbitrary: orders, weight: 4 },
  { arbitrary: cancels, weight: 2 },
  { arbitrary: works, weight: 5 },
  { arbitrary: repairs, weight: 1 },
  { arbitrary: givesUp, weight: 1 },
  { arbitrary: takesBack, weight: 2 },
  { arbitrary: givesBack, weight: 1 },
  { arbitrary: sweeps, weight: 1 },
);

/** Rounds of steps that run at the same time. */
const story = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 12, maxLength: 16 });

/** Rows that must not exist; D1 allows no more than five parts in one query. */
const STRAY: readonly string[] = [
  `SELECT 'order without its charge' AS what, uuid AS which FROM orders WHERE NOT EXISTS (SELECT 1 FROM
     ledger_entries WHERE reference = 'order:' || uuid AND user_id = orders.user_id AND amount_cents =
     -total_cents)`,
  `SELECT 'charge without its order', reference FROM ledger_entries WHERE kind = 'charge' AND substr(reference,
     7) NOT IN (SELECT uuid FROM orders)`,
  `SELECT 'returns that the items do not say', uuid FROM orders WHERE (SELECT sum(returned_cents) FROM items
     WHERE order_id = orders.id) <> ( SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE kind =
     'return' AND user_id = orders.user_id AND substr(reference, 1, 44) = 'return:' || uuid || ':')`,
  `SELECT 'return of no order', reference FROM ledger_entries WHERE kind = 'return' AND substr(reference, 8,
     36) NOT IN (SELECT uuid FROM orders)`,
  `SELECT 'cancelled but not paid back', id FROM items WHERE state = 'cancelled' AND returned_cents <>
     price_cents`,
  `SELECT 'items that do not add up', uuid FROM orders WHERE total_cents <> (SELECT sum(price_cents) FROM items
     WHERE order_id = orders.id)`,
  `SELECT 'paid but not credited', id FROM payments WHERE state = 'paid' AND 'payment:' || id NOT IN (SELECT
     reference FROM ledger_entries)`,
  `SELECT 'taken back wrongly', id FROM reversals WHERE covered_cents > amount_cents OR covered_cents <>
     (SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries WHERE reference LIKE 'reversal:' || reversals.id
     || ':%')`,
];

const strayRows = async () => (await Promise.all(STRAY.map((sql) => rowsWhere(sql)))).flat();

/** Finds sequences of steps, repeats and crashes that lose or create a cent. */

describe('any sequence of steps, repeats and crashes', () => {
  it('leaves every cent explained and no balance below zero', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (rounds) => {
        const world = new World(await signedInUser(0));
        for (const round of rounds) {
          await Promise.all(round.map((each) => each(world)));
          const { balance, sum, least } = await booksOfUser(world.user.id);
          expect(balance).toBe(sum);
          expect(least).toBeGreaterThanOrEqual(0);
        }
        // In the end Stripe delivers every event, however late.
        for (const event of world.events.toReversed()) expect((await tell(event)).status).toBe(200);
        await comesToAnEnd(world);
        await collectLeftovers(db);
        expect(await strayRows()).toEqual([]);

        const { balance, sum, least } = await booksOfUser(world.user.id);
        const uncovered = (await world.user.call('GET', '/v1/account/balance')).data.uncovered * 100;
        // A customer has paid for each hundred governors received, and for nothing else.
        const got = await rowsWhere<{ rows: number }>(
          `SELECT snapshots.rows FROM items JOIN orders ON orders.id = items.order_id
           JOIN snapshots ON snapshots.id = items.snapshot_id WHERE orders.user_id = ?`,
          world.user.id,
        );
        const bought = got.reduce((cents, { rows }) => cents + 50 * Math.ceil(rows / 100), 0);
        expect({ balance, least: least < 0 }).toEqual({ balance: sum, least: false });
        expect(balance - Math.round(uncovered)).toBe(world.atStripe - bought);
        expect(Math.min(balance, uncovered)).toBe(0);
      }),
      { seed: 4, numRuns: 6, endOnFailure: true },
    );
  }, 120_000);
});
