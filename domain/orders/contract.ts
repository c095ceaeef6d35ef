import * as z from 'zod';
import { MAX_KINGDOM } from '../games/game-names.ts';
import { GAME_IDS } from '../games/games.ts';
import { formRecord, ownRecord } from '../records.ts';
import { DOWNLOAD_TYPES, MAX_PAGE_ROWS } from '../scans/results.ts';
import type { WireColumns } from '../scans/rows.ts';
import { ITEM, UUID } from './ids.ts';
import { MAX_WATCHED } from './order.ts';
import { ORDER_STATES, type OrderState } from './order-states.ts';
import { scheduleInfo } from './schedule-contract.ts';

/** Payloads of the orders API. Routes validate with these schemas, and clients take their types from them. */

/** Maximum size of a call that places an order. 5,000 kingdoms, as parameters and as displayed, take half of it. */
export const MAX_ORDER_BYTES = 200_000;

export const orderEntry = z.object({
  type: z.string().min(1).max(100),
  group_name: z.string().max(100).optional(),
  product_name: z.string().max(100).optional(),
  params: formRecord,
  fields: formRecord
    .optional()
    .describe('Display names and values, as the client shows them. The server stores its own, made from `params`.'),
  price: z
    .number()
    .describe('Dollars, as the client computed them. The server computes the price again and refuses a different one.'),
});

export const MAX_ENTRIES = 100;

export const orderCreate = z
  .object({
    orders: z.array(orderEntry).min(1).max(MAX_ENTRIES).describe('What to order. Together they are one order.'),
    scheduleInfo: scheduleInfo.nullish(),
  })
  .meta({
    examples: [
      {
        orders: [
          {
            type: 'rok-kingdom-scan',
            price: 1.5,
            params: { kingdoms: ['1001'], governors: 300, full_profile: true },
          },
        ],
      },
    ],
  });

export type OrderEntry = z.infer<typeof orderEntry>;

export const orderId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** Names an order or one of its items in an address. An id that does not match is a 404. */
export const orderParam = z.object({
  id: z.string().meta({
    description:
      'An order by its `order_id` or `order_uuid`, both returned by POST /v1/order/create, or one of its items by the `item_id` listed in GET /v1/order/{id}.',
    pattern: `^(\\d{1,16}|${UUID}|${ITEM})$`,
    examples: ['301'],
  }),
});

export const itemParam = z.object({
  item_id: z.string().meta({
    description: 'An item of an order: `item_id` of GET /v1/order/{id}.',
    pattern: `^${ITEM}$`,
    examples: ['i3f2a9c81d04b7e65a1c0'],
  }),
});

/** Order ids separated by commas. */
export const orderIds = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'must be order numbers separated by commas')
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .refine((ids) => ids.length <= MAX_WATCHED, `must be ${MAX_WATCHED} orders at most`);

const day = z.iso.date('must be a day, such as 2026-11-21.').optional();

