import type * as z from 'zod';
import { dollars } from '../../../domain/money/money.ts';
import type { AdminOrdersQuery, adminOrder, adminOrders } from '../../../domain/orders/admin-contract.ts';
import { isBad, type Quality } from '../../../domain/scans/quality.ts';
import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { listAllOrders } from '../../models/orders/all-orders.ts';
import { scheduleOfRun } from '../../models/orders/schedule-runs.ts';
import { type WholeOrder, wholeOrder } from '../../models/orders/whole-order.ts';
import { timelineOf } from './order-timeline.ts';
import { itemAnswer } from './show-orders.ts';

/** Returns a page of all users' orders. */
export async function showAllOrders(db: Db, wanted: AdminOrdersQuery): Promise<z.infer<typeof adminOrders>> {
  const { orders, next } = await listAllOrders(db, wanted);
  return {
    orders: orders.map(({ total_cents, returned_cents, ...order }) => ({
      ...order,
      total: dollars(total_cents),
      returned: dollars(returned_cents),
    })),
    next,
  };
}

const flawedRows = (quality: string): number =>
  Object.entries(JSON.parse(quality) as Record<Quality, number>).reduce(
    (sum, [each, rows]) => sum + (isBad(each as Quality) ? rows : 0),
    0,
  );

function itemsOf({ items, work, snapshots }: WholeOrder): z.infer<typeof adminOrder>['items'] {
  const workOf = Map.groupBy(work, ({ item_id }) => item_id);
  const snapshotsOf = Map.groupBy(snapshots, ({ item_id }) => item_id);
  return items.map((item) => {
    const subtasks: Record<string, number> = {};
    for (const each of workOf.get(item.id) ?? []) subtasks[each.state] = (subtasks[each.state] ?? 0) + each.subtasks;
    return {
      ...itemAnswer(item),
      version: item.version,
      finished_at: item.finished_at,
      trouble: item.trouble,
      subtasks,
      snapshots: (snapshotsOf.get(item.id) ?? []).map(({ version, captured_at, rows, quality }) => ({
        ...{ version, captured_at, rows },
        flawed: flawedRows(quality),
      })),
    };
  });
}

/** Returns one order with everything that happened to it. @throws Refusal not_found. */
export async function showAnyOrder(db: Db, orderId: number): Promise<z.infer<typeof adminOrder>> {
  const whole = await wholeOrder(db, orderId);
  if (!whole) throw notFound('order');
  const { order, item_count, returned_cents, standings, ledger, reports } = whole;
  return {
    order_id: order.id,
    order_uuid: order.uuid,
    user_id: order.user_id,
    username: order.username,
    email: order.email,
    schedule_id: scheduleOfRun(order),
    placed_at: order.placed_at,
    total: dollars(order.total_cents),
    returned: dollars(returned_cents),
    item_count,
    standings,
    open_reports: reports.filter(({ answered_at }) => answered_at === null).length,
    items: itemsOf(whole),
    timeline: timelineOf(whole),
    ledger: ledger.map(({ amount_cents, ...entry }) => ({ ...entry, amount: dollars(amount_cents) })),
    reports: reports.map(({ id, user_id: _, order_id: __, ...report }) => ({ report_id: id, ...report })),
  };
}
