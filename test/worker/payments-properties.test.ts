import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDb } from '../../worker/db/open.ts';
import { toldByWebhook } from '../../worker/gateways/stripe.ts';
import { collectLeftovers } from '../../worker/models/money/reversals.ts';
import { heed } from '../../worker/services/payments/settle-payments.ts';
import { db, scanOf, signedInUser } from './client.ts';
import { booksOfUser, happens, opens, rowsWhere, type SignedEvent, tell } from './payments-client.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

/**
 * D1 as a Worker sees it that dies at its n-th call: before the call, or after it, when the database has done it and
 * nobody hears of it.
 */
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

/** What the outside knows: what was paid at Stripe, what the service said it placed and cancelled. */
class World {
  readonly user: User;
  readonly sessions: string[] = [];
  readonly payments: { intent: string; amount: number; left: number }[] = [];
  /** Refunds and disputes, with what gives them back at Stripe. */
  readonly takings: { back: string; amount: number }[] = [];
  readonly events: SignedEvent[] = [];
  readonly orders = new Map<number, number>();
  readonly cancelled = new Set<number>();
  /** Cents that Stripe holds for this user: payments less what was taken back. */
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

/** A payment at Stripe of which the service has not been told. */
const pays = fc.tuple(fc.integer({ min: 5, max: 20 }), fc.boolean()).map(([dollars, forgotten]): Step => {
  return async (world) => {
    const session = await opens(world.user, dollars);
    // A crash between Stripe's answer and the note of it.
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

/** Any event so far, told again or for the first time, some by a Worker that dies on the way. */
const tells = fc.tuple(small, fc.option(fc.tuple(fc.nat(5), fc.boolean()), { nil: null })).map(
  ([index, death]): Step =>
    async ({ events }) => {
      const event = pick(events, index);
      if (!event) return;
      if (!death) {
        expect((await tell(event)).status).toBe(200);
        return;
      }
      const told = await toldByWebhook(env, event.body, event.signature);
      await heed(openDb(dyingAt(env.DB, ...death)), env, told).catch(() => {});
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
const orders = fc.tuple(fc.integer({ min: 1, max: 25 }), fc.nat(2)).map(
  ([kingdoms, key]): Step =>
    async (world) => {
      const body = { orders: [scanOf(Array.from({ length: kingdoms }, (_, index) => 50_000 + index))] };
      const keyed = { 'idempotency-key': `${kingdoms}-${key}` };
      const { status, data } = await world.user.call('POST', '/v1/order/create', body, keyed);
      expect([200, 402]).toContain(status);
      if (status === 200) world.orders.set(data.order_id, kingdoms * 50);
    },
);

const cancels = small.map(
  (index): Step =>
    async (world) => {
      const order = pick([...world.orders.keys()], index);
      if (order === undefined) return;
      const { status } = await world.user.call('POST', `/v1/order/${order}/cancel`);
      if (status === 200) world.cancelled.add(order);
    },
);

/** A dispute of a whole payment, or a refund of a share of what is left of it. */
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
  { arbitrary: takesBack, weight: 2 },
  { arbitrary: givesBack, weight: 1 },
  { arbitrary: sweeps, weight: 1 },
);

/** Rounds of steps that run at the same moment. */
const story = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 12, maxLength: 16 });

const strayRows = () =>
  rowsWhere(`
    SELECT 'order without its charge' AS what, uuid AS which FROM orders WHERE NOT EXISTS (SELECT 1 FROM ledger_entries
      WHERE reference = 'order:' || uuid AND user_id = orders.user_id AND amount_cents = -total_cents)
    UNION ALL SELECT 'charge without its order', reference FROM ledger_entries
      WHERE kind = 'charge' AND substr(reference, 7) NOT IN (SELECT uuid FROM orders)
    UNION ALL SELECT 'items that do not add up', uuid FROM orders
      WHERE total_cents <> (SELECT sum(price_cents) FROM items WHERE order_id = orders.id)
    UNION ALL SELECT 'paid but not credited', id FROM payments
      WHERE state = 'paid' AND 'payment:' || id NOT IN (SELECT reference FROM ledger_entries)
    UNION ALL SELECT 'taken back wrongly', id FROM reversals WHERE covered_cents > amount_cents OR covered_cents <>
      (SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries WHERE reference LIKE 'reversal:' || reversals.id || ':%')`);

describe('whatever happens, in whatever order', () => {
  it('every cent is explained and no balance is below zero', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (rounds) => {
        const world = new World(await signedInUser(0));
        for (const round of rounds) {
          await Promise.all(round.map((each) => each(world)));
          const { balance, sum, least } = await booksOfUser(world.user.id);
          expect(balance).toBe(sum);
          expect(least).toBeGreaterThanOrEqual(0);
        }
        // Late as it may be, in the end Stripe tells everything.
        for (const event of world.events.toReversed()) expect((await tell(event)).status).toBe(200);
        await collectLeftovers(db);
        expect(await strayRows()).toEqual([]);

        const { balance, sum, least } = await booksOfUser(world.user.id);
        const uncovered = (await world.user.call('GET', '/v1/account/balance')).data.uncovered * 100;
        const bought = [...world.orders].reduce(
          (cents, [id, price]) => cents + (world.cancelled.has(id) ? 0 : price),
          0,
        );
        expect({ balance, least: least < 0 }).toEqual({ balance: sum, least: false });
        expect(balance - Math.round(uncovered)).toBe(world.atStripe - bought);
        expect(Math.min(balance, uncovered)).toBe(0);
      }),
      { seed: 4, numRuns: 12, interruptAfterTimeLimit: 20_000, endOnFailure: true },
    );
  }, 60_000);
});
