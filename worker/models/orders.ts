import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { type Product, RANKS_PER_SUBTASK } from '../../domain/catalogue.ts';
import type { OrderEntry } from '../../domain/contract.ts';
import type { Cents } from '../../domain/money.ts';
import { subtasksFor } from '../../domain/order.ts';
import { kingdomsOf, numberOf } from '../../domain/pricing.ts';
import type { Db } from '../db/open.ts';
import { items, orders, snapshots, users } from '../db/schema.ts';
import { brokeConstraint } from '../errors.ts';
import { entryStatement } from './ledger.ts';

export type Item = typeof items.$inferSelect;
export type Order = typeof orders.$inferSelect;

/** An entry that has been checked and priced. */
export interface PricedEntry {
  product: Product;
  entry: OrderEntry;
  price: Cents;
}

export interface Placement {
  userId: string;
  entries: readonly PricedEntry[];
  /** The caller's key of this one order, or null where he gave none. */
  idempotencyKey: string | null;
  /** Tells a repeat of the request from another request under the same key. */
  requestHash: string;
}

export interface PlacedOrder {
  order_id: number;
  order_uuid: string;
  total: Cents;
}

/** `placed`: new or the repeat of an earlier request. The other two wrote nothing. */
export type PlaceOutcome =
  | { outcome: 'placed'; order: PlacedOrder }
  | { outcome: 'unpaid'; balance: Cents; total: Cents }
  | { outcome: 'key_reused' };

// Letters first and never a bare number: `/v1/order/{id}` tells items from orders by that.
const newItemId = (): string => `i${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;

interface NewItem {
  id: string;
  product_id: string;
  game: string;
  kingdom_id: number;
  governors: number;
  full_profile: number;
  price_cents: Cents;
  details: string;
  subtask_count: number;
  /** Number of the item's first subtask inside the order: what its virtual deadlines count from. */
  first: number;
}

/** One item per kingdom of each entry, the entry's price shared among them to the cent. */
function itemsOf(entries: readonly PricedEntry[]): NewItem[] {
  let first = 0;
  return entries.flatMap(({ product, entry, price }) => {
    const kingdoms = kingdomsOf(product, entry.params);
    const governors = numberOf(entry.params[product.governors]) ?? 0;
    const subtask_count = product.kind === 'scan' ? subtasksFor(governors, RANKS_PER_SUBTASK) : 0;
    const details = JSON.stringify(entry.fields ?? {});
    return kingdoms.map((kingdom) => {
      const item: NewItem = {
        id: newItemId(),
        product_id: product.id,
        game: product.game,
        kingdom_id: Number(kingdom),
        governors,
        full_profile: entry.params.full_profile === true ? 1 : 0,
        price_cents: price / kingdoms.length,
        details,
        subtask_count,
        first,
      };
      first += subtask_count;
      return item;
    });
  });
}

// 1,000 items with their details stay well under D1's 2 MB a value.
const ITEMS_PER_STATEMENT = 1000;
const MAX_SUBTASKS_PER_ITEM = 50;

function itemStatements(db: Db, uuid: string, newItems: NewItem[]): D1PreparedStatement[] {
  const statements: D1PreparedStatement[] = [];
  for (let from = 0; from < newItems.length; from += ITEMS_PER_STATEMENT) {
    const slice = newItems.slice(from, from + ITEMS_PER_STATEMENT);
    statements.push(
      db.$client
        .prepare(
          `INSERT INTO items (id, order_id, position, product_id, game, kingdom_id, governors, full_profile,
             price_cents, details, subtask_count, incomplete_count)
           SELECT value ->> 'id', (SELECT id FROM orders WHERE uuid = ?1), ?2 + key, value ->> 'product_id',
             value ->> 'game', value ->> 'kingdom_id', value ->> 'governors', value ->> 'full_profile',
             value ->> 'price_cents', value ->> 'details', value ->> 'subtask_count', value ->> 'subtask_count'
           FROM json_each(?3)`,
        )
        .bind(uuid, from, JSON.stringify(slice)),
      db.$client
        .prepare(
          `INSERT INTO subtasks (item_id, number, order_id, game, due)
           SELECT item.value ->> 'id', number.value, orders.id, item.value ->> 'game',
             orders.placed_at + (item.value ->> 'first' + number.value) * 1000
           FROM orders, json_each(?2) item
           JOIN json_each(?3) number ON number.value < item.value ->> 'subtask_count'
           WHERE orders.uuid = ?1`,
        )
        .bind(uuid, JSON.stringify(slice), JSON.stringify([...Array(MAX_SUBTASKS_PER_ITEM).keys()])),
    );
  }
  return statements;
}

const balanceOf = async (db: Db, userId: string): Promise<Cents> => {
  const [user] = await db.select({ balance: users.balance_cents }).from(users).where(eq(users.id, userId));
  return user?.balance ?? 0;
};

async function placedBefore(db: Db, { userId, idempotencyKey, requestHash }: Placement): Promise<PlaceOutcome> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.user_id, userId), eq(orders.idempotency_key, idempotencyKey ?? '')));
  if (!order || order.request_hash !== requestHash) return { outcome: 'key_reused' };
  return { outcome: 'placed', order: { order_id: order.id, order_uuid: order.uuid, total: order.total_cents } };
}

/**
 * Places an order: charge, order, items and subtasks in one batch, so all of it is there or nothing. The same
 * idempotency key answers with the first order. Prices must be those of `priceOf`.
 */
export async function placeOrder(db: Db, placement: Placement, now = Date.now()): Promise<PlaceOutcome> {
  const { userId, entries, idempotencyKey, requestHash } = placement;
  const uuid = crypto.randomUUID();
  const total = entries.reduce((sum, { price }) => sum + price, 0);
  try {
    const results = await db.$client.batch<{ id: number }>([
      db.$client
        .prepare(
          `INSERT INTO orders (uuid, user_id, placed_at, total_cents, idempotency_key, request_hash, entries)
           VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        )
        .bind(uuid, userId, now, total, idempotencyKey, requestHash, JSON.stringify(entries.map(({ entry }) => entry))),
      entryStatement(db, { userId, amount: -total, kind: 'charge', reference: `order:${uuid}` }, now),
      ...itemStatements(db, uuid, itemsOf(entries)),
    ]);
    const orderId = results[0]?.results[0]?.id;
    if (orderId === undefined) throw new Error('D1 answered an order without its id');
    return { outcome: 'placed', order: { order_id: orderId, order_uuid: uuid, total } };
  } catch (error) {
    if (brokeConstraint(error, 'idempotency_key')) return placedBefore(db, placement);
    if (brokeConstraint(error, 'balance_not_negative'))
      return { outcome: 'unpaid', balance: await balanceOf(db, userId), total };
    throw error;
  }
}

