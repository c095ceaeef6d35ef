import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { idempotent } from '../../domain/idempotency-key.ts';
import { centsOf, dollars, formatCents } from '../../domain/money/money.ts';
import { unpaidSentence } from '../../domain/money/payment.ts';
import { cancelled as cancelledAnswer, orderEntries, placed, repaired, reported } from '../../domain/orders/answers.ts';
import { issueReport, MAX_ORDER_BYTES, type OrderEntry, orderCreate } from '../../domain/orders/contract.ts';
import { type KeptEntry, type PricedEntry, priceEntry, shownEntry, tooMuch } from '../../domain/orders/entry.ts';
import { type OrderAction, orderRefusal } from '../../domain/orders/order.ts';
import { MAX_SCHEDULES, MAX_SCHEDULES_BYTES, recurrenceOf } from '../../domain/orders/schedule.ts';
import { isBad, type Quality } from '../../domain/scans/quality.ts';
import { answer } from '../answer.ts';
import type { Db } from '../db/open.ts';
import type { Env } from '../env.ts';
import { notFound, Refusal } from '../errors.ts';
import { wholeTable } from '../files/parquet.ts';
import { openStored } from '../gateways/snapshot-store.ts';
import { answers } from '../middleware/answers.ts';
import { limitBody } from '../middleware/body.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, licensed, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { cancelItems } from '../models/orders/cancellations.ts';
import { itemOf, orderOf, standingsOf } from '../models/orders/orders.ts';
import { placeOrder } from '../models/orders/placing.ts';
import { repairableItems, repairItem } from '../models/orders/repairs.ts';
import { fileReport, MAX_OPEN_REPORTS } from '../models/orders/reports.ts';
import { runAtOnce } from '../models/orders/schedule-runs.ts';
import { createSchedule, orderAtOnce, scheduleUnderKey } from '../models/orders/schedules.ts';

