import type { Locale } from '../../../domain/language/locales.ts';
import { RETURN_AFTER_MS } from '../../../domain/orders/order.ts';
import { NOT_DELIVERED, NOT_REPAIRED } from '../../../domain/orders/reasons.ts';
import type { Db } from '../../db/open.ts';
import { isActiveAdminSql } from '../accounts/user.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { undeliveredMail } from '../messages/user-mails.ts';
import { cancelledStatements, shortfallStatements } from '../money/returns.ts';
import { FINISHING_ITEMS, notInBackoffSql, succeededStatement } from '../service/job-failures.ts';
import { FINISHING } from './finishing.ts';

/**
 * Items that are not done a day after they were ordered or repaired. Undelivered parts are refunded, and owners and
 * admins are notified.
 */

const AT_ONCE = 50;

export interface Undelivered {
  item_id: string;
  order_id: number;
  user_id: string;
  username: string;
  /** The owner's. */
  language: Locale | null;
  version: number;
  has_results: number;
  /** Number of governors in its results; 0 if there are none. */
  got: number;
}

/** An item that was given up, to report to the order object. */
export interface GivenUp {
  item_id: string;
  order_id: number;
  /** False: the item was cancelled. True: its results stay, without the failed parts. */
  has_results: boolean;
}

/** SQL: ended with failed parts that nobody repaired. `before` is SQL of a time. */
const unrepaired = (before: string): string =>
  `(items.failed_count > 0 AND items.state IN ('failed', 'done') AND items.finished_at <= ${before})`;

/** SQL: neither delivered nor failed. */
const unfinished = (before: string): string =>
  `(items.state IN ('open', 'finishing') AND coalesce(items.repaired_at,
    (SELECT placed_at FROM orders WHERE orders.id = items.order_id)) <= ${before})`;

/** Name of the job that gives up these items. */
export const GIVING_UP = 'items given up';

/** Returns items to give up, except those in backoff after a failure. */
export async function undeliveredItems(db: Db, now: number): Promise<Undelivered[]> {
  const { results } = await db.$client
    .prepare(
      // Two queries, so that each uses its partial index.
      `SELECT items.id AS item_id, items.order_id, orders.user_id, users.username, users.language,
         items.version,
         snapshot_id IS NOT NULL AS has_results, coalesce(snapshots.rows, 0) AS got
       FROM items JOIN orders ON orders.id = items.order_id JOIN users ON users.id = orders.user_id
       LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
       WHERE items.id IN (
           SELECT id FROM items WHERE ${unrepaired('?1')} UNION ALL SELECT id FROM items WHERE ${unfinished('?1')})
         AND ${notInBackoffSql(GIVING_UP, 'items.id', 2)}
       ORDER BY orders.placed_at, items.id LIMIT ${AT_ONCE}`,
    )
    .bind(now - RETURN_AFTER_MS, now)
    .all<Undelivered>();
  return results;
}

const REASON = `CASE WHEN state = 'failed' THEN '${NOT_REPAIRED}' ELSE '${NOT_DELIVERED}' END`;

/** Mails are grouped: one a day per order to its owner, one in ten minutes to each admin. */
const DAY = `strftime('%Y-%m-%d', ?2 / 1000, 'unixepoch')`;
const TEN_MINUTES = `CAST(?2 / 600000 AS INTEGER)`;

const MOST_TOLD = 4000;

/**
 * Returns the statements that notify an item's owner, in the current language, and the admins with the reason if known.
 * They come first in the batch.
 */
function toldStatements(db: Db, undelivered: Undelivered, origin: string, now: number): D1PreparedStatement[] {
  const { subject, text, language } = undeliveredMail(undelivered, origin);
  const before = now - RETURN_AFTER_MS;
  const due = `items.id = ?3 AND (${unrepaired('?1')} OR ${unfinished('?1')})`;
  const line = `items.game || ' ' || items.kingdom_id || ', order #' || orders.id || ', item ' || items.id || ' (' || items.state || '): '
    || coalesce((SELECT error FROM setbacks WHERE job = '${FINISHING_ITEMS}' AND subject = items.id), items.error, 'no reason known')`;
  return [
    db.$client
      .prepare(
        `INSERT INTO outbox (reference, recipient, subject, text, language, created_at, next_at)
         SELECT 'undelivered:' || orders.uuid || ':' || ${DAY}, users.email, ?4, ?5, ?6, ?2, ?2
         FROM items JOIN orders ON orders.id = items.order_id JOIN users ON users.id = orders.user_id
         WHERE ${due} AND users.deleted_at IS NULL
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(before, now, undelivered.item_id, subject, text, language),
    db.$client
      .prepare(
        // A mail not yet sent gets further lines. Admins find the rest in the list of orders.
        `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
         SELECT 'undelivered:' || users.id || ':' || ${TEN_MINUTES}, users.email, 'Trouble: items not delivered',
           'These items were not delivered within 24 hours and were refunded (' || ?4 || '/admin/orders):'
           || char(10, 10) || ${line}, ?2, ?2
         FROM items JOIN orders ON orders.id = items.order_id JOIN users ON ${isActiveAdminSql('users')}
         WHERE ${due}
         ON CONFLICT (reference) DO UPDATE SET
           text = outbox.text || char(10) || substr(excluded.text, instr(excluded.text, char(10, 10)) + 2)
         WHERE outbox.sent_at IS NULL AND length(outbox.text) < ${MOST_TOLD}`,
      )
      .bind(before, now, undelivered.item_id, origin),
  ];
}

/**
 * Refunds what an item lacks: the whole price if it has no rows, otherwise its missing chunks. Bots stop working on it.
 * Nothing is refunded twice: a repeated or concurrent call returns null.
 */
export async function giveUpItem(db: Db, item: Undelivered, origin: string, now: number): Promise<GivenUp | null> {
  const { item_id, order_id, user_id, version, has_results, got } = item;
  const before = now - RETURN_AFTER_MS;
  const due = `(${unrepaired('?1')} OR ${unfinished('?1')})`;
  const told = toldStatements(db, item, origin, now);
  const answers = await db.$client.batch<{ id: string }>([
    ...told,
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'cancelled', lease = NULL
         WHERE item_id = ?2 AND state IN ('waiting', 'leased', 'failed')
           AND EXISTS (SELECT 1 FROM items WHERE id = ?2 AND ${due})`,
      )
      .bind(before, item_id),
    db.$client
      .prepare(
        `UPDATE items SET incomplete_count = 0, error = coalesce(error || ' ', '') || ${REASON},
           finished_at = CASE state WHEN 'done' THEN finished_at ELSE ?2 END,
           state = CASE WHEN snapshot_id IS NULL THEN 'cancelled' ELSE 'done' END
         WHERE id = ?3 AND ${due} RETURNING id`,
      )
      .bind(before, now, item_id),
    ...cancelledStatements(db, { orderId: order_id, userId: user_id }, now),
    // An item with results has no failed parts now; one without results keeps the reason.
    ...(has_results ? [recountStatement(db, { items: [item_id] })] : []),
    ...shortfallStatements(db, { itemId: item_id, version, userId: user_id, got }, now),
    ...[FINISHING_ITEMS, FINISHING].map((job) => succeededStatement(db, { job, subject: item_id })),
  ]);
  const ended = answers[told.length + 1]?.results.length;
  return ended ? { item_id, order_id, has_results: has_results === 1 } : null;
}
