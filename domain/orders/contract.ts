import * as z from 'zod';
import { MAX_KINGDOM } from '../games/game-names.ts';
import { GAME_IDS } from '../games/games.ts';
import { headersOption } from '../language/locale-option.ts';
import { day } from '../moment-contract.ts';
import { formRecord } from '../records.ts';
import { DOWNLOAD_TYPES, MAX_PAGE_ROWS } from '../scans/results.ts';
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
    team_id: z
      .string()
      .max(64, 'is not the id of a team.')
      .nullish()
      .describe('The team whose balance pays, of which you are a leader. Your own balance pays if omitted or null.'),
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
  game: z.enum(GAME_IDS).optional(),
  state: z.enum(Object.keys(ORDER_STATES) as [OrderState]).optional(),
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
  sort: z
    .enum(['Power', 'Killpoints'])
    .optional()
    .describe('Figure by which rows of json are sorted, greatest first; without it, in stored order (by power).'),
  reversed: flag,
  named: flag.describe('Name the file by its kingdom and day; otherwise it is results.{type}'),
  bom: flag.describe('Start csv files with a byte order mark, so that Excel opens them as UTF-8'),
  headers: headersOption,
  count: z.coerce
    .number()
    .int('must be a whole number')
    .min(-1, 'must be -1 for all rows, or more')
    .max(MAX_PAGE_ROWS, `must be ${MAX_PAGE_ROWS} at most`)
    .refine((count) => count !== 0, 'must be -1 for all rows, or more than 0')
    .default(-1)
    .describe(
      'Rows per page of json; `page` starts at 0. All rows if omitted or -1. Rows of pages have the columns of the results table only.',
    ),
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

/** Open sockets per user at one time. */
export const MAX_SOCKETS = 10;
