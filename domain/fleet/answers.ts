import * as z from 'zod';
import { GAME_IDS } from '../games/game-names.ts';
import { HAND_IN_OUTCOMES } from '../orders/contract.ts';

/** Answers to bots (docs/fleet-api.md). Times are in epoch milliseconds. */

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
