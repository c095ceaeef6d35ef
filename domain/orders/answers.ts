import * as z from 'zod';
import { next } from '../answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { SNAPSHOT_KINDS } from '../scans/layouts.ts';
import { QUALITIES } from '../scans/quality.ts';
import { orderEntry } from './contract.ts';
import { ITEM_STATES, STANDINGS } from './order.ts';
import { PERIODS } from './periods.ts';
import { RUN_OUTCOMES, SCHEDULE_STATES } from './schedule.ts';

/** Answers about orders: what routes answer with and clients are typed by. Amounts are dollars, moments epoch milliseconds. */

const moment = z.number();
const game = z.enum(GAME_IDS);
const count = z.int().min(0);

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
        ready_from: moment
          .nullable()
          .describe('From when, where it opens later; null where it is open or nobody knows.'),
      }),
    ),
  }),
);

// --- Orders ---------------------------------------------------------------------------------------------------------

const item = z.object({
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
  returned: z.number().describe('How much of the price came back to the balance.'),
  returns_at: moment
    .nullable()
    .describe('When what could not be read comes back by itself unless it is repaired; null where nothing will.'),
  state: z.enum(ITEM_STATES),
  has_results: z.boolean(),
  subtask_count: count,
  incomplete_count: count,
  failed_count: count,
  error: z.string().nullable().describe('What went wrong, as a sentence; null if nothing did.'),
  preparing_until: moment
    .nullable()
    .describe('Until when bots prepare a kingdom that is new to them, in epoch milliseconds; null if they do not.'),
});

export const order = z.object({
  order_id: z.int(),
  order_uuid: z.string(),
  schedule_id: z.int().nullable().describe('The schedule whose run it is; null where it was placed by hand.'),
  placed_at: moment,
  total: z.number(),
  returned: z.number().describe('How much of it came back to the balance.'),
  has_results: z.boolean(),
  is_done_loading: z
    .boolean()
    .describe('True once every item has ended, with results or without: a script polls this field and then downloads.'),
  standings: z.partialRecord(z.enum(STANDINGS), count).describe('How many of its items stand how.'),
  item_count: count,
  items: z.array(item).describe('The first hundred.'),
});

export const orderPage = z.object({
  orders: z.array(order),
  live: z.boolean().describe('False when nothing on the page can change by itself.'),
  next,
});

export const itemHeader = item.extend({
  order_id: z.int(),
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
    .describe('How many rows have which quality; null before there are results.'),
});

export const orderEntries = z.object({ entries: z.array(orderEntry) });

export const placed = z.object({
  schedule_id: z.int().nullable(),
  order_id: z.int().nullable(),
  order_uuid: z.string().nullable(),
  total: z.number(),
});

export const cancelled = z.object({
  cancelled: count.describe('How many items were cancelled.'),
  returned: z.number().describe('What of their price came back.'),
});

export const repaired = z.object({
  requeued: count.describe('Subtasks that bots work on again.'),
  msg: z.string(),
});

export const reported = z.object({ report_id: z.int() });

export const share = z.object({
  share_id: z.string(),
  created_at: moment,
  expires_at: moment,
  path: z.string().describe('The page that shows the results to whoever has this link.'),
  short: z.string().describe('A short path that leads to it, for mails and chats.'),
});

export const shareList = z.object({ shares: z.array(share) });

/** Every link of an account that works, with what it shows. */
export const accountShares = z.object({
  shares: z.array(
    share.extend({
      item_id: z.string(),
      order_id: z.int(),
      game,
      kingdom_id: z.int(),
      combined: z.boolean().describe('True where it shows the results of the whole order together.'),
    }),
  ),
});

export const sharedResults = z.object({
  game,
  kind: z.enum(SNAPSHOT_KINDS).describe('Histories have a row for each day.'),
  combined: z
    .boolean()
    .describe('True where it is the results of a whole order together, with the kingdom in each row.'),
  kingdom_id: z.int().describe('The kingdom; of several, the first.'),
  kingdom_count: count,
  captured_at: moment.describe('The newest moment of what is shown.'),
  rows: count,
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
        .enum(['user', 'service'])
        .nullable()
        .describe('`service`: because its last runs placed no order, as they say. Null where it is not paused.'),
      entries: z.array(orderEntry),
      total: z
        .number()
        .nullable()
        .describe("Today's price of a run; null while one of its products cannot be ordered."),
      orders: z.array(run),
    }),
  ),
});