/** The entries checked and priced, or a refusal that says what is wrong in which field. */
function priced(orders: readonly OrderEntry[], env: Env): PricedEntry[] {
  const entries = orders.map((entry, index) => {
    const result = priceEntry(entry, env.READY_PRODUCTS);
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

/** The item that an id names, or null where it is the number of an order. */
const itemIn = (id: string): string | null => (/^\d+$/.test(id) ? null : id);

/** The order that an id stands for: its own, or that of the item. */
async function orderIdOf(context: Context<UserEnv>, id: string): Promise<number> {
  const [db, userId] = [context.get('db'), context.get('user').id];
  if (itemIn(id) === null) {
    const order = await orderOf(db, userId, Number(id));
    if (!order) throw notFound('order');
    return order.id;
  }
  const found = await itemOf(db, userId, id);
  if (!found) throw notFound('item');
  return found.item.order_id;
}

/** Why an action that found nothing to do is refused to an order, or to one item of it. */
async function refusedTo(db: Db, action: OrderAction, orderId: number, itemId: string | null): Promise<Refusal> {
  const standings = (await standingsOf(db, [orderId], itemId)).get(orderId) ?? {};
  const sentence = orderRefusal(action, standings);
  return new Refusal('conflict', sentence ?? 'The order changed just now. Please look again.');
}

/** Where the badly read rows of a snapshot are, by their places in it. */
async function badRowsOf(env: Env, key: string | null, quality: string | null): Promise<number[]> {
  const counts = JSON.parse(quality ?? '{}') as Partial<Record<Quality, number>>;
  if (key === null || !Object.keys(counts).some((each) => isBad(each as Quality))) return [];
  const { quality: marks } = (await wholeTable(await openStored(env.STORE, key), ['quality'])).texts;
  return (marks ?? []).flatMap((mark, row) => (mark === null ? [] : row));
}

/** Takes up at once what needs no bots. A crash before this only means that the minute's sweep does it. */
function beginStored(context: Context<UserEnv>, orderId: number, entries: readonly PricedEntry[]): void {
  if (!entries.some(({ product }) => product.kind === 'history')) return;
  context.executionCtx.waitUntil(context.env.ORDER_PROGRESS.getByName(String(orderId)).begin());
}

const limitOrder = limitBody(MAX_ORDER_BYTES, 'An order');
const reportsPerUser = limitedByUser('REPORT_USER');
const ordersPerUser = limitedByUser('ORDER_USER');

export const ordering = new Hono<UserEnv>({ strict: false })
  .post(
    '/order/create',
    keyScope('order'),
    signedIn,
    licensed,
    ordersPerUser,
    limitOrder,
    validate('header', idempotent),
    validate('json', orderCreate),
    answers(placed),
    async (context) => {
      const body = context.req.valid('json');
      const [db, userId, now] = [context.get('db'), context.get('user').id, Date.now()];
      const entries = priced(body.orders, context.env);
      const key = context.req.valid('header')['idempotency-key'];
      // Set apart from the keys that schedules give their runs.
      const idempotencyKey = key === undefined ? null : `client:${key}`;
      const recurrence = recurrenceOf(body.scheduleInfo, now);
      const requestHash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
      if (recurrence) {
        const made = await createSchedule(
          db,
          { userId, entries: entries.map(({ entry }) => entry), recurrence, idempotencyKey, requestHash },
          now,
        );
        if (made.outcome === 'key_reused') throw keyReused();
        if (made.outcome === 'too_many')
          throw new Refusal(
            'invalid',
            `scheduleInfo: an account can have ${MAX_SCHEDULES} schedules, of ${MAX_SCHEDULES_BYTES / 1_000_000} MB in all; end one first.`,
          );
        const { schedule } = made;
        await runAtOnce(db, schedule, context.env.READY_PRODUCTS, now);
        const total = dollars(entries.reduce((sum, { price }) => sum + price, 0));
        const order_id = await orderAtOnce(db, schedule);
        if (order_id !== null) beginStored(context, order_id, entries);
        return answer(context, { schedule_id: schedule.id, order_id, order_uuid: null, total });
      }
      if (idempotencyKey !== null && (await scheduleUnderKey(db, userId, idempotencyKey))) throw keyReused();
      const outcome = await placeOrder(db, { userId, entries, idempotencyKey, requestHash });
      if (outcome.outcome === 'key_reused') throw keyReused();
      if (outcome.outcome === 'unpaid') throw new Refusal('unpaid', unpaidSentence(outcome));
      const { order_id, order_uuid, total } = outcome.order;
      beginStored(context, order_id, entries);
      return answer(context, { schedule_id: null, order_id, order_uuid, total: dollars(total) });
    },
  )
  .get('/order/:id/entries', keyScope('read'), signedIn, answers(orderEntries), async (context) => {
    const orderId = await orderIdOf(context, context.req.param('id'));
    const order = await orderOf(context.get('db'), context.get('user').id, orderId);
    return answer(context, { entries: (JSON.parse(order?.entries ?? '[]') as KeptEntry[]).map(shownEntry) });
  })
  .post('/order/:id/cancel', keyScope('order'), signedIn, answers(cancelledAnswer), async (context) => {
    const id = context.req.param('id');
    const [db, orderId] = [context.get('db'), await orderIdOf(context, id)];
    const itemId = itemIn(id);
    const cancelled = await cancelItems(db, { orderId, userId: context.get('user').id, itemId });
    if (!cancelled) throw await refusedTo(db, 'cancel', orderId, itemId);
    await context.env.ORDER_PROGRESS.getByName(String(orderId)).cancel(cancelled.items);
    return answer(context, { cancelled: cancelled.items.length, returned: dollars(cancelled.returned) });
  })
  .post('/order/:id/repair', keyScope('order'), signedIn, answers(repaired), async (context) => {
    const id = context.req.param('id');
    const [db, orderId] = [context.get('db'), await orderIdOf(context, id)];
    const itemId = itemIn(id);
    const items = (await repairableItems(db, orderId)).filter(({ item_id }) => itemId === null || item_id === itemId);
    if (items.length === 0) throw await refusedTo(db, 'repair', orderId, itemId);
    let requeued = 0;
    let tooSoon = 0;
    for (const { item_id, key, quality } of items) {
      const put = await repairItem(db, { item_id, badRows: await badRowsOf(context.env, key, quality) });
      if (put) await context.env.ORDER_PROGRESS.getByName(String(orderId)).reconcile(item_id);
      requeued += put ?? 0;
      if (put === null) tooSoon += 1;
    }
    if (requeued === 0 && tooSoon > 0)
      throw new Refusal('too_many', 'This was repaired within the last ten minutes. Please try again later.');
    return answer(context, {
      requeued,
      msg: requeued > 0 ? 'Work on it has begun again.' : 'Nothing is missing and every row was read well.',
    });
  })
  .post(
    '/order/:id/report',
    signedIn,
    reportsPerUser,
    validate('json', issueReport),
    answers(reported),
    async (context) => {
      const orderId = await orderIdOf(context, context.req.param('id'));
      const report = context.req.valid('json');
      if (report.item_id && (await orderIdOf(context, report.item_id)) !== orderId)
        throw notFound('item in this order');
      const user = context.get('user');
      const id = await fileReport(context.get('db'), { user, orderId, report, support: context.env.SUPPORT_EMAIL });
      if (id === null)
        throw new Refusal(
          'conflict',
          `${MAX_OPEN_REPORTS} reports of yours wait for an answer. Please write again when we have answered one.`,
        );
      return answer(context, { report_id: id });
    },
  );
