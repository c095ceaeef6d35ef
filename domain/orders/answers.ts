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
        /** Whether it can be ordered now. */
        ready: z.boolean(),
        /** From when, where it opens later; null where it is open or nobody knows. */
        ready_from: moment.nullable(),
      }),
    ),
  }),
);

// --- Orders ---------------------------------------------------------------------------------------------------------

const item = z.object({
  item_id: z.string(),
  /** The product's id. */
  type: z.string(),
  group_name: z.string(),
  product_name: z.string(),
  details: z.record(z.string(), z.unknown()),
  kind: z.enum(SNAPSHOT_KINDS),
  game,
  kingdom_id: z.int(),
  governors: z.int(),
  full_profile: z.boolean(),
  price: z.number(),
  /** How much of the price came back to the balance. */
  returned: z.number(),
  /** When what could not be read comes back by itself unless it is repaired; null where nothing will. */
  returns_at: moment.nullable(),
  state: z.enum(ITEM_STATES),
  has_results: z.boolean(),
  subtask_count: count,
  incomplete_count: count,
  failed_count: count,
  /** What went wrong, as a sentence. */
  error: z.string().nullable(),
  /** Until when bots prepare a kingdom that is new to them. */
  preparing_until: moment.nullable(),
});

const order = z.object({
  order_id: z.int(),
  order_uuid: z.string(),
  /** The schedule whose run it is; null where it was placed by hand. */
  schedule_id: z.int().nullable(),
  placed_at: moment,
  total: z.number(),
  /** How much of it came back to the balance. */
  returned: z.number(),
  has_results: z.boolean(),
  is_done_loading: z.boolean(),
  /** How many of its items stand how. */
  standings: z.partialRecord(z.enum(STANDINGS), count),
  item_count: count,
  /** The first hundred. */
  items: z.array(item),
});

export const orderPage = z.object({
  orders: z.array(order),
  /** False when nothing on the page can change by itself. */
  live: z.boolean(),
  next,
});

export const itemHeader = item.extend({
  order_id: z.int(),
  item_count: count,
  monitored: z.boolean(),
  /** Results before and after repairs. */
  versions: z.array(z.object({ version: z.int(), captured_at: moment, rows: count })),
  captured_at: moment.nullable(),
  source: z.string().nullable(),
  rows: count.nullable(),
  /** How many rows have which quality. */
  quality: z.partialRecord(z.enum(QUALITIES), count).nullable(),
});

export const orderEntries = z.object({ entries: z.array(orderEntry) });

export const placed = z.object({
  schedule_id: z.int().nullable(),
  order_id: z.int().nullable(),
  order_uuid: z.string().nullable(),
  total: z.number(),
});

export const cancelled = z.object({
  /** Items. */
  cancelled: count,
  /** What of their price came back. */
  returned: z.number(),
});

export const repaired = z.object({
  /** Subtasks that bots work on again. */
  requeued: count,
  msg: z.string(),
});

export const reported = z.object({ report_id: z.int() });

export const share = z.object({
  share_id: z.string(),
  created_at: moment,
  expires_at: moment,
  /** The page that shows the results to whoever has this link. */
  path: z.string(),
  /** A short path that leads to it, for mails and chats. */
  short: z.string(),
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
      /** True where it shows the results of the whole order together. */
      combined: z.boolean(),
    }),
  ),
});

export const sharedResults = z.object({
  game,
  /** Histories have a row for each day. */
  kind: z.enum(SNAPSHOT_KINDS),
  /** True where it is the results of a whole order together, with the kingdom in each row. */
  combined: z.boolean(),
  /** The kingdom; of several, the first. */
  kingdom_id: z.int(),
  kingdom_count: count,
  /** The newest moment of what is shown. */
  captured_at: moment,
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
      /** `service`: because its last runs placed no order, as they say. Null where it is not paused. */
      paused_by: z.enum(['user', 'service']).nullable(),
      entries: z.array(orderEntry),
      /** Today's price of a run; null while one of its products cannot be ordered. */
      total: z.number().nullable(),
      orders: z.array(run),
    }),
  ),
});
