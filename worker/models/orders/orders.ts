import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { DAY_MS, dayStart } from '../../../domain/days.ts';
import { words } from '../../../domain/language/text.ts';
import type { Cents } from '../../../domain/money/money.ts';
import { narrow } from '../../../domain/narrow.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import type { OrderListQuery } from '../../../domain/orders/contract.ts';
import { orderNumberIn, orderUuidIn } from '../../../domain/orders/ids.ts';
import { allowing, type OrderAction, type Standings } from '../../../domain/orders/order.ts';
import { ORDER_STATES } from '../../../domain/orders/order-states.ts';
import { searchKey } from '../../../domain/search.ts';
import type { Db } from '../../db/open.ts';
import { issue_reports, items, orders, snapshots, team_members } from '../../db/schema.ts';

export type Item = typeof items.$inferSelect;
export type Order = typeof orders.$inferSelect;

const ORDERS_PER_PAGE = 20;
/** Maximum number of items listed per order; an order may have thousands. */
const ITEMS_PER_ORDER = 100;
/** Maximum number of reports listed with a page of orders. */
const MOST_REPORTS = 200;

export interface ListedOrder extends Order {
  items: Item[];
  item_count: number;
  /** Amount refunded so far. */
  returned_cents: Cents;
  /** Counts of all items by standing, listed or not. */
  standings: Standings;
  /** What its owner reported about it, oldest first. */
  reports: (typeof issue_reports.$inferSelect)[];
}

/** SQL of an item's standing (domain/orders/order.ts). `item` is the table's name in the statement. */
export const standingSql = (item: string): string =>
  `CASE WHEN ${item}.state IN ('open', 'finishing') AND ${item}.snapshot_id IS NOT NULL THEN 'repairing'
     WHEN ${item}.state = 'done' AND ${item}.subtask_count = 0 THEN 'stored' ELSE ${item}.state END`;

/** SQL condition that an item allows an action (domain/orders/order.ts). */
export const allowsSql = (action: OrderAction, item: string): string =>
  `(${standingSql(item)}) IN (${allowing(action)
    .map((standing) => `'${standing}'`)
    .join(', ')})`;

const STANDINGS_OF = `
  SELECT order_id, json_group_object(standing, count) AS standings FROM (
    SELECT order_id, ${standingSql('items')} AS standing, count(*) AS count FROM items
    WHERE order_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR id = ?2) GROUP BY 1, 2)
  GROUP BY order_id`;

/** Returns the standings of these orders' items, or of a single item. */
export async function standingsOf(
  db: Db,
  orderIds: readonly number[],
  itemId: string | null = null,
): Promise<Map<number, Standings>> {
  const { results } = await db.$client
    .prepare(STANDINGS_OF)
    .bind(JSON.stringify(orderIds), itemId)
    .all<{ order_id: number; standings: string }>();
  return new Map(results.map(({ order_id, standings }) => [order_id, JSON.parse(standings) as Standings]));
}

/**
 * Maximum number of orders searched for one page of a filtered list. If few match, the page is short and the next one
 * continues from there.
 */
const LOOKED_THROUGH = 1000;

/** Returns the ids of products whose name, in English or the current language, contains the text, as JSON. */
function productsNamed(text: string): string {
  const wanted = searchKey(text);
  const named = PRODUCTS.filter(({ group, name }) =>
    [`${group} ${name}`, `${words(group)} ${words(name)}`].some((title) => searchKey(title).includes(wanted)),
  );
  return JSON.stringify(named.map(({ id }) => id));
}

/** Returns the number that a search is; null for other text. */
export const numberIn = (text: string): number | null =>
  /^#?\d{1,15}$/.test(narrow(text)) ? Number(narrow(text).replace('#', '')) : null;

/** SQL of the list's filters over `looked`. Each is true if its parameter is null. */
const FITS = `
  (?3 IS NULL OR placed_at >= ?3) AND (?4 IS NULL OR placed_at < ?4)
  AND (?5 IS NULL OR idempotency_key LIKE 'schedule:' || ?5 || ':%')
  AND (?6 IS NULL AND ?7 IS NULL AND ?8 IS NULL OR EXISTS (
    SELECT 1 FROM items WHERE items.order_id = looked.id AND (?6 IS NULL OR kingdom_id = ?6)
      AND (?7 IS NULL OR game = ?7) AND (?8 IS NULL OR (${standingSql('items')}) IN (SELECT value FROM json_each(?8)))))
  AND (?9 IS NULL OR CASE WHEN ?10 IS NULL
    THEN EXISTS (SELECT 1 FROM items WHERE items.order_id = looked.id AND product_id IN (SELECT value FROM json_each(?11)))
    ELSE looked.id = ?10 OR EXISTS (SELECT 1 FROM items WHERE items.order_id = looked.id AND kingdom_id = ?10) END)`;

/**
 * Returns the ids of a page of matching orders, newest first, and the id below which the next page starts; null if
 * there is none.
 */