export const ORDERS_PER_PAGE = 20;
/** How many items of an order the list shows; an order may have thousands. */
export const ITEMS_PER_ORDER = 100;

export interface ListedOrder extends Order {
  items: Item[];
  item_count: number;
  unfinished_count: number;
  finishing_count: number;
  done_count: number;
}

/** A page of a user's orders, newest first, each with its first items and counts over all of them. */
export async function listOrders(db: Db, userId: string, before?: number): Promise<ListedOrder[]> {
  const page = await db
    .select()
    .from(orders)
    .where(and(eq(orders.user_id, userId), before === undefined ? undefined : lt(orders.id, before)))
    .orderBy(desc(orders.id))
    .limit(ORDERS_PER_PAGE);
  if (page.length === 0) return [];
  const ids = page.map(({ id }) => id);
  const [shown, counts] = await db.batch([
    db
      .select()
      .from(items)
      .where(and(inArray(items.order_id, ids), lt(items.position, ITEMS_PER_ORDER)))
      .orderBy(asc(items.order_id), asc(items.position)),
    db
      .select({
        order_id: items.order_id,
        item_count: sql<number>`count(*)`,
        unfinished_count: sql<number>`sum(${items.state} IN ('open', 'finishing'))`,
        finishing_count: sql<number>`sum(${items.state} IN ('open', 'finishing') AND ${items.incomplete_count} = 0)`,
        done_count: sql<number>`sum(${items.state} = 'done')`,
      })
      .from(items)
      .where(inArray(items.order_id, ids))
      .groupBy(items.order_id),
  ]);
  const countsOf = new Map(counts.map(({ order_id, ...rest }) => [order_id, rest]));
  const itemsOfOrder = Map.groupBy(shown, ({ order_id }) => order_id);
  const none = { item_count: 0, unfinished_count: 0, finishing_count: 0, done_count: 0 };
  return page.map((order) => ({
    ...order,
    ...(countsOf.get(order.id) ?? none),
    items: itemsOfOrder.get(order.id) ?? [],
  }));
}

