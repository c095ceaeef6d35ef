import type * as z from 'zod';
import { counted } from '../../../domain/figures.ts';
import { dollars } from '../../../domain/money/money.ts';
import type { moneyReturn, OrderAct, orderActed } from '../../../domain/orders/admin-contract.ts';
import { refusalOf } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { cancelItems } from '../../models/orders/cancellations.ts';
import { repairableItems, repairItem } from '../../models/orders/repairs.ts';
import { endItemEarly, retryItems, returnByHand } from '../../models/orders/support-acts.ts';
import { type ActedOrder, orderSubject, orderToAct } from '../../models/orders/whole-order.ts';
import type { AuditEntry } from '../../models/service/audit.ts';
import { type Caller, proveFactor } from '../accounts/prove-person.ts';
import { badRowsOf } from './change-order.ts';

/** What admins do to a customer's order. Each act is logged with its reason. */

interface Acting {
  db: Db;
  env: Env;
  orderId: number;
  userId: string;
  /** The affected items that the order's page shows. */
  items: ActedOrder['items'];
  itemId: string | null;
  entryOf: (itemId: string | null) => AuditEntry;
}

const shown = ({ state, snapshot_id, subtask_count }: ActedOrder['items'][number]) => ({
  ...{ state, subtask_count },
  has_results: snapshot_id !== null,
});

/** Puts unfinished subtasks back into the queue. Returns the number of items changed. */
async function retry({ db, env, orderId, itemId, entryOf }: Acting): Promise<number> {
  const changed = await retryItems(db, { orderId, itemId }, entryOf(itemId));
  if (changed === 0) throw new Refusal('conflict', 'Bots work on none of these items. Repair reads failed ones again.');
  await callOrder(env, orderId, (object) => object.retry());
  return changed;
}

async function repair({ db, env, orderId, items, itemId, entryOf }: Acting): Promise<number> {
  const asked = new Set(items.map(({ id }) => id));
  const repairable = (await repairableItems(db, orderId)).filter(({ item_id }) => asked.has(item_id));
  let changed = 0;
  for (const item of repairable) {
    const badRows = await badRowsOf(env.STORE, item, itemId !== null);
    if (!(await repairItem(db, { item, badRows, byAdmin: entryOf(item.item_id) }))) continue;
    await callOrder(env, orderId, (object) => object.lookAgain(item.item_id));
    changed++;
  }
  if (changed > 0) return changed;
  const reason = items.map((item) => refusalOf('repair', shown(item))).find((each) => each !== null);
  throw new Refusal('conflict', reason ?? 'Nothing is missing and every row was read correctly.');
}

async function cancel({ db, env, orderId, userId, items, itemId, entryOf }: Acting): Promise<number> {
  const cancelled = await cancelItems(db, { orderId, itemId, userId, byAdmin: entryOf(itemId) });
  if (!cancelled) {
    const reason = items.map((item) => refusalOf('cancel', shown(item))).find((each) => each !== null);
    throw new Refusal('conflict', reason ?? 'The order changed just now. Please look again.');
  }
  await callOrder(env, orderId, (object) => object.cancel(cancelled.items));
  return cancelled.items.length;
}

async function finish({ db, env, orderId, items, entryOf }: Acting): Promise<number> {
  let changed = 0;
  for (const { id } of items) {
    if ((await endItemEarly(db, id, entryOf(id))) === 0) continue;
    await callOrder(env, orderId, (object) => object.lookAgain(id));
    changed++;
  }
  if (changed === 0)
    throw new Refusal('conflict', 'No rows have arrived for an item that bots work on: cancel it instead.');
  return changed;
}

const ACTS: Record<OrderAct, { act: (acting: Acting) => Promise<number>; done: string }> = {
  retry: { act: retry, done: 'back in the queue, for any bot.' },
  repair: { act: repair, done: 'being read again.' },
  cancel: { act: cancel, done: 'cancelled. The price is back in the balance.' },
  finish: { act: finish, done: 'being finished with the rows that have arrived.' },
};

async function orderAsked(db: Db, orderId: number, itemId: string | null): Promise<ActedOrder> {
  const order = await orderToAct(db, orderId, itemId);
  if (!order) throw notFound('order');
  if (order.items.length === 0) throw notFound('item in this order');
  return order;
}

const entryFor =
  (
    admin: { id: string; address: string },
    orderId: number,
    { user_id, items }: ActedOrder,
    act: string,
    detail: object,
  ) =>
  (item: string | null): AuditEntry => {
    const before = items.filter(({ id }) => item === null || id === item).map(({ state }) => state);
    return {
      userId: user_id,
      actor: `admin:${admin.id}`,
      action: `order.${act}`,
      subject: orderSubject(orderId),
      detail: { ...detail, item, before: { states: before.slice(0, 20) } },
      address: admin.address,
    };
  };

/**
 * Retries, repairs, cancels or ends an order's items.
 * @throws Refusal not_found, or conflict with the reason if no item allows it.
 */
export async function supportOrder(
  db: Db,
  env: Env,
  admin: { id: string; address: string },
  { orderId, act, item_id, reason }: { orderId: number; act: OrderAct; item_id: string | null; reason: string },
): Promise<z.infer<typeof orderActed>> {
  const order = await orderAsked(db, orderId, item_id);
  const { items, user_id: userId } = order;
  const entryOf = entryFor(admin, orderId, order, act, { reason });
  const changed = await ACTS[act].act({ db, env, orderId, userId, items, itemId: item_id, entryOf });
  return { items: changed, msg: `${counted(changed, 'item')} ${ACTS[act].done}` };
}

/**
 * Returns money for an item after the admin's second factor was proved. Returns what has returned in all, in dollars.
 * @throws Refusal not_found, forbidden for a wrong code, or conflict if it is more than was paid or the key was used for
 * another amount.
 */
export async function returnMoney(
  db: Db,
  env: Env,
  { user, address }: Caller,
  { orderId, item_id, amount, reason, code, key }: z.output<typeof moneyReturn> & { orderId: number; key: string },
): Promise<{ returned: number }> {
  const order = await orderAsked(db, orderId, item_id);
  await proveFactor(db, env, user, code);
  const before = order.items[0]?.returned_cents ?? 0;
  const entry = entryFor({ id: user.id, address }, orderId, order, 'return', {
    ...{ reason, amount },
    after: { returned_cents: before + amount },
  })(item_id);
  const { outcome, returned } = await returnByHand(
    db,
    { orderId, itemId: item_id, userId: order.user_id, amount, reason, key },
    entry,
  );
  if (outcome === 'too_much')
    throw new Refusal('conflict', 'amount: is more than was paid for this item and not returned yet.');
  if (outcome === 'key_reused')
    throw new Refusal('conflict', 'Idempotency-Key: was used for another amount. Use a new one.');
  return { returned: dollars(returned) };
}