async function pageOfOrders(db: Db, userId: string, wanted: OrderListQuery) {
  const { before, search, kingdom, game, state, from, to, schedule } = wanted;
  const narrows = [search, kingdom, game, state, from, to, schedule].some((part) => part !== undefined && part !== '');
  const lookedThrough = narrows ? LOOKED_THROUGH : ORDERS_PER_PAGE + 1;
  const { results } = await db.$client
    .prepare(
      // One row more than a page shows that there is another page. The last order searched is the cursor if nothing
      // matches.
      `WITH looked AS (
         SELECT id, placed_at, idempotency_key FROM orders
         WHERE user_id = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?12)
       SELECT id, 1 AS fits FROM (SELECT id FROM looked WHERE ${FITS} ORDER BY id DESC LIMIT ${ORDERS_PER_PAGE + 1})
       UNION ALL
       SELECT min(id), 0 FROM looked HAVING count(*) = ?12`,
    )
    .bind(
      userId,
      before ?? null,
      from === undefined ? null : dayStart(from),
      to === undefined ? null : dayStart(to) + DAY_MS,
      schedule === undefined ? null : String(schedule),
      kingdom ?? null,
      game ?? null,
      state === undefined ? null : JSON.stringify(ORDER_STATES[state]),
      search || null,
      search ? numberIn(search) : null,
      search ? productsNamed(search) : null,
      lookedThrough,
    )
    .all<{ id: number; fits: 0 | 1 }>();
  const fitting = results.filter(({ fits }) => fits === 1).map(({ id }) => id);
  const ids = fitting.slice(0, ORDERS_PER_PAGE);
  const lookedTo = results.find(({ fits }) => fits === 0)?.id ?? null;
  return { ids, next: fitting.length > ORDERS_PER_PAGE ? (ids.at(-1) ?? null) : lookedTo };
}

/**
 * Returns a page of a user's orders, newest first, each with its first items and counts over all. `next` is the next
 * page's `before`.
 */
export async function listOrders(
  db: Db,
  userId: string,
  wanted: OrderListQuery = {},
): Promise<{ orders: ListedOrder[]; next: number | null }> {
  const { ids, next } = await pageOfOrders(db, userId, wanted);
  return { orders: ids.length === 0 ? [] : await listedOrders(db, ids), next };
}

/** Returns the orders with these numbers, newest first, each with its first items and counts over all. */
export async function listedOrders(db: Db, ids: number[]): Promise<ListedOrder[]> {
  const [[page, shown, counts, reports], standings] = await Promise.all([
    db.batch([
      db.select().from(orders).where(inArray(orders.id, ids)).orderBy(desc(orders.id)),
      db
        .select()
        .from(items)
        .where(and(inArray(items.order_id, ids), lt(items.position, ITEMS_PER_ORDER)))
        .orderBy(asc(items.order_id), asc(items.position)),
      db
        .select({
          order_id: items.order_id,
          item_count: sql<number>`count(*)`,
          returned_cents: sql<Cents>`sum(${items.returned_cents})`,
        })
        .from(items)
        .where(inArray(items.order_id, ids))
        .groupBy(items.order_id),
      db
        .select()
        .from(issue_reports)
        .where(inArray(issue_reports.order_id, ids))
        .orderBy(asc(issue_reports.id))
        .limit(MOST_REPORTS),
    ]),
    standingsOf(db, ids),
  ]);
  const countsOf = new Map(counts.map(({ order_id, ...rest }) => [order_id, rest]));
  const itemsOfOrder = Map.groupBy(shown, ({ order_id }) => order_id);
  const reportsOf = Map.groupBy(reports, ({ order_id }) => order_id);
  const none = { item_count: 0, returned_cents: 0 };
  return page.map((order) => ({
    ...order,
    ...(countsOf.get(order.id) ?? none),
    standings: standings.get(order.id) ?? {},
    items: itemsOfOrder.get(order.id) ?? [],
    reports: reportsOf.get(order.id) ?? [],
  }));
}

/** `own`: orders that the user placed. `read`: also those paid by a team that they are a member of. */
export type Reach = 'own' | 'read';

const within = (userId: string, reach: Reach): SQL =>
  reach === 'own'
    ? sql`${orders.user_id} = ${userId}`
    : sql`(${orders.user_id} = ${userId} OR ${orders.team_id} IN (
        SELECT ${team_members.team_id} FROM ${team_members} WHERE ${team_members.user_id} = ${userId}))`;

/** Returns the order with this number or UUID, or null if it does not exist or is out of the user's reach. */
export async function orderOfUser(
  db: Db,
  userId: string,
  named: number | string,
  reach: Reach = 'own',
): Promise<Order | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(typeof named === 'number' ? eq(orders.id, named) : eq(orders.uuid, named), within(userId, reach)));
  return order ?? null;
}

/** Returns those of the orders that belong to the user. */
export async function ordersAmong(db: Db, userId: string, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(inArray(orders.id, [...ids]), eq(orders.user_id, userId)));
  return rows.map(({ id }) => id);
}