/** A user's order with that id, or null: also where it is somebody else's. */
export async function orderOf(db: Db, userId: string, orderId: number): Promise<Order | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.user_id, userId)));
  return order ?? null;
}

export interface ItemWithResult {
  item: Item;
  order: Order;
  snapshot: typeof snapshots.$inferSelect | null;
}

/** A user's item with that id and the snapshot it bought, or null: also where it is somebody else's. */
export async function itemOf(db: Db, userId: string, itemId: string): Promise<ItemWithResult | null> {
  const [found] = await db
    .select({ item: items, order: orders, snapshot: snapshots })
    .from(items)
    .innerJoin(orders, eq(orders.id, items.order_id))
    .leftJoin(snapshots, eq(snapshots.id, items.snapshot_id))
    .where(and(eq(items.id, itemId), eq(orders.user_id, userId)));
  return found ?? null;
}

/** How many items an order has. */
export async function countItems(db: Db, orderId: number): Promise<number> {
  const [row] = await db.select({ count: sql<number>`count(*)` }).from(items).where(eq(items.order_id, orderId));
  return row?.count ?? 0;
}

/** The snapshots of an order's items in the items' order: what combined results are made of. */
export async function snapshotsOfOrder(db: Db, orderId: number): Promise<(typeof snapshots.$inferSelect)[]> {
  const rows = await db
    .select({ snapshot: snapshots })
    .from(items)
    .innerJoin(snapshots, eq(snapshots.id, items.snapshot_id))
    .where(eq(items.order_id, orderId))
    .orderBy(asc(items.position));
  return rows.map(({ snapshot }) => snapshot);
}

/** What the order's object needs to know of an item when it first hears of it. */
export interface ItemWork {
  item: Item;
  subtasks: { id: number; number: number; state: string; error: string | null }[];
}

/** An item with its subtasks, or null. */
export async function itemWork(db: Db, itemId: string): Promise<ItemWork | null> {
  const item = await db.query.items.findFirst({ where: eq(items.id, itemId) });
  if (!item) return null;
  const { results } = await db.$client
    .prepare(`SELECT id, number, state, error FROM subtasks WHERE item_id = ? ORDER BY number`)
    .bind(itemId)
    .all<ItemWork['subtasks'][number]>();
  return { item, subtasks: results };
}

/** Progress of an order's items, as its object tells the browsers. At most `limit`, unfinished ones first. */
export async function progressOfOrder(db: Db, orderId: number, limit: number) {
  return db
    .select({
      item_id: items.id,
      state: items.state,
      subtask_count: items.subtask_count,
      incomplete_count: items.incomplete_count,
      failed_count: items.failed_count,
    })
    .from(items)
    .where(eq(items.order_id, orderId))
    .orderBy(sql`${items.state} NOT IN ('open', 'finishing')`, asc(items.position))
    .limit(limit);
}

/** Every subtask of the item has ended: its snapshot is being written. */
export async function markFinishing(db: Db, itemId: string): Promise<void> {
  await db
    .update(items)
    .set({ state: 'finishing' })
    .where(and(eq(items.id, itemId), eq(items.state, 'open')));
}

/** No subtask of the item brought rows. */
export async function markFailed(db: Db, itemId: string, now = Date.now()): Promise<void> {
  await db
    .update(items)
    .set({ state: 'failed', finished_at: now })
    .where(and(eq(items.id, itemId), inArray(items.state, ['open', 'finishing'])));
}

const SETTLED_AT_ONCE = 100;
// Literals, not parameters: only so does SQLite use the partial index.
const SETTLING = sql`${items.state} IN ('open', 'finishing') AND ${items.incomplete_count} = 0`;

/** Items whose subtasks have all ended but which are not finished: work for the sweep if their object missed a call. */
export async function settlingItems(db: Db): Promise<{ item_id: string; order_id: number }[]> {
  return db.select({ item_id: items.id, order_id: items.order_id }).from(items).where(SETTLING).limit(SETTLED_AT_ONCE);
}
