import * as z from 'zod';
import { count, moment } from '../answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { code, reason } from '../reason.ts';

/** Calls of admins about bots and the fleet, and their answers. Times are in epoch milliseconds. */

const game = z.enum(GAME_IDS);
const reasons = z
  .array(z.object({ reason: z.string(), count }))
  .describe('Failed attempts of the last 24 hours by reason, most frequent first.');

export const groupList = z.object({
  groups: z.array(
    z.object({
      group_id: z.string().describe('Id of the group.'),
      name: z.string(),
      created_at: moment,
      paused_at: moment.nullable().describe('Since when its bots get no work; null if they do.'),
      revoked_at: moment.nullable().describe('Since when its token is refused; null if it is not.'),
      bot_count: count.describe('Number of its bots.'),
      online_count: count.describe('Number of those that are online.'),
    }),
  ),
});

export const newGroup = z.strictObject({
  group_id: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{1,30}$/, 'must be 2 to 31 small letters, digits or dashes.')
    .describe('Id of the group.'),
  name: z.string().trim().min(1).max(60),
  reason,
});

export const groupToken = z.object({
  group_id: z.string().describe('Id of the group.'),
  token: z.string().describe('The token of its bots. It is shown only here.'),
});

export const groupParam = z.object({ group_id: z.string().describe('A group: `group_id` of GET /v1/admin/groups.') });
export const tokenRotation = z.strictObject({ reason, code });

export const FLEET_ACTS = ['pause', 'resume', 'retire'] as const;
export type FleetAct = (typeof FLEET_ACTS)[number];
const act = z.enum(FLEET_ACTS).describe('What to do.');

export const groupActParam = groupParam.extend({ act });
export const groupAct = z.strictObject({ reason });

export const botParam = z.object({
  bot_id: z.string().describe('A bot by its own name: `bot_id` of GET /v1/admin/bots.'),
});
export const botActParam = botParam.extend({ act });
export const botAct = z.strictObject({ group_id: z.string().max(64).describe('The group of the bot.'), reason });

export const BOTS_ACTS = ['pause', 'resume'] as const satisfies readonly FleetAct[];
export type BotsAct = (typeof BOTS_ACTS)[number];

export const botsActParam = z.object({ act: z.enum(BOTS_ACTS).describe('What to do.') });

/** Body of POST /v1/admin/fleet/bots/{act}. */
export const botsAct = z.strictObject({
  group: z.string().max(100).describe("All bots under this key of GET /v1/admin/bots, in which 'null' is offline."),
  reason,
});

export const botsActed = z.object({ bots: count.describe('Number of bots changed.') });

/** A bot's latest tasks and its success rate, one entry per group that has a bot of this name. */
export const botWork = z.array(
  z.object({
    group_id: z.string().describe('Id of the group.'),
    tasks: z
      .array(
        z.object({
          at: moment,
          order_id: z.int(),
          item_id: z.string(),
          game,
          kingdom_id: z.int(),
          from_rank: z.int(),
          to_rank: z.int(),
          done: z.boolean().describe('Whether it brought rows.'),
          reason: z.string().nullable().describe('Why it brought no rows; null if it did.'),
        }),
      )
      .describe('The last fifty subtasks that it ended, newest first.'),
    in_hand: z
      .array(
        z.object({
          subtask_id: z.int(),
          order_id: z.int(),
          kingdom_id: z.int(),
          from_rank: z.int(),
          to_rank: z.int(),
          lease_until: moment.describe('When the lease ends.'),
        }),
      )
      .describe('Subtasks leased to it.'),
    done_last_day: count.describe('Subtasks done in the last 24 hours.'),
    failed_last_day: count.describe('Failed attempts of the last 24 hours.'),
    rows_last_hour: count.describe('Ranks of the subtasks done in the last hour.'),
    reasons,
  }),
);

/** State of the fleet and its queues. */
export const fleetState = z.object({
  games: z.array(
    z.object({
      game,
      bots_online: count.describe('Bots that can scan the game and called within the last five minutes.'),
      lanes: z
        .object({ customers: count.describe('Of customers’ orders.'), events: count.describe('Of events.') })
        .describe('Subtasks that wait or are leased.'),
      leased: count.describe('Subtasks leased to bots.'),
      ages: z
        .object({
          minute: count.describe('For a minute at most.'),
          ten_minutes: count.describe('For ten minutes at most.'),
          hour: count.describe('For an hour at most.'),
          longer: count.describe('For longer.'),
        })
        .describe('Subtasks by how long they have been due.'),
      oldest_seconds: count.nullable().describe('How long the first of the queue has been due; null if nothing waits.'),
      done_last_hour: count.describe('Subtasks done in the last hour.'),
      failed_last_hour: count.describe('Failed attempts of the last hour.'),
      seconds_to_empty: count
        .nullable()
        .describe('Expected time to empty the queue at the pace of the last hour; null if it is unknown.'),
    }),
  ),
  reasons,
});
