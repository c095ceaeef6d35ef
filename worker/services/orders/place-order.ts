import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { type Cents, centsOf, dollars, formatCents } from '../../../domain/money/money.ts';
import { unpaidSentence } from '../../../domain/money/payment.ts';
import type { placed } from '../../../domain/orders/answers.ts';
import type { OrderEntry, orderCreate } from '../../../domain/orders/contract.ts';
import { type PricedEntry, priceEntry, tooMuch } from '../../../domain/orders/entry.ts';
import { MAX_SCHEDULES, MAX_SCHEDULES_BYTES, type Recurrence, recurrenceOf } from '../../../domain/orders/schedule.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { writeOrder } from '../../models/orders/placing.ts';
import { runAtOnce } from '../../models/orders/schedule-runs.ts';
import { createSchedule, orderAtOnce } from '../../models/orders/schedules.ts';

/** A request to order and its user. */
export interface AskedOrder {
  userId: string;
  balance: Cents;
  body: z.output<typeof orderCreate>;
  /** The caller's idempotency key; a repeat returns the first order. */
  key: string | undefined;
}

type Placed = z.output<typeof placed>;

/** Checks and prices the entries. Refuses with the field at fault. */
function priced(orders: readonly OrderEntry[], readyProducts: string): PricedEntry[] {
  const entries = orders.map((entry, index) => {
    const result = priceEntry(entry, readyProducts);
    if ('flaw' in result) throw new Refusal('invalid', `orders[${index}]: ${result.flaw}`);
    if (centsOf(entry.price) !== result.price)
      throw new Refusal(
        'invalid',
        `orders[${index}]: price: this costs ${formatCents(result.price)} USD, not ${entry.price}. Please review your order.`,
      );
    return result;
  });
  const flaw = tooMuch(entries);
  if (flaw) throw new Refusal('invalid', `orders: ${flaw}`);
  return entries;
}

const keyReused = () => new Refusal('conflict', 'Idempotency-Key: was used for another order. Use a new one.');

/** A checked and priced order. */
interface Order {
  userId: string;
  balance: Cents;
  entries: readonly PricedEntry[];
  idempotencyKey: string | null;
  requestHash: string;
}

async function placeAtOnce(db: Db, order: Order): Promise<Placed> {
  const outcome = await writeOrder(db, order);
  if (outcome.outcome === 'key_reused') throw keyReused();
  if (outcome.outcome === 'unpaid') throw new Refusal('unpaid', unpaidSentence(outcome));
  const { order_id, order_uuid, total } = outcome.order;
  return { schedule_id: null, order_id, order_uuid, total: dollars(total) };
}

async function placeSchedule(db: Db, order: Order, recurrence: Recurrence, env: Env, now: number): Promise<Placed> {
  const { entries, balance: _, ...rest } = order;
  const made = await createSchedule(db, { ...rest, entries: entries.map(({ entry }) => entry), recurrence }, now);
  if (made.outcome === 'key_reused') throw keyReused();
  if (made.outcome === 'too_many')
    throw new Refusal(
      'invalid',
      `scheduleInfo: an account can have ${MAX_SCHEDULES} schedules, of ${MAX_SCHEDULES_BYTES / 1_000_000} MB in all; end one first.`,
    );
  const { schedule } = made;
  await runAtOnce(db, schedule, env.READY_PRODUCTS, now);
  const total = dollars(entries.reduce((sum, { price }) => sum + price, 0));
  return { schedule_id: schedule.id, order_id: await orderAtOnce(db, schedule), order_uuid: null, total };
}

/**
 * Places an order, or with `scheduleInfo` a schedule, which runs at once if it is due. Items that need no bots are
 * started `after` the response; if that crashes, the minute's sweep does it.
 * @throws Refusal invalid, unpaid, or conflict if the key was used for another order.
 */
export async function placeOrder(
  db: Db,
  env: Env,
  after: (work: Promise<unknown>) => void,
  { userId, balance, body, key }: AskedOrder,
  now = Date.now(),
): Promise<Placed> {
  const order: Order = {
    userId,
    balance,
    entries: priced(body.orders, env.READY_PRODUCTS),
    // Prefixed, to differ from the keys of schedule runs.
    idempotencyKey: key === undefined ? null : `client:${key}`,
    requestHash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  };
  const recurrence = recurrenceOf(body.scheduleInfo, now);
  const answer = await (recurrence ? placeSchedule(db, order, recurrence, env, now) : placeAtOnce(db, order));
  if (answer.order_id !== null && order.entries.some(({ product }) => product.kind === 'history'))
    after(callOrder(env, answer.order_id, (object) => object.begin()));
  return answer;
}
