import type { EntryKind } from '../../../domain/money/ledger.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { Standings } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import type { audit_entries, failed_attempts, issue_reports } from '../../db/schema.ts';
import { snapshotsOfItems } from '../scans/snapshots.ts';
import { FINISHING_ITEMS } from '../service/job-failures.ts';
import { type Item, type Order, standingSql } from './orders.ts';

/** Everything that is known of one order, for admins, read in one trip. */

/** How much of a huge order is shown. */
const MOST_ITEMS = 200;
const MOST_LINES = 300;

/** What one bot did for one item. Times are of the first lease and the last hand-in. */
interface BotWork {
  item_id: string;
  /** `group/bot`. */
  bot_id: string;
  state: 'waiting' | 'leased' | 'done' | 'failed' | 'cancelled';
  subtasks: number;
  leased_at: number | null;
  ended_at: number | null;
  error: string | null;
}

export interface WholeOrder {
  order: Order & { username: string; email: string };
  items: (Item & { trouble: string | null })[];
  item_count: number;
  returned_cents: Cents;
  /** Counts of all items by standing, listed or not. */
  standings: Standings;
  work: BotWork[];
  attempts: (typeof failed_attempts.$inferSelect)[];
  snapshots: {
    item_id: string;
    version: number;
    captured_at: number;
    created_at: number;
    rows: number;
    quality: string;
  }[];
  ledger: { entry_id: number; created_at: number; kind: EntryKind; amount_cents: Cents; note: string }[];
  reports: (typeof issue_reports.$inferSelect)[];
  acts: (Pick<typeof audit_entries.$inferSelect, 'at' | 'action' | 'detail'> & { by: string })[];
}

/** Returns the audit subject of an order. */
export const orderSubject = (orderId: number): string => `order:${orderId}`;

const SHOWN = `
  SELECT id FROM items WHERE order_id = ?1
  ORDER BY state IN ('done', 'cancelled'), position LIMIT ${MOST_ITEMS}`;
const UUID = '(SELECT uuid FROM orders WHERE id = ?1)';
const USER = '(SELECT user_id FROM orders WHERE id = ?1)';

/** Returns an order with its history; null if there is none with this number. */
export async function wholeOrder(db: Db, orderId: number): Promise<WholeOrder | null> {
  const statement = (sql: string, ...more: unknown[]) => db.$client.prepare(sql).bind(orderId, ...more);
  const answers = await db.$client.batch([
    statement(
      `SELECT orders.*, users.username, users.email FROM orders JOIN users ON users.id = orders.user_id WHERE orders.id = ?1`,
    ),
    statement(
      `SELECT items.*, (SELECT coalesce(error, 'It is being retried.') FROM setbacks
         WHERE job = '${FINISHING_ITEMS}' AND subject = items.id) AS trouble
       FROM items WHERE id IN (${SHOWN}) ORDER BY position`,
    ),
    statement(
      `SELECT coalesce(sum(count), 0) AS item_count, coalesce(sum(returned), 0) AS returned_cents,
         json_group_object(standing, count) AS standings
       FROM (SELECT ${standingSql('items')} AS standing, count(*) AS count, sum(returned_cents) AS returned FROM items
         WHERE order_id = ?1 GROUP BY 1)`,
    ),
    statement(
      `SELECT item_id, coalesce(bot_id, '') AS bot_id, state, count(*) AS subtasks, min(leased_at) AS leased_at,
         max(ended_at) AS ended_at, max(error) AS error
       FROM subtasks WHERE item_id IN (${SHOWN}) GROUP BY item_id, bot_id, state LIMIT ${MOST_LINES * 2}`,
    ),
    statement(`SELECT * FROM failed_attempts WHERE order_id = ?1 ORDER BY id DESC LIMIT ${MOST_LINES}`),
    statement(
      `SELECT item_id, version, captured_at, created_at, rows, quality FROM (${snapshotsOfItems(`IN (${SHOWN})`)})
       ORDER BY item_id, version LIMIT ${MOST_LINES}`,
    ),
    statement(
      // Ranges of the unique index on references: text that starts with the prefix.
      `SELECT id AS entry_id, created_at, kind, amount_cents, note FROM ledger_entries
       WHERE reference = 'order:' || ${UUID}
         OR reference >= 'return:' || ${UUID} AND reference < 'return:' || ${UUID} || ';'
       ORDER BY id LIMIT ${MOST_LINES}`,
    ),
    statement(`SELECT * FROM issue_reports WHERE order_id = ?1 ORDER BY id LIMIT ${MOST_LINES}`),
    statement(
      `SELECT at, action, detail, coalesce((SELECT username FROM users WHERE id = substr(actor, 7)), actor) AS by
       FROM audit_entries WHERE user_id = ${USER} AND subject = ?2 ORDER BY id LIMIT ${MOST_LINES}`,
      orderSubject(orderId),
    ),
  ]);
  const [[order], items, [sums], work, attempts, snapshots, ledger, reports, acts] = answers.map(
    ({ results }) => results,
  ) as [
    [WholeOrder['order'] | undefined],
    WholeOrder['items'],
    [Pick<WholeOrder, 'item_count' | 'returned_cents'> & { standings: string }],
    BotWork[],
    WholeOrder['attempts'],
    WholeOrder['snapshots'],
    WholeOrder['ledger'],
    WholeOrder['reports'],
    WholeOrder['acts'],
  ];
  if (!order) return null;
  return {
    order,
    // SQLite returns booleans as numbers.
    items: items.map((item) => ({ ...item, full_profile: Boolean(item.full_profile) })),
    ...sums,
    standings: JSON.parse(sums.standings) as Standings,
    work,
    attempts,
    snapshots,
    ledger,
    reports,
    acts,
  };
}

/** What an act on an order's items needs of them. */
export interface ActedOrder {
  user_id: string;
  items: Pick<Item, 'id' | 'state' | 'snapshot_id' | 'subtask_count' | 'returned_cents'>[];
}

/** Returns the items of an order that its page shows, or the one given; null if there is no such order. */
export async function orderToAct(db: Db, orderId: number, itemId: string | null): Promise<ActedOrder | null> {
  const [orders, items] = (await db.$client.batch([
    db.$client.prepare('SELECT user_id FROM orders WHERE id = ?').bind(orderId),
    db.$client
      .prepare(
        `SELECT id, state, snapshot_id, subtask_count, returned_cents FROM items
         WHERE order_id = ?1 AND id IN (SELECT ?2 UNION ALL SELECT id FROM (${SHOWN}) WHERE ?2 IS NULL)
         ORDER BY position`,
      )
      .bind(orderId, itemId),
  ])) as [D1Result<Pick<ActedOrder, 'user_id'>>, D1Result<ActedOrder['items'][number]>];
  const [order] = orders.results;
  return order ? { ...order, items: items.results } : null;
}