interface ItemWithResult {
  item: Item;
  order: Order;
  snapshot: typeof snapshots.$inferSelect | null;
}

/** Returns the item with its order and snapshot, or null if it does not exist or is out of the user's reach. */
export async function itemOf(db: Db, userId: string, itemId: string, reach: Reach): Promise<ItemWithResult | null> {
  const [found] = await db
    .select({ item: items, order: orders, snapshot: snapshots })
    .from(items)
    .innerJoin(orders, eq(orders.id, items.order_id))
    .leftJoin(snapshots, eq(snapshots.id, items.snapshot_id))
    .where(and(eq(items.id, itemId), within(userId, reach)));
  return found ?? null;
}

/** Counts the items of an order. */
export async function countItems(db: Db, orderId: number): Promise<number> {
  const [row] = await db.select({ count: sql<number>`count(*)` }).from(items).where(eq(items.order_id, orderId));
  return row?.count ?? 0;
}

export type OrderSnapshot = typeof snapshots.$inferSelect &
  Pick<Item, 'order_id'> &
  Pick<Order, 'user_id'> & { item_id: string };

async function snapshotsWhere(db: Db, condition: SQL | undefined): Promise<OrderSnapshot[]> {
  const rows = await db
    .select({ snapshot: snapshots, order_id: items.order_id, item_id: items.id, user_id: orders.user_id })
    .from(items)
    .innerJoin(orders, eq(orders.id, items.order_id))
    .innerJoin(snapshots, eq(snapshots.id, items.snapshot_id))
    .where(condition)
    .orderBy(asc(items.position));
  return rows.map(({ snapshot, ...item }) => ({ ...snapshot, ...item }));
}

/** Returns the snapshots of an order's items, in the items' order, for combined results. */
export const snapshotsOfOrder = (db: Db, orderId: number): Promise<OrderSnapshot[]> =>
  snapshotsWhere(db, eq(orders.id, orderId));

/** The same for an order that the user may read, by its number, UUID or one of its items. Otherwise empty. */
export function snapshotsOfNamed(db: Db, userId: string, id: string): Promise<OrderSnapshot[]> {
  const [number, uuid] = [orderNumberIn(id), orderUuidIn(id)];
  const named =
    number !== null
      ? eq(orders.id, number)
      : uuid !== null
        ? eq(orders.uuid, uuid)
        : eq(orders.id, db.select({ id: items.order_id }).from(items).where(eq(items.id, id)));
  return snapshotsWhere(db, and(named, within(userId, 'read')));
}

/** The data of an item that the order object copies. */
export interface ItemWork {
  item: Pick<Item, 'id' | 'game' | 'kingdom_id' | 'version' | 'state' | 'snapshot_id'>;
  subtasks: WorkSubtask[];
}

interface WorkSubtask {
  id: number;
  number: number;
  state: string;
  error: string | null;
}

/**
 * Returns items with their subtasks, skipping unknown ids. `ahead` adds up to that many open items that follow the
 * first one in its order.
 */
export async function itemsWork(db: Db, itemIds: readonly string[], ahead = 0): Promise<ItemWork[]> {
  const named = `SELECT value FROM json_each(?1)`;
  const wanted = `
    ${named} UNION SELECT id FROM (
      SELECT items.id FROM items JOIN items first ON items.order_id = first.order_id AND items.position > first.position
      WHERE first.id = ?1 ->> 0 AND items.state = 'open' ORDER BY items.position LIMIT ?2)`;
  const statement = (sql: string) => db.$client.prepare(sql).bind(JSON.stringify(itemIds), ahead);
  const [found, theirs] = await db.$client.batch([
    statement(`SELECT id, game, kingdom_id, version, state, snapshot_id FROM items WHERE id IN (${wanted})`),
    statement(
      `SELECT id, item_id, number, state, error FROM subtasks WHERE item_id IN (${wanted}) ORDER BY item_id, number`,
    ),
  ]);
  const subtasks = Map.groupBy((theirs?.results ?? []) as (WorkSubtask & { item_id: string })[], (row) => row.item_id);
  return ((found?.results ?? []) as ItemWork['item'][]).map((item) => ({
    item,
    subtasks: subtasks.get(item.id) ?? [],
  }));
}

/** Returns the progress of at most `limit` items of an order, unfinished ones first, as sent to browsers. */
export async function progressOfOrder(db: Db, orderId: number, limit: number) {
  return db
    .select({
      item_id: items.id,
      state: items.state,
      subtask_count: items.subtask_count,
      incomplete_count: items.incomplete_count,
      failed_count: items.failed_count,
      has_results: sql<boolean>`${items.snapshot_id} IS NOT NULL`.mapWith(Boolean),
      preparing_until: items.preparing_until,
    })
    .from(items)
    .where(eq(items.order_id, orderId))
    .orderBy(sql`${items.state} NOT IN ('open', 'finishing')`, asc(items.position))
    .limit(limit);
}
