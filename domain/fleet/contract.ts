import * as z from 'zod';
import { GAME_IDS, MAX_KINGDOM } from '../games/game-names.ts';
import { ownRecord } from '../records.ts';
import type { WireColumns } from '../scans/rows.ts';

/** Calls of bots and the answers to them (docs/fleet-api.md). Times are in epoch milliseconds. */

/** Bots per token; a further one replaces the one silent for longest. */
export const MAX_BOTS = 1000;

const botId = z.string().regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or . : - _');
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const kingdomNumber = z.number().int().min(1).max(MAX_KINGDOM);

/** Kingdoms that a bot may list per game. A folder with more needs several bots. */
export const MAX_BOT_KINGDOMS = 5000;

/** Kingdoms that a bot can scan, by game. A bot cannot scan a game that is missing. */
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

export const MAX_ROWS_PER_HAND_IN = 500;
/** Maximum body size, enough for one hand-in of a bot. */
export const MAX_BODY_BYTES = 1_000_000;

const wish = z.object({
  games: z.array(z.enum(GAME_IDS)).min(1).max(GAME_IDS.length),
  count: z.number().int().min(1).max(MAX_SUBTASKS_PER_LEASE).default(1),
});

export const lease = wish.extend({ bot_id: botId });

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

// --- Answers --------------------------------------------------------------------------------------------------------

/** One leased unit of work, as a bot receives it. */
const task = z.object({
  subtask_id: z.int(),
  lease: z.string(),
  lease_until: z.number().describe('When the lease ends.'),
  order_id: z.int(),
  item_id: z.string(),
  game: z.enum(GAME_IDS),
  kingdom_id: z.int(),
  from_rank: z.int(),
  to_rank: z.int(),
  full_profile: z.boolean(),
});
export type Task = z.infer<typeof task>;

export const heard = z.object({
  now: z.number().describe("The service's time, so that a bot can check its own clock."),
  lease_seconds: z.number().describe('The length of a lease. A bot that works for longer extends it in time.'),
});

export const tasksLeased = z.object({
  tasks: z.array(task),
  /** Longest wait before a bot that got nothing asks again, in ms. It grows while nobody orders. */
  ask_again_ms: z.number(),
});

export const rowsAccepted = z.object({
  tasks: z.array(task),
  results: z.array(z.object({ subtask_id: z.int(), outcome: z.enum(HAND_IN_OUTCOMES) })),
  ask_again_ms: z
    .number()
    .optional()
    .describe('When to ask for work: no work was looked for, because rows of other bots come in first.'),
});

export const returned = z.object({ state: z.enum(['waiting', 'failed']) });

export const postponed = z.object({ until: z.number() });
