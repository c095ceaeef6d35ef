import * as z from 'zod';
import { count, moment, next } from '../answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { ENTRY_KINDS } from '../money/ledger.ts';
import { centsOf } from '../money/money.ts';
import { code, reason } from '../reason.ts';
import { item } from './answers.ts';
import { orderId, orderListQuery } from './contract.ts';
import { STANDINGS } from './order.ts';
import { REPORT_STATES } from './order-states.ts';

/** Calls of admins about orders, and their answers. Amounts are in dollars, times in epoch milliseconds. */

export const adminOrdersQuery = orderListQuery.omit({ schedule: true }).extend({
  search: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe("An order's number or UUID, an item, a kingdom, or a part of a user's name or mail address"),
  user: z.string().trim().max(100).optional().describe('Orders of the user with this name'),
});
export type AdminOrdersQuery = z.output<typeof adminOrdersQuery>;

const head = z.object({
  order_id: z.int(),
  placed_at: moment,
  username: z.string(),
  total: z.number(),
  returned: z.number(),
  item_count: count,
  standings: z.partialRecord(z.enum(STANDINGS), count).describe('Number of items by status.'),
  open_reports: count.describe('Reports of the user about this order that wait for an answer.'),
});

export const adminOrders = z.object({ orders: z.array(head), next });

export const adminOrderParam = z.object({
  order_id: orderId.describe('An order: `order_id` of GET /v1/admin/orders.'),
});

const report = z.object({
  report_id: z.int(),
  item_id: z.string().nullable(),
  message: z.string(),
  rows: z.string().describe('Ids of governors, separated by commas.'),
  created_at: moment,
  answer: z.string().nullable(),
  answered_at: moment.nullable().describe('When it was answered, or closed without an answer; null before.'),
});

/** One order with everything that happened to it. */
export const adminOrder = head.extend({
  order_uuid: z.string(),
  user_id: z.string().describe('Id of the user.'),
  email: z.string(),
  schedule_id: z.int().nullable(),
  items: z
    .array(
      item.extend({
        version: z.int().describe('1, and one more for each repair.'),
        finished_at: moment.nullable().describe('When it ended; null before.'),
        trouble: z.string().nullable().describe('Why its results could not be written yet; null if nothing failed.'),
        subtasks: z
          .partialRecord(z.enum(['waiting', 'leased', 'done', 'failed', 'cancelled']), count)
          .describe('Number of subtasks by state.'),
        snapshots: z
          .array(z.object({ version: z.int(), captured_at: moment, rows: count, flawed: count }))
          .describe('Results, the newest version last; `flawed` counts rows of bad quality.'),
      }),
    )
    .describe('The first two hundred, those that are not done first.'),
  timeline: z
    .array(
      z.object({
        at: moment,
        kind: z.enum(['money', 'bot', 'failure', 'result', 'report', 'admin', 'order']),
        text: z.string(),
        item_id: z.string().nullable(),
      }),
    )
    .describe('What happened, oldest first.'),
  ledger: z.array(
    z.object({
      entry_id: z.int(),
      created_at: moment,
      kind: z.enum(ENTRY_KINDS),
      amount: z.number(),
      note: z.string(),
    }),
  ),
  reports: z.array(report),
});

export const ORDER_ACTS = ['retry', 'repair', 'cancel', 'finish'] as const;
export type OrderAct = (typeof ORDER_ACTS)[number];

export const orderActParam = adminOrderParam.extend({ act: z.enum(ORDER_ACTS).describe('What to do.') });

export const orderAct = z.strictObject({
  item_id: z.string().max(64).nullable().default(null).describe('One item; null for all items of the order.'),
  reason,
});

export const orderActed = z.object({
  items: count.describe('Number of items changed.'),
  msg: z.string(),
});

export const ORDERS_ACTS = ['retry', 'cancel'] as const satisfies readonly OrderAct[];
export type OrdersAct = (typeof ORDERS_ACTS)[number];

export const ordersActParam = z.object({ act: z.enum(ORDERS_ACTS).describe('What to do.') });

/** The orders and items that an act on all orders of a filter would change. */
export const ordersMatching = z.object({
  orders: count.describe('Number of orders with an item that allows the act.'),
  items: count.describe('Number of these items.'),
  price: z.number().describe('What they cost, less what was returned.'),
  newest: z.int().nullable().describe('The newest of these orders; null if there is none.'),
});

/** Body of POST /v1/admin/orders/matching/{act}. */
export const ordersAct = z.strictObject({
  round: z.uuid('must be a UUID.').describe('Identifies one bulk act. All calls that continue it send the same UUID.'),
  reason,
  code,
});

export const ordersActed = z.object({
  orders: count.describe('Number of orders changed by this call.'),
  items: count.describe('Number of items changed by this call.'),
  next,
});

export const moneyReturn = z.strictObject({
  item_id: z.string().max(64),
  amount: z
    .number('must be a number of dollars.')
    .refine((amount) => (centsOf(amount) ?? 0) > 0, 'must be whole cents above zero.')
    .transform((amount) => centsOf(amount) ?? 0)
    .describe('Dollars, at most what was paid for the item and not returned yet.'),
  reason: reason.describe('A sentence that the user reads in the statement.'),
  code,
});

export const moneyReturned = z.object({ returned: z.number().describe('What was returned for this item in all.') });

// --- Reports --------------------------------------------------------------------------------------------------------

const rowOfReport = z.int().positive();

export const reportsQuery = z.object({
  open: z.enum(['true', 'false'], 'must be true or false').default('false'),
  state: z.enum(REPORT_STATES).optional(),
  order: orderId.optional().describe('Reports about this order'),
  before: orderId.optional().describe('Reports older than this one'),
});

/** Body of POST /v1/admin/reports/close. */
export const reportsClosing = z.strictObject({
  up_to: rowOfReport.describe('The newest report that was shown: later ones stay open.'),
  order: rowOfReport
    .nullable()
    .default(null)
    .describe('Only reports about this order; null for reports about any order.'),
  reason,
});

export const reportsClosed = z.object({
  reports: count.describe('Number of reports closed.'),
  left: count.describe('Number of these reports that are still open: another call closes them.'),
});

/** Answer of GET /v1/admin/reports, newest first. */
export const reportedIssues = z.object({
  open_count: count.describe('Number of open reports, of the order if one is given.'),
  reports: z.array(
    report.extend({
      order_id: z.int(),
      username: z.string(),
      game: z.enum(GAME_IDS).nullable(),
      kingdom_id: z.int().nullable().describe('The kingdom of the item; null if the report is about the order.'),
    }),
  ),
  next,
});