/** Filters of the order list; all orders by default. */
export const orderListQuery = z.object({
  before: orderId.optional().describe('Orders older than this one'),
  search: z
    .string()
    .trim()
    .max(40)
    .optional()
    .describe("An order's number, a kingdom's, or a part of a product's name"),
  kingdom: z.coerce.number().int().min(1).max(MAX_KINGDOM).optional(),
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`).optional(),
  state: z
    .enum(Object.keys(ORDER_STATES) as [OrderState], `must be one of ${Object.keys(ORDER_STATES).join(', ')}`)
    .optional(),
  from: day.describe('The first day, in UTC'),
  to: day.describe('The last day, in UTC'),
  schedule: orderId.optional().describe('Runs of this schedule'),
});

export type OrderListQuery = z.output<typeof orderListQuery>;

/** `true` and `1` switch a query flag on; `false`, `0` and an empty value leave it off. */
const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .optional()
  .transform((value) => value === 'true' || value === '1');

export const downloadQuery = z.object({
  type: z.enum(DOWNLOAD_TYPES).describe('The kind of file. json is the envelope with `rows`.'),
  all: flag,
  version: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('An earlier version of a repaired item; the newest if omitted.'),
  sort: z.enum(['Power', 'Killpoints']).optional(),
  reversed: flag,
  named: flag.describe('Name the file by its kingdom and day; otherwise it is results.{type}'),
  bom: flag.describe('Start csv files with a byte order mark, so that Excel opens them as UTF-8'),
  count: z.coerce
    .number()
    .int('must be a whole number')
    .min(-1, 'must be -1 for all rows, or more')
    .max(MAX_PAGE_ROWS, `must be ${MAX_PAGE_ROWS} at most`)
    .refine((count) => count !== 0, 'must be -1 for all rows, or more than 0')
    .default(-1)
    .describe('Rows per page of json; `page` starts at 0. All rows if omitted or -1.'),
  page: z.coerce.number().int('must be a whole number').min(0, 'must be 0 or more').default(0),
});

export const scheduleId = z.object({
  schedule_id: orderId.describe('A schedule: `schedule_id` of GET /v1/orders/scheduled.'),
});

export const linkParam = z.object({
  token: z.string().describe("The last part of a link's `path`."),
});

/** New times for a schedule. */
export const scheduleEdit = z.object({ scheduleInfo });

export const issueReport = z.object({
  item_id: z.string().max(64).nullish(),
  message: z.string().trim().min(10, 'must say in at least 10 letters what is wrong').max(4000),
  rows: z
    .array(z.string().regex(/^\d{1,16}$/, 'must be ids of governors'))
    .max(100)
    .default([])
    .describe('Ids of the governors concerned.'),
});

/** Active links at one time, per item and per account. */
export const MAX_ITEM_SHARES = 20;
export const MAX_SHARES = 200;

export const shareCreate = z.object({
  days: z.number().int().min(1).max(90).default(7).describe('Number of days that the link works.'),
});

// --- The fleet ------------------------------------------------------------------------------------------------------

/** Bots per token; a further one replaces the one silent for longest. */
export const MAX_BOTS = 1000;

const botId = z.string().regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or . : - _');
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const kingdomNumber = z.number().int().min(1).max(MAX_KINGDOM);

/** Kingdoms that a bot may list per game. A folder with more needs several bots. */
export const MAX_BOT_KINGDOMS = 5000;

/** What a bot can scan, by game; nothing for a missing game. */
const botKingdoms = z.partialRecord(
  z.enum(GAME_IDS),
  z.union([z.literal('all'), z.array(kingdomNumber).max(MAX_BOT_KINGDOMS)], {
    error: `must be "all" or a list of ${MAX_BOT_KINGDOMS} kingdom numbers at most`,
  }),
);

/** An opaque value from the service. */
const heldLease = z.string().min(1).max(500);

export const MAX_SUBTASKS_PER_LEASE = 5;

/** The specification's bot fields, as the bot reports them. */
export const heartbeat = z.object({
  bot_id: botId,
  account_game: z.enum(GAME_IDS),
  kingdom_id: kingdomNumber.nullish(),
  governor_id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).nullish(),
  packets_count: count.default(0),
  tasking_count: count.default(0),
  tasking_count_failed: count.default(0),
  kingdom_titles: z.boolean().default(false),
  discord_titles: z.boolean().default(false),
  error: z.string().max(500).nullish(),
  kingdoms: botKingdoms
    .nullish()
    .describe('Subtasks of other kingdoms are not leased to the bot. If null, the bot can scan everything.'),
  working_on: z
    .array(z.object({ subtask_id: z.number().int().positive(), lease: heldLease }))
    .max(MAX_SUBTASKS_PER_LEASE)
    .default([])
    .describe('Leases of subtasks that the bot is working on, which are extended'),
});

export type BotKingdoms = z.infer<typeof botKingdoms>;

/** Open sockets per user at one time. */
export const MAX_SOCKETS = 10;

export const MAX_ROWS_PER_HAND_IN = 500;
/** Maximum body size, enough for one hand-in of a bot. */
export const MAX_BODY_BYTES = 1_000_000;

const wish = z.object({
  games: z.array(z.enum(GAME_IDS)).min(1).max(GAME_IDS.length),
  count: z.number().int().min(1).max(MAX_SUBTASKS_PER_LEASE).default(1),
});

export const lease = wish.extend({ bot_id: botId });

/** One leased unit of work, as a bot receives it. */
export interface Task {
  subtask_id: number;
  lease: string;
  /** When the lease ends, in epoch milliseconds. */
  lease_until: number;
  order_id: number;
  item_id: string;
  game: (typeof GAME_IDS)[number];
  kingdom_id: number;
  from_rank: number;
  to_rank: number;
  full_profile: boolean;
}

const cells = z.custom<WireColumns[string]>(Array.isArray, 'must be a list of values');

/** Source of made-up rows, which only a local copy accepts. */
export const SIMULATED = 'simulated world';

/**
 * Rows of one or more leased subtasks, by column. This schema checks the outline only. `checkColumns` checks the cells
 * once the game is known from the lease.
 */
export const handIn = z.object({
  bot_id: botId,
  results: z
    .array(
      z.object({
        subtask_id: z.number().int().positive(),
        lease: heldLease,
        captured_at: z.number().int().min(0).max(8.64e15).describe('Epoch milliseconds at which the rows were read.'),
        source: z
          .string()
          .max(200)
          .describe("Where the rows come from, in a few words: 'game', SIMULATED, a file's name."),
        columns: ownRecord(z.record(z.string().max(64), cells)),
      }),
    )
    .min(1)
    .max(MAX_SUBTASKS_PER_LEASE),
  next: wish
    .optional()
    .describe(
      'Work to lease in the same call, for a bot that holds no other lease. A repeated call gets the same leases.',
    ),
});

export const failure = z.object({
  bot_id: botId,
  subtask_id: z.number().int().positive(),
  lease: heldLease,
  reason: z.string().trim().min(1).max(300).describe('A sentence that the customer reads.'),
  permanent: z
    .boolean()
    .default(false)
    .describe('True if this bot cannot scan the kingdom. Another bot gets it; if there is none, the subtask fails.'),
});

export const MAX_PREPARING_MINUTES = 240;

export const preparation = z.object({
  bot_id: botId,
  subtask_id: z.number().int().positive(),
  lease: heldLease,
  minutes: z.number().int().min(1).max(MAX_PREPARING_MINUTES).describe("The bot's estimate of how long it takes."),
});

/** `unconfirmed`: the bot found nobody in the kingdom, and another bot must confirm it before the subtask ends. */
export const HAND_IN_OUTCOMES = ['accepted', 'duplicate', 'lost', 'unconfirmed'] as const;
export type HandInOutcome = (typeof HAND_IN_OUTCOMES)[number];

export type Heartbeat = z.infer<typeof heartbeat>;
export type HandIn = z.infer<typeof handIn>;
export type LeaseWish = z.infer<typeof wish>;
export type Failure = z.infer<typeof failure>;
export type Preparation = z.infer<typeof preparation>;
