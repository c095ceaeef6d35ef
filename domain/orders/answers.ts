import * as z from 'zod';
import { count, moment, next } from '../answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { resultSums } from '../scans/answers.ts';
import { SNAPSHOT_KINDS } from '../scans/layouts.ts';
import { QUALITIES } from '../scans/quality.ts';
import { ROWS_AT_ONCE } from '../scans/results.ts';
import { orderEntry } from './contract.ts';
import { ITEM_STATES, STANDINGS } from './order.ts';
import { PERIODS } from './periods.ts';
import { RUN_OUTCOMES, SCHEDULE_STATES } from './schedule.ts';

/**
 * Answers about orders, used by routes and by the clients' types. Amounts are in dollars, times in epoch milliseconds.
 */

const game = z.enum(GAME_IDS);

// --- What is for sale -----------------------------------------------------------------------------------------------

const field = z.object({
  name: z.string(),
  display: z.string(),
  type: z.enum(['boolean', 'list', 'text']),
  options: z.array(z.string()).readonly().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  price_per_unit: z.literal(true).optional(),
  initial: z.union([z.string(), z.boolean()]).optional(),
  help: z.string().optional(),
});

export const productGroups = z.array(
  z.object({
    name: z.string(),
    items: z.array(
      z.object({
        item_id: z.int(),
        id: z.string(),
        game,
        group: z.string(),
        name: z.string(),
        description: z.string(),
        kind: z.enum(SNAPSHOT_KINDS),
        price: z.number(),
        price_field: z.string().nullable(),
        price_extra: z.number().nullable(),
        price_chunk: z.number().nullable(),
        kingdoms: z.string(),
        governors: z.string(),
        fields: z.array(field).readonly(),
        ready: z.boolean().describe('Whether it can be ordered now.'),
        ready_from: moment.nullable().describe('When it opens; null if it is open already or the date is unknown.'),
        paused: z
          .string()
          .nullable()
          .describe('Why it cannot be ordered for now, as a sentence; null if it is not paused.'),
      }),
    ),
  }),
);

// --- Orders ---------------------------------------------------------------------------------------------------------

export const item = z.object({
  item_id: z.string(),
  type: z.string().describe("The product's id."),
  group_name: z.string(),
  product_name: z.string(),
  details: z.record(z.string(), z.unknown()),
  kind: z.enum(SNAPSHOT_KINDS),
  game,
  kingdom_id: z.int(),
  governors: z.int(),
  full_profile: z.boolean(),
  price: z.number(),
  returned: z.number().describe('Part of the price returned to the balance.'),
  returns_at: moment
    .nullable()
    .describe(
      'When the price of unread governors returns to the balance, unless they are repaired before; null if nothing will return.',
    ),
  state: z.enum(ITEM_STATES),
  has_results: z.boolean(),
  subtask_count: count,
  incomplete_count: count,
  failed_count: count,
  error: z.string().nullable().describe('The error as a sentence; null if there is none.'),
  preparing_until: moment
    .nullable()
    .describe(
      'Until when bots prepare a kingdom that is new to them, in epoch milliseconds; null if they are not preparing.',
    ),
});

/** Message of the socket of orders (GET /v1/orders/live): the items whose progress changed. */
export const progressMessage = z.object({
  type: z.literal('progress'),
  order_id: z.int(),
  bookmark: z
    .string()
    .nullable()
    .describe(
      'Sent back as the header `x-bookmark`, makes a read see at least this progress. Null if nothing was written.',
    ),
  items: z.array(
    item.pick({
      item_id: true,
      state: true,
      has_results: true,
      subtask_count: true,
      incomplete_count: true,
      failed_count: true,
      preparing_until: true,
    }),
  ),
  finished: z.boolean().describe('True if no item of the order can change without an action of the user.'),
});
export type ProgressMessage = z.infer<typeof progressMessage>;
export type ItemProgress = ProgressMessage['items'][number];

const own = z.boolean().describe('True if you placed the order. Members of the team that paid only read it.');

