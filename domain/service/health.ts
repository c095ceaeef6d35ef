import * as z from 'zod';
import { GAME_IDS } from '../games/game-names.ts';

/** Answer of GET /v1/health once the service is ready. */
export const healthAnswer = z.object({ database: z.literal('ready'), bots_online: z.int().min(0) });

/** Answer of GET /v1/health/fleet while no customer is waiting. */
export const fleetHealth = z.object({
  games: z.array(
    z.object({
      game: z.enum(GAME_IDS),
      bots_online: z.int().min(0),
      subtasks_waiting: z.int().min(0),
      waiting_since: z
        .number()
        .nullable()
        .describe('When the longest waiting item was ordered, in epoch milliseconds; null if nothing is waiting.'),
    }),
  ),
});
