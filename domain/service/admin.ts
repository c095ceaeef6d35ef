import * as z from 'zod';
import { CHANNELS } from '../accounts/webhooks.ts';
import { count, moment, pageQuery } from '../answers.ts';
import { BOARD_IDS } from '../boards/leaderboard.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { MAIL_STATES } from './admin-words.ts';

/** Calls of admins about the whole service, and their answers. Times are in epoch milliseconds, amounts in dollars. */

// --- Bots -----------------------------------------------------------------------------------------------------------

/** A bot as in the specification, section 3. */
const bot = z.object({
  bot_id: z.string(),
  group: z.string(),
  group_id: z.string().describe('Id of the group.'),
  account_game: z.string(),
  kingdom_id: z.int().nullable(),
  account_ip: z.string().nullable(),
  governor_id: z.int().nullable(),
  packets_count: z.number(),
  tasking_count: z.number(),
  tasking_count_failed: z.number(),
  kingdom_titles: z.boolean(),
  discord_titles: z.boolean(),
  last_connected: z.number().nullable().describe('Epoch seconds; null if it is offline.'),
  error: z.string().nullable(),
  rest: z.enum(['paused', 'group paused', 'retired']).nullable().describe('Why the bot gets no work; null if it does.'),
  seen_at: moment.describe('When it was last heard of, in epoch milliseconds, online or not.'),
  scans: z
    .array(
      z.object({
        game: z.enum(GAME_IDS),
        count: z.int().nullable().describe('Null if it can scan every kingdom of the game.'),
        first: z.array(z.int()).describe('The first ten of them.'),
      }),
    )
    .nullable()
    .describe('What the bot declares that it can scan; null if it never did: it is taken to scan everything.'),
});
export type BotAnswer = z.infer<typeof bot>;

/** Offline bots are under this key, as in the specification. */
export const OFFLINE = 'null';

export const botsQuery = z.object({
  group: z.string().max(100).optional().describe("Only this group, by its name; 'null' for offline bots"),
  page: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(100_000, 'must be 100,000 at most')
    .default(1)
    .describe('Page of each group, from 1'),
});
export type BotsQuery = z.output<typeof botsQuery>;

/** A page of bots by group, with offline ones under the key 'null'. */
export const botListing = z.object({
  bots: z.record(z.string(), z.array(bot)),
  summary: z
    .record(z.string(), z.record(z.string(), count))
    .describe('Number of bots by address, for the fifty addresses of each group with most bots.'),
  counts: z.record(z.string(), count).describe('Number of bots by group, on all pages.'),
  per_page: count.describe('Bots of a group on a page.'),
});
/** Bots with the same id, by group. */
export const botsOfId = z.record(z.string(), z.array(bot));

// --- Figures, mails -----------------------------------------------------------------------------------------

/** Kinds of work that wait for an admin. */
export const NEEDS = [
  'reports',
  'failed_items',
  'late_events',
  'failed_mails',
  'money',
  'disputes',
  'jobs',
  'removals',
  'database',
] as const;
export type Need = (typeof NEEDS)[number];

/** The service's current state and its last day. */
export const adminFigures = z.object({
  users: count,
  balances: z.number(),
  orders_last_day: count,
  charged_last_day: z.number(),
  subtasks_waiting: count,
  bots_online: count,
  mails: z.object({ waiting: count, failed: count }).describe('Numbers of mails waiting and given up.'),
  needs: z
    .array(
      z.object({
        kind: z.enum(NEEDS).describe('What it is.'),
        count: z.int().positive().describe('How many; the database in percent of its limit.'),
        since: moment.nullable().describe('When the oldest of them began; null if that is not known.'),
      }),
    )
    .describe('What a person has to look at now, beside the alerts.'),
});

