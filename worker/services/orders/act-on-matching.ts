import type * as z from 'zod';
import { HOUR_MS } from '../../../domain/days.ts';
import { dollars } from '../../../domain/money/money.ts';
import type {
  AdminOrdersQuery,
  OrdersAct,
  ordersAct,
  ordersActed,
  ordersMatching,
} from '../../../domain/orders/admin-contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { countActed, ordersToAct } from '../../models/orders/all-orders.ts';
import { auditAbout, record } from '../../models/service/audit.ts';
import { type Caller, proveFactor } from '../accounts/prove-person.ts';
import { supportOrder } from './support-order.ts';

/**
 * Acts on all orders of a filter, in calls that each change a bounded number, newest first. The log entry of the round
 * allows the calls that go on with it. After an interruption, cancelling goes on with the orders that are left, and
 * retrying begins again, which is harmless.
 */

/** Orders changed by one call, so that it ends within seconds. */
const AT_ONCE = 20;
const ROUND_MS = HOUR_MS;

/** Counts what an act on all matching orders would change. */
export async function countMatching(
  db: Db,
  act: OrdersAct,
  filter: AdminOrdersQuery,
): Promise<z.infer<typeof ordersMatching>> {
  const { cents, ...counts } = await countActed(db, act, filter);
  return { ...counts, price: dollars(cents) };
}

/** Returns a filter as text. Leaves out `before`, which changes with each call. */
const textOf = ({ before: _, ...filter }: AdminOrdersQuery): string => JSON.stringify(filter);

/** Begins a round with its log entry, unless it was begun. Only cancelling moves money and cannot be undone. */
async function begin(
  db: Db,
  env: Env,
  { user, address }: Caller,
  { act, filter, round, reason, code }: Asked,
  now: number,
): Promise<void> {
  const subject = `orders:${round}`;
  const about = { act, filter: textOf(filter) };
  const begun = (await auditAbout(db, user.id, subject)).find(({ at }) => at > now - ROUND_MS);
  if (begun) {
    const { act: before, filter: of } = JSON.parse(begun.detail) as typeof about;
    if (before === act && of === about.filter) return;
    throw new Refusal('conflict', 'round: was begun with another act or filter. Begin a new one.');
  }
  if (act === 'cancel') await proveFactor(db, env, user, code);
  const { orders, items, price } = await countMatching(db, act, filter);
  await record(
    db,
    {
      ...{ userId: user.id, actor: `admin:${user.id}`, action: `orders.${act}`, subject, address },
      detail: { reason, ...about, before: { orders, items, price } },
    },
    now,
  );
}

interface Asked extends z.output<typeof ordersAct> {
  act: OrdersAct;
  filter: AdminOrdersQuery;
}

/**
 * Retries or cancels the next matching orders. Each is logged on its own, too. Orders that no longer allow the act are
 * left out.
 * @throws Refusal forbidden for a wrong code, or conflict if the round was begun with another filter.
 */
export async function actOnMatching(
  db: Db,
  env: Env,
  caller: Caller,
  asked: Asked,
  now = Date.now(),
): Promise<z.infer<typeof ordersActed>> {
  await begin(db, env, caller, asked, now);
  const { act, filter, reason } = asked;
  const admin = { id: caller.user.id, address: caller.address };
  const ids = await ordersToAct(db, act, filter, AT_ONCE);
  const changed = { orders: 0, items: 0 };
  for (const orderId of ids) {
    const acted = await supportOrder(db, env, admin, { orderId, act, item_id: null, reason }).catch(leftOut);
    if (acted === null) continue;
    changed.orders += 1;
    changed.items += acted.items;
  }
  return { ...changed, next: ids.length === AT_ONCE ? (ids.at(-1) ?? null) : null };
}

/** Returns null if an order changed meanwhile. */
function leftOut(error: unknown): null {
  if (error instanceof Refusal && (error.code === 'conflict' || error.code === 'not_found')) return null;
  throw error;
}
