import * as z from 'zod';
import { next, pageQuery } from '../answers.ts';
import { DAY_MS } from '../days.ts';
import { exact } from '../figures.ts';
import { GAME_IDS } from '../games/game-names.ts';

/**
 * Removal from public pages: a player asks, and either shows a code in their name in the game or is believed by an
 * admin. Then their page and search entry are gone and boards do not name them.
 */

export const REMOVAL_STATES = ['open', 'accepted', 'refused'] as const;

/** How long an open request waits for its code, and a refused one is kept, in days. */
export const REMOVAL_DAYS = 90;

export const removalEnd = (createdAt: number): number => createdAt + REMOVAL_DAYS * DAY_MS;

const MAX_NOTE = 500;

/** Body of POST /v1/removals. */
export const newRemoval = z.object({
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`),
  governor_id: z
    .int('must be a whole number, as the game shows it')
    .min(1, 'must be a whole number above 0')
    .describe('Id of the governor or lord.'),
  note: z
    .string()
    .trim()
    .max(MAX_NOTE, `must have at most ${exact(MAX_NOTE)} characters`)
    .default('')
    .describe('What an admin should know, such as how to reach you.'),
});

/** Answer of POST /v1/removals. */
export const removalAsked = z.object({
  game: z.enum(GAME_IDS),
  governor_id: z.int(),
  name: z.string().describe('The governor’s name when the request was made.'),
  state: z.enum(REMOVAL_STATES),
  code: z
    .string()
    .nullable()
    .describe('A scan that reads this code in the governor’s name proves the request; null once it is accepted.'),
  ends_at: z.number().nullable().describe('Until when the code works, in epoch milliseconds; null once accepted.'),
});

/** Query of GET /v1/admin/removals. */
export const removalsQuery = pageQuery.extend({
  open: z.enum(['true', 'false'], 'must be true or false').default('false'),
});

/** Requests per page. */
export const REMOVALS_PER_PAGE = 100;

/** Answer of GET /v1/admin/removals, newest first; times in epoch milliseconds. */
export const removalList = z.object({
  removals: z
    .array(
      z.object({
        removal_id: z.int().describe('Id of the request.'),
        game: z.enum(GAME_IDS),
        governor_id: z.int(),
        name: z.string(),
        code: z.string(),
        note: z.string(),
        state: z.enum(REMOVAL_STATES),
        created_at: z.number(),
        decided_at: z.number().nullable().describe('When it was decided; null while open.'),
        decided_by: z.string().describe("'code', 'admin:<user id>', or empty while open."),
      }),
    )
    .describe('At most 100.'),
  next,
});

/** Body of POST /v1/admin/removals/{id}: also changes an earlier decision. */
export const removalDecision = z.object({
  decision: z
    .enum(['accepted', 'refused'], "must be 'accepted' or 'refused'")
    .describe('Accepted: no longer shown. Refused: shown as before.'),
});
