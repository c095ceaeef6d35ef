import { DAY_MS, dayStart } from '../../../domain/days.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { AdminOrdersQuery, OrdersAct } from '../../../domain/orders/admin-contract.ts';
import { ITEM, orderUuidIn } from '../../../domain/orders/ids.ts';
import type { Standings } from '../../../domain/orders/order.ts';
import { ORDER_STATES } from '../../../domain/orders/order-states.ts';
import type { Db } from '../../db/open.ts';
import { containing } from '../patterns.ts';
import { allowsSql, numberIn, standingSql } from './orders.ts';

/** Orders of all users, for admins. */

const ADMIN_ORDERS_PER_PAGE = 50;

interface OrderHead {
  order_id: number;
  placed_at: number;
  username: string;
  total_cents: Cents;
  returned_cents: Cents;
  item_count: number;
  open_reports: number;
  standings: Standings;
}

/** A condition on `orders` with the values of its question marks. */
type Condition = readonly [sql: string, ...values: (string | number)[]];

const IS_ITEM = new RegExp(`^${ITEM}$`);

function named(search: string): Condition {
  const [number, uuid] = [numberIn(search), orderUuidIn(search)];
  if (uuid !== null) return ['orders.uuid = ?', uuid];
  if (IS_ITEM.test(search)) return ['orders.id = (SELECT order_id FROM items WHERE id = ?)', search];
  if (number !== null)
    return [
      'orders.id IN (SELECT id FROM orders WHERE id = ? UNION SELECT order_id FROM items WHERE kingdom_id = ?)',
      number,
      number,
    ];
  const pattern = containing(search);
  return [
    `user_id IN (SELECT id FROM users WHERE username_key LIKE ? ESCAPE '\\' OR email_key LIKE ? ESCAPE '\\')`,
    pattern,
    pattern,
  ];
}

/** SQL: the item is in one of these standings. Each kind has an index, whose condition must be repeated literally. */
function inState(state: keyof typeof ORDER_STATES): string {
  const standings = ORDER_STATES[state].map((standing) => `'${standing}'`).join(', ');
  const index = {
    moving: `state IN ('open', 'finishing')`,
    results: `snapshot_id IS NOT NULL`,
    failed: `state IN ('failed', 'cancelled')`,
    cancelled: `state IN ('failed', 'cancelled')`,
  }[state];
  return `${index} AND (${standingSql('items')}) IN (${standings})`;
}

/** Orders with an item of this kingdom and game that is in this state. */
function withItem({
  kingdom,
  game,
  state,
}: Pick<AdminOrdersQuery, 'kingdom' | 'game' | 'state'>): Condition | undefined {
  const all: (Condition | undefined)[] = [
    state === undefined ? undefined : [inState(state)],
    kingdom === undefined ? undefined : ['kingdom_id = ?', kingdom],
    game === undefined ? undefined : ['game = ?', game],
  ];
  const parts = all.filter((each) => each !== undefined);
  if (parts.length === 0) return undefined;
  const item = parts.map(([sql]) => sql).join(' AND ');
  // Few items are of one kingdom, moving or failed. Most have results, so the newest orders are looked through for one.
  const isRare = kingdom !== undefined || (state !== undefined && state !== 'results');
  const orders = isRare
    ? `orders.id IN (SELECT order_id FROM items WHERE ${item})`
    : `EXISTS (SELECT 1 FROM items WHERE order_id = orders.id AND ${item})`;
  return [orders, ...parts.flatMap(([, ...values]) => values)];
}

function conditionsOf({ before, search, user, from, to, ...item }: AdminOrdersQuery): Condition[] {
  const all: (Condition | undefined)[] = [
    before === undefined ? undefined : ['orders.id < ?', before],
    search ? named(search) : undefined,
    user ? ['user_id = (SELECT id FROM users WHERE username_key = ?)', user.toLowerCase()] : undefined,
    withItem(item),
    from === undefined ? undefined : ['placed_at >= ?', dayStart(from)],
    to === undefined ? undefined : ['placed_at < ?', dayStart(to) + DAY_MS],
  ];
  return all.filter((each) => each !== undefined);
}