export const order = z.object({
  order_id: z.int(),
  order_uuid: z.string(),
  schedule_id: z.int().nullable().describe('The schedule that placed it; null if it was placed by hand.'),
  placed_at: moment,
  team_id: z.string().nullable().describe('The team whose balance paid; null if yours did.'),
  total: z.number(),
  returned: z.number().describe('Part of it returned to the balance.'),
  has_results: z.boolean(),
  is_done_loading: z
    .boolean()
    .describe(
      'True once every item has ended, with or without results. Scripts can poll this field and then download.',
    ),
  standings: z.partialRecord(z.enum(STANDINGS), count).describe('Number of items by status.'),
  item_count: count,
  items: z.array(item).describe('The first hundred.'),
  reports: z
    .array(
      z.object({
        report_id: z.int(),
        item_id: z.string().nullable(),
        message: z.string(),
        created_at: moment,
        answer: z.string().nullable(),
        answered_at: moment.nullable().describe('When it was answered, or closed without an answer; null before.'),
      }),
    )
    .describe('Issues that the user reported about the order, oldest first.'),
});

export const orderPage = z.object({
  orders: z.array(order),
  live: z.boolean().describe('False if nothing on the page will change without an action of the user.'),
  next,
});

export const itemHeader = item.extend({
  order_id: z.int(),
  own,
  item_count: count,
  monitored: z.boolean(),
  versions: z
    .array(z.object({ version: z.int(), captured_at: moment, rows: count }))
    .describe('Results before and after repairs.'),
  captured_at: moment.nullable(),
  source: z.string().nullable(),
  rows: count.nullable(),
  quality: z
    .partialRecord(z.enum(QUALITIES), count)
    .nullable()
    .describe('Number of rows by quality; null before there are results.'),
});

export const orderEntries = z.object({ entries: z.array(orderEntry) });

export const placed = z.object({
  schedule_id: z.int().nullable(),
  order_id: z.int().nullable(),
  order_uuid: z.string().nullable(),
  total: z.number(),
});

export const cancelled = z.object({
  cancelled: count.describe('Number of items cancelled.'),
  returned: z.number().describe('Part of their price returned to the balance.'),
});

export const repaired = z.object({
  requeued: count.describe('Number of subtasks put back for bots.'),
  msg: z.string(),
});

export const reported = z.object({ report_id: z.int() });

export const share = z.object({
  share_id: z.string(),
  created_at: moment,
  expires_at: moment,
  path: z.string().describe('Path of the page that shows the results to anyone with the link.'),
  short: z.string().describe('A short path to the same page, for mails and chats.'),
});

export const shareList = z.object({ shares: z.array(share) });

/** All active links of an account, with what they show. */
export const accountShares = z.object({
  shares: z.array(
    share.extend({
      item_id: z.string(),
      order_id: z.int(),
      game,
      kingdom_id: z.int(),
      combined: z.boolean().describe('True if it shows the results of the whole order together.'),
    }),
  ),
});

export const sharedResults = z.object({
  game,
  kind: z.enum(SNAPSHOT_KINDS).describe('Histories have a row for each day.'),
  combined: z
    .boolean()
    .describe('True if it shows the results of a whole order together, with the kingdom in each row.'),
  kingdom_id: z.int().describe('The kingdom; the first one if there are several.'),
  kingdom_count: count,
  captured_at: moment.describe('Time of the newest scan shown.'),
  by_file_time: z
    .boolean()
    .describe('True if a scan in it does not say when it was made, so that the time of its file stands for it.'),
  rows: count,
  sums: resultSums
    .nullable()
    .describe(`Totals, on the last day of histories; null if the rows are of several kinds or above ${ROWS_AT_ONCE}.`),
  expires_at: moment,
});

// --- Schedules ------------------------------------------------------------------------------------------------------

const run = z.object({
  time: moment,
  outcome: z.enum(RUN_OUTCOMES),
  note: z.string().nullable(),
  order_id: z.int().nullable(),
  item_id: z.string().nullable(),
  item_count: count,
  running: z.boolean(),
  has_results: z.boolean(),
  downloadable: z.boolean(),
  not_downloadable: z.boolean(),
});

export const scheduleList = z.object({
  scheduled: z.array(
    z.object({
      schedule_id: z.int(),
      start_at: moment,
      end_at: moment.nullable(),
      next_at: moment.nullable(),
      period: z.enum(PERIODS),
      interval: z.int(),
      state: z.enum(SCHEDULE_STATES),
      paused_by: z
        .enum(['user', 'service', 'admin'])
        .nullable()
        .describe(
          '`service` if it was paused because its last runs placed no order; each run says why. `admin` if it was paused because the account was locked. Null if it is not paused.',
        ),
      entries: z.array(orderEntry),
      total: z
        .number()
        .nullable()
        .describe('Current price of a run; null while one of its products cannot be ordered.'),
      orders: z.array(run).describe('The last runs, newest first.'),
    }),
  ),
});
