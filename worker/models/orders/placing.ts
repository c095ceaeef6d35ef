import { and, eq } from 'drizzle-orm';
import type { Cents } from '../../../domain/money/money.ts';
import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import type { PricedEntry } from '../../../domain/orders/entry.ts';
import { subtasksFor } from '../../../domain/orders/order.ts';
import { kingdomsOf, numberOf, shownFields } from '../../../domain/orders/pricing.ts';
import type { Db } from '../../db/open.ts';
import { orders } from '../../db/schema.ts';
import { brokeConstraint } from '../../errors.ts';
import { entryStatement } from '../money/ledger.ts';
import { uncoveredOf } from '../money/reversals.ts';
import type { Item } from './orders.ts';

export interface NewOrder {
  userId: string;
  /** The team whose balance pays; the user's own if not given. */
  teamId?: string | undefined;
  entries: readonly PricedEntry[];
  /** The caller's idempotency key, or null if none was given. */
  idempotencyKey: string | null;
  /** Distinguishes a repeated request from a different one with the same key. */
  requestHash: string;
  /** The balance, if it was just read. */
  balance?: Cents;
  /** Statements to write together with the order, or not at all. They find it by its uuid. */
  also?: (uuid: string) => D1PreparedStatement[];
}

interface PlacedOrder {
  order_id: number;
  order_uuid: string;
  total: Cents;
}

/** `placed`: new, or a repeat of an earlier request. The others wrote nothing. */
type PlaceOutcome =
  | { outcome: 'placed'; order: PlacedOrder }
  | { outcome: 'unpaid'; balance: Cents; total: Cents; uncovered: Cents }
  | { outcome: 'key_reused' }
  /** The team does not pay for this user, or not so much this month. */
  | { outcome: 'no_team'; why: 'not_leader' | 'over_limit' };

// Starts with a letter and is never a number, which distinguishes items from orders in `/v1/order/{id}`.
const newItemId = (): string => `i${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;

interface NewItem
  extends Pick<Item, 'id' | 'product_id' | 'game' | 'kingdom_id' | 'governors' | 'price_cents' | 'subtask_count'> {
  full_profile: 0 | 1;
  /** JSON. */
  details: string;
  /** Number of the item's first subtask within the order. Virtual deadlines count from it. */
  first: number;
}

/**
 * Creates one item per kingdom of each entry and splits the entry's price between them. An item's details name only its
 * own kingdom, because a thousand lists of a thousand kingdoms would not fit into a statement.
 */
function itemsOf(entries: readonly PricedEntry[]): NewItem[] {
  let first = 0;
  return entries.flatMap(({ product, entry, price }) => {
    const kingdoms = kingdomsOf(product, entry.params);
    const governors = numberOf(entry.params[product.governors]) ?? 0;
    const subtask_count = product.kind === 'scan' ? subtasksFor(governors, RANKS_PER_SUBTASK) : 0;
    return kingdoms.map((kingdom) => {
      const item: NewItem = {
        id: newItemId(),
        product_id: product.id,
        game: product.game,
        kingdom_id: Number(kingdom),
        governors,
        full_profile: entry.params.full_profile === true ? 1 : 0,
        price_cents: price / kingdoms.length,
        details: JSON.stringify(shownFields(product.fields, { ...entry.params, [product.kingdoms]: kingdom })),
        subtask_count,
        first,
      };
      first += subtask_count;
      return item;
    });
  });
}

// 1,000 items with details stay well under D1's 2 MB per value.
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
          `INSERT INTO subtasks (item_id, number, order_id, game, kingdom_id, due)
           SELECT item.value ->> 'id', number.value, orders.id, item.value ->> 'game', item.value ->> 'kingdom_id',
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

/** Returns the order that the same request has placed under its key. */
export async function placedBefore(
  db: Db,
  { userId, idempotencyKey, requestHash }: Pick<NewOrder, 'userId' | 'idempotencyKey' | 'requestHash'>,
): Promise<PlaceOutcome> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.user_id, userId), eq(orders.idempotency_key, idempotencyKey ?? '')));
  if (!order || order.request_hash !== requestHash) return { outcome: 'key_reused' };
  return { outcome: 'placed', order: { order_id: order.id, order_uuid: order.uuid, total: order.total_cents } };
}

