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

/** Payloads of the API. Each schema is what a route validates with and what a client is typed by. */

/** What a call that orders may carry: 5,000 kingdoms, as parameters and as the client shows them, take half of it. */
export const MAX_ORDER_BYTES = 200_000;

export const orderEntry = z.object({
  type: z.string().min(1).max(100),
  group_name: z.string().max(100).optional(),
  product_name: z.string().max(100).optional(),
  params: formRecord,
  fields: formRecord
    .optional()
    .describe(
      'Display names to display values, as the client shows them. The server keeps its own, made from `params`.',
    ),
  price: z
    .number()
    .describe('Dollars, as the browser computed them; the server computes again and refuses another price.'),
});

export const MAX_ENTRIES = 100;

export const orderCreate = z
  .object({
    orders: z.array(orderEntry).min(1).max(MAX_ENTRIES),
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

/** What the address of a call names an order or one of its items by. An id that fits nothing is a 404. */
export const orderParam = z.object({
  id: z.string().meta({
    description:
      'An order by its `order_id` or `order_uuid`, both of which POST /v1/order/create answers, or one of its items by the `item_id` that GET /v1/order/{id} lists.',
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

/** Which orders are listed; without anything, all. */
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

/** `true` and `1` switch a query flag on; `false`, `0` and nothing leave it off. */
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
    .describe('An earlier version of a repaired item; without it, the newest.'),
  sort: z.enum(['Power', 'Killpoints']).optional(),
  reversed: flag,
  named: flag.describe('Name the file by its kingdom and day; otherwise it is results.{type}'),
  bom: flag.describe('Begin csv with the mark by which Excel knows UTF-8 on a double click'),
  count: z.coerce
    .number()
    .int('must be a whole number')
    .min(-1, 'must be -1 for all rows, or more')
    .max(MAX_PAGE_ROWS, `must be ${MAX_PAGE_ROWS} at most`)
    .refine((count) => count !== 0, 'must be -1 for all rows, or more than 0')
    .default(-1)
    .describe('A page of json: so many rows, and which page from 0 on. Without them, or with -1, all rows.'),
  page: z.coerce.number().int('must be a whole number').min(0, 'must be 0 or more').default(0),
});

export const scheduleId = z.object({
  schedule_id: orderId.describe('A schedule: `schedule_id` of GET /v1/orders/scheduled.'),
});

export const linkParam = z.object({
  token: z.string().describe('What stands last in the `path` of a link.'),
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
    .describe('Ids of the governors that it is about.'),
});

/** Links that work at a time, of one item and of one account. */
export const MAX_ITEM_SHARES = 20;
export const MAX_SHARES = 200;

export const shareCreate = z.object({
  days: z.number().int().min(1).max(90).default(7).describe('For how long the link works.'),
});

// --- The fleet ------------------------------------------------------------------------------------------------------

/** Bots that are known by one token; another one takes the place of the one silent longest. */
export const MAX_BOTS = 1000;

const botId = z.string().regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or . : - _');
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const kingdomNumber = z.number().int().min(1).max(MAX_KINGDOM);

/** Kingdoms that a bot may name of a game: a folder of more is scanned by several bots. */
export const MAX_BOT_KINGDOMS = 5000;

/** What a bot can scan, by game. Of a game that is missing it can scan nothing. */
const botKingdoms = z.partialRecord(
  z.enum(GAME_IDS),
  z.union([z.literal('all'), z.array(kingdomNumber).max(MAX_BOT_KINGDOMS)], {
    error: `must be "all" or a list of ${MAX_BOT_KINGDOMS} kingdom numbers at most`,
  }),
);

/** As the service gave it: what is in there is its own affair. */
const heldLease = z.string().min(1).max(500);

export const MAX_SUBTASKS_PER_LEASE = 5;

/** The specification's bot fields, as the bot itself reports them. */
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
    .describe('Subtasks of other kingdoms are not leased to the bot; null: the bot can scan everything.'),
  working_on: z
    .array(z.object({ subtask_id: z.number().int().positive(), lease: heldLease }))
    .max(MAX_SUBTASKS_PER_LEASE)
    .default([])
    .describe('Leases of subtasks that the bot works on: they are extended'),
});

export type BotKingdoms = z.infer<typeof botKingdoms>;

/** Sockets that a user may have open at a time. */
export const MAX_SOCKETS = 10;

export const MAX_ROWS_PER_HAND_IN = 500;
/** What a call may carry at most: enough for what a bot hands in at once. */
export const MAX_BODY_BYTES = 1_000_000;

const wish = z.object({
  games: z.array(z.enum(GAME_IDS)).min(1).max(GAME_IDS.length),
  count: z.number().int().min(1).max(MAX_SUBTASKS_PER_LEASE).default(1),
});

export const lease = wish.extend({ bot_id: botId });

/** One leased unit of work, as a bot gets it. */
export interface Task {
  subtask_id: number;
  lease: string;
  /** Epoch milliseconds until which the lease holds. */
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

/** The source of made-up rows, which only a local copy takes. */
export const SIMULATED = 'simulated world';

/**
 * Rows of one or more leased subtasks, column by column. Their cells are checked by `checkColumns` once the lease has
 * told which game it is; here only the outline.
 */
export const handIn = z.object({
  bot_id: botId,
  results: z
    .array(
      z.object({
        subtask_id: z.number().int().positive(),
        lease: heldLease,
        captured_at: z.number().int().min(0).max(8.64e15).describe('Epoch milliseconds at which the rows were read.'),
        source: z.string().max(200).describe("Where they come from, in a few words: 'game', SIMULATED, a file's name."),
        columns: ownRecord(z.record(z.string().max(64), cells)),
      }),
    )
    .min(1)
    .max(MAX_SUBTASKS_PER_LEASE),
  next: wish
    .optional()
    .describe('What to lease with the same call, by a bot that holds nothing else: a repeat is leased the same.'),
});

export const failure = z.object({
  bot_id: botId,
  subtask_id: z.number().int().positive(),
  lease: heldLease,
  reason: z.string().trim().min(1).max(300).describe('A sentence that the customer reads.'),
  permanent: z
    .boolean()
    .default(false)
    .describe(
      'True if this bot cannot scan the kingdom: another one gets it, or the subtask fails because there is none.',
    ),
});

export const MAX_PREPARING_MINUTES = 240;

export const preparation = z.object({
  bot_id: botId,
  subtask_id: z.number().int().positive(),
  lease: heldLease,
  minutes: z
    .number()
    .int()
    .min(1)
    .max(MAX_PREPARING_MINUTES)
    .describe('How long it takes, as far as the bot can tell.'),
});

/** `unconfirmed`: of a kingdom without anybody another bot has to say the same before the subtask ends. */
export const HAND_IN_OUTCOMES = ['accepted', 'duplicate', 'lost', 'unconfirmed'] as const;
export type HandInOutcome = (typeof HAND_IN_OUTCOMES)[number];

export type Heartbeat = z.infer<typeof heartbeat>;
export type HandIn = z.infer<typeof handIn>;
export type LeaseWish = z.infer<typeof wish>;
export type Failure = z.infer<typeof failure>;
export type Preparation = z.infer<typeof preparation>;