const HEADS = `
  SELECT orders.id AS order_id, placed_at, users.username, total_cents,
    (SELECT coalesce(sum(returned_cents), 0) FROM items WHERE order_id = orders.id) AS returned_cents,
    (SELECT count(*) FROM items WHERE order_id = orders.id) AS item_count,
    (SELECT json_group_object(standing, count) FROM (
      SELECT ${standingSql('items')} AS standing, count(*) AS count FROM items WHERE order_id = orders.id GROUP BY 1)) AS standings,
    (SELECT count(*) FROM issue_reports WHERE order_id = orders.id AND answered_at IS NULL) AS open_reports
  FROM orders JOIN users ON users.id = orders.user_id`;

const whereOf = (conditions: readonly Condition[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
const valuesOf = (conditions: readonly Condition[]) => conditions.flatMap(([, ...values]) => values);

/** Returns a page of the matching orders, newest first, and the `before` of the next page. */
export async function listAllOrders(
  db: Db,
  wanted: AdminOrdersQuery,
): Promise<{ orders: OrderHead[]; next: number | null }> {
  const conditions = conditionsOf(wanted);
  const { results } = await db.$client
    .prepare(
      `${HEADS} WHERE orders.id IN (
         SELECT id FROM orders ${whereOf(conditions)} ORDER BY id DESC LIMIT ${ADMIN_ORDERS_PER_PAGE + 1})
       ORDER BY orders.id DESC`,
    )
    .bind(...valuesOf(conditions))
    .all<Omit<OrderHead, 'standings'> & { standings: string }>();
  const page = results.slice(0, ADMIN_ORDERS_PER_PAGE);
  return {
    orders: page.map((order) => ({ ...order, standings: JSON.parse(order.standings) as Standings })),
    next: results.length > page.length ? (page.at(-1)?.order_id ?? null) : null,
  };
}

/** SQL: items that an act changes. The first condition of each repeats an index. */
const ACTED: Record<OrdersAct, string> = {
  retry: `SELECT * FROM items WHERE state IN ('open', 'finishing') AND state = 'open'`,
  cancel: `SELECT * FROM items WHERE state IN ('open', 'finishing') AND ${allowsSql('cancel', 'items')}
    UNION ALL SELECT * FROM items WHERE state IN ('failed', 'cancelled') AND ${allowsSql('cancel', 'items')}`,
};

/** Counts what an act on all matching orders would change. */
export async function countActed(
  db: Db,
  act: OrdersAct,
  wanted: AdminOrdersQuery,
): Promise<{ orders: number; items: number; cents: Cents; newest: number | null }> {
  const conditions = conditionsOf(wanted);
  const row = await db.$client
    .prepare(
      `SELECT count(DISTINCT order_id) AS orders, count(*) AS items,
         coalesce(sum(price_cents - returned_cents), 0) AS cents, max(order_id) AS newest
       FROM (${ACTED[act]}) WHERE order_id IN (SELECT id FROM orders ${whereOf(conditions)})`,
    )
    .bind(...valuesOf(conditions))
    .first<{ orders: number; items: number; cents: Cents; newest: number | null }>();
  return row ?? { orders: 0, items: 0, cents: 0, newest: null };
}

/** Returns the newest matching orders that an act changes, at most `most`. */
export async function ordersToAct(db: Db, act: OrdersAct, wanted: AdminOrdersQuery, most: number): Promise<number[]> {
  const conditions: Condition[] = [...conditionsOf(wanted), [`orders.id IN (SELECT order_id FROM (${ACTED[act]}))`]];
  const { results } = await db.$client
    .prepare(`SELECT id FROM orders ${whereOf(conditions)} ORDER BY id DESC LIMIT ${most}`)
    .bind(...valuesOf(conditions))
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}