/** Figures per day, and how far the platform's limits are used. Estimates are from docs/costs.md. */
export const adminTrends = z.object({
  days: z
    .array(
      z.object({
        day: z.string(),
        users: count.describe('New accounts.'),
        orders: count.describe('Orders of customers.'),
        governors: count.describe('Rows of scans that were finished, those of events too.'),
        revenue: z.number().describe('Dollars charged for the orders placed, less what was returned for them.'),
      }),
    )
    .describe('The last 30 days in UTC, oldest first, with today.'),
  kingdoms: z
    .array(
      z.object({
        game: z.enum(GAME_IDS),
        kingdom_id: z.int(),
        items: count,
        revenue: z.number().describe('Dollars charged for its items, less what was returned.'),
      }),
    )
    .describe('Kingdoms that customers ordered most often in these days.'),
  platform: z
    .object({
      database_bytes: count.describe('Size of the fullest database.'),
      database_limit: count.describe('The most bytes that a database may have.'),
      rows: count.describe('Estimate of rows written to the database since the first of the month.'),
      month_rows: count.describe('Estimate for the whole month.'),
      rows_included: count.describe('Rows that the plan includes in a month.'),
      objects: z
        .object({ count, bytes: count, at: z.string().describe('When the backup was taken that counted them.') })
        .nullable()
        .describe('Objects in the bucket, without those that are made again on demand; null before a backup.'),
      objects_included: count.describe('Bytes of objects that the plan includes.'),
      month_cost: z
        .number()
        .describe('Estimate of what the platform charges for this month, without visits to pages, in dollars.'),
    })
    .describe('How far the limits of the platform are used.'),
});

export const outboxQuery = pageQuery.extend({
  search: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe('A part of a recipient (a username for webhooks) or a subject'),
  state: z.enum(MAIL_STATES).optional(),
});
export type OutboxQuery = z.output<typeof outboxQuery>;

export const adminOutbox = z.object({
  failed: count.describe('Number of mails, of those that match the search, that failed and can be sent again.'),
  mails: z.array(
    z.object({
      id: z.int(),
      channel: z.enum(CHANNELS),
      recipient: z.string(),
      subject: z.string(),
      text: z.string(),
      created_at: moment,
      attempts: count,
      next_at: moment.describe('Next attempt, if the mail is waiting.'),
      sent_at: moment.nullable(),
      given_up: z.boolean().describe('True if it is no longer tried, until an admin sends it again.'),
      error: z.string().nullable(),
    }),
  ),
  next: z.int().nullable(),
});

/** Which failed mails to send again: one by id, or all of them. */
export const mailsAgain = z.strictObject({
  id: z.union([z.int().positive(), z.literal('all')], "must be the number of a mail, or 'all'"),
  search: z.string().trim().max(100).optional().describe('Only those that match this search of GET /v1/admin/outbox.'),
});

/** Number of mails due again. */
export const mailsDue = z.object({ mails: count });

// --- Failed jobs in backoff -----------------------------------------------------------------------------------------

export const setbackNamed = z.strictObject({ job: z.string().min(1).max(100), subject: z.string().max(200) });

export const setbackList = z.object({
  count,
  setbacks: z.array(
    z.object({
      job: z.string(),
      subject: z.string(),
      tries: count,
      begun_at: moment,
      next_at: moment,
      error: z.string().nullable().describe('Null while the job is running, or if it ended without an error message.'),
      by_itself: z.boolean().describe('True if something other than the crons starts it again.'),
    }),
  ),
});

// --- Boards ---------------------------------------------------------------------------------------------------------

export const boardsAgain = z.strictObject({
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`),
  day: z.iso.date('must be a day such as 2026-03-01'),
});

export const boardsPublished = z.object({
  game: z.enum(GAME_IDS),
  day: z.string(),
  finders: z.literal(true).optional().describe('Public profiles and their search read these boards.'),
  published_at: moment,
  captured_at: moment,
  counts: z.object({ kingdoms: count, governors: count, alliances: count }),
  boards: z.partialRecord(
    z.enum(BOARD_IDS),
    z.object({
      version: z.string(),
      total: count,
      bytes: count.optional().describe('Size of its stored objects; absent on boards of earlier releases.'),
    }),
  ),
  stale: z
    .literal(true)
    .optional()
    .describe('True if a scan arrived after it was built. The nightly job builds it again.'),
  built_ms: count.optional().describe('How long it took to build, in ms; absent on boards of earlier releases.'),
});

/** Answer of GET /v1/admin/boards, newest days first. */
export const boardList = z.object({
  rebuildable: z.object({ from: z.string(), to: z.string() }).describe('First and last day that can be built again.'),
  days: z.array(boardsPublished),
  missing: z
    .array(z.object({ game: z.enum(GAME_IDS), day: z.string() }))
    .describe('Days that the night has still to build or to build again.'),
});
