import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { items, orders, users } from '../../db/schema.ts';
import { EVENTS_ACCOUNT } from '../events/gatherings.ts';
import { onlineBots } from '../fleet/bots.ts';

/** What admins see of the whole service. */

/** Returns the service's current figures and those of the last day. */
export async function serviceFigures(db: Db, now = Date.now()) {
  const since = now - DAY_MS;
  const counts = db.batch([
    db
      .select({
        users: sql<number>`count(*) FILTER (WHERE ${users.deleted_at} IS NULL)`,
        balances_cents: sql<number>`coalesce(sum(${users.balance_cents}) FILTER (WHERE ${users.deleted_at} IS NULL), 0)`,
      })
      .from(users),
    db
      .select({
        orders: sql<number>`count(DISTINCT ${items.order_id})`,
        // An order's total is the sum of its items' prices.
        charged_cents: sql<number>`coalesce(sum(${items.price_cents} - ${items.returned_cents}), 0)`,
      })
      .from(orders)
      .innerJoin(items, eq(items.order_id, orders.id))
      .where(and(gt(orders.placed_at, since), ne(orders.user_id, EVENTS_ACCOUNT))),
    db
      .select({ unfinished: sql<number>`coalesce(sum(${items.incomplete_count}), 0)` })
      .from(items)
      .where(sql`${items.state} IN ('open', 'finishing')`),
  ]);
  const [[[people], [day], [queue]], bots_online] = await Promise.all([counts, onlineBots(db, now)]);
  return {
    users: people?.users ?? 0,
    balances_cents: people?.balances_cents ?? 0,
    orders_last_day: day?.orders ?? 0,
    charged_last_day_cents: day?.charged_cents ?? 0,
    subtasks_waiting: queue?.unfinished ?? 0,
    bots_online,
  };
}

/** Returns totals of the service. */
export async function serviceTotals(db: Db) {
  const totals = await db.$client
    .prepare(
      `SELECT (SELECT count(*) FROM alerts WHERE cleared_at IS NULL) AS alerts,
         (SELECT count(*) FROM issue_reports WHERE answered_at IS NULL) AS reports,
         (SELECT coalesce(max(id), 0) FROM orders) AS orders,
         (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users`,
    )
    .first<{ alerts: number; reports: number; orders: number; users: number }>();
  return totals ?? { alerts: 0, reports: 0, orders: 0, users: 0 };
}