const unpaid = async (db: Db, order: NewOrder): Promise<PlaceOutcome> => ({
  outcome: 'unpaid',
  balance: (await standingOf(db, order)).balance,
  total: totalOf(order),
  uncovered: order.teamId === undefined ? await uncoveredOf(db, order.userId) : 0,
});

/** Returns the balance that pays and whether this key has already placed an order. */
async function standingOf(
  db: Db,
  { userId, teamId, idempotencyKey }: NewOrder,
): Promise<{ repeated: 0 | 1; balance: Cents }> {
  const standing = await db.$client
    .prepare(
      `SELECT balance_cents AS balance, EXISTS (SELECT 1 FROM orders WHERE user_id = ?1 AND idempotency_key = ?2) AS repeated
       FROM ${teamId === undefined ? 'users WHERE id = ?1' : 'teams WHERE id = ?3'}`,
    )
    .bind(userId, idempotencyKey, ...(teamId === undefined ? [] : [teamId]))
    .first<{ repeated: 0 | 1; balance: Cents }>();
  return standing ?? { repeated: 0, balance: 0 };
}

/**
 * Returns the statements that place an order: charge, order, items and subtasks. The first returns the order's id. A
 * broken constraint fails the batch and says why nothing was placed.
 */
export function orderStatements(db: Db, order: NewOrder, uuid: string, now: number): D1PreparedStatement[] {
  const { userId, teamId, entries, idempotencyKey, requestHash } = order;
  const total = totalOf(order);
  return [
    db.$client
      .prepare(
        // A key that created a schedule makes user_id NULL, which fails the whole batch.
        `INSERT INTO orders (uuid, user_id, placed_at, total_cents, idempotency_key, request_hash, entries, team_id)
         VALUES (?1, CASE WHEN NOT EXISTS (SELECT 1 FROM schedules WHERE user_id = ?2 AND idempotency_key = ?5)
           THEN ?2 END, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id`,
      )
      .bind(
        ...[uuid, userId, now, total, idempotencyKey, requestHash],
        JSON.stringify(entries.map(({ entry }) => entry)),
        teamId ?? null,
      ),
    // The service's own orders are free and need no ledger entry.
    ...(total > 0
      ? [entryStatement(db, { userId, teamId, amount: -total, kind: 'charge', reference: `order:${uuid}` }, now)]
      : []),
    ...itemStatements(db, uuid, itemsOf(entries)),
    ...(order.also?.(uuid) ?? []),
  ];
}

/** Returns an order's price. */
export const totalOf = ({ entries }: NewOrder): Cents => entries.reduce((sum, { price }) => sum + price, 0);

/**
 * Places an order in one batch. The same idempotency key returns the first order.
 * Prices must come from `priceOf`.
 */
export async function writeOrder(db: Db, order: NewOrder, now = Date.now()): Promise<PlaceOutcome> {
  const uuid = crypto.randomUUID();
  const total = totalOf(order);
  // An early check, so that an order that cannot be paid costs little. The batch below decides.
  if (order.balance === undefined || order.balance < total) {
    const { repeated, balance } = await standingOf(db, order);
    if (repeated) return placedBefore(db, order);
    if (balance < total) return unpaid(db, order);
  }
  try {
    const results = await db.$client.batch<{ id: number }>(orderStatements(db, order, uuid, now));
    const orderId = results[0]?.results[0]?.id;
    if (orderId === undefined) throw new Error('D1 answered an order without its id');
    return { outcome: 'placed', order: { order_id: orderId, order_uuid: uuid, total } };
  } catch (error) {
    if (brokeConstraint(error, 'idempotency_key')) return placedBefore(db, order);
    if (brokeConstraint(error, 'orders.user_id')) return { outcome: 'key_reused' };
    if (brokeConstraint(error, 'no leader of the team')) return { outcome: 'no_team', why: 'not_leader' };
    if (brokeConstraint(error, 'monthly limit of the team')) return { outcome: 'no_team', why: 'over_limit' };
    if (brokeConstraint(error, 'balance_not_negative') || brokeConstraint(error, 'money taken back'))
      return unpaid(db, order);
    throw error;
  }
}
