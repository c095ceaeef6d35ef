import * as z from 'zod';
import { ts } from '../difference/answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { kingdomKey, wholeId } from './contract.ts';
import { EVENT_STATES } from './event.ts';
import { eventChanges } from './room-answers.ts';

/** Events and kingdoms that a user follows, and the user's own kingdom of each game. */

/** The most events and kingdoms in them that a user can follow. */
export const MAX_FOLLOWED = 30;

const game = z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`);

/** Begins or stops to follow an event, or one of its kingdoms. */
export const followChoice = z.strictObject({
  dashboard_id: wholeId,
  kingdom: kingdomKey.nullable().default(null),
  on: z.boolean('must be true or false').describe('Whether to follow from now on.'),
});

/** Sets the user's own kingdom of a game, or removes it. `if_none` keeps one that is set already. */
export const ownKingdom = z.strictObject({
  game,
  kingdom: kingdomKey.nullable(),
  if_none: z.boolean('must be true or false').default(false).describe('Keeps a kingdom that is set already.'),
});

const followed = z.object({
  dashboard_id: z.number(),
  game,
  name: z.string().describe('Name of the event.'),
  state: z.enum(EVENT_STATES),
  kingdom: z.string().nullable().describe('The followed kingdom of the event; null if all of it.'),
});

export const followingAnswer = z.object({
  own: z
    .object({
      rok: z.string().nullable().describe('In Rise of Kingdoms; null if none is set.'),
      cod: z.string().nullable().describe('In Call of Dragons; null if none is set.'),
    })
    .describe('The user’s own kingdom of each game.'),
  events: z.array(followed).describe('Followed events and kingdoms in them, the newest first.'),
});

export const followedChanges = z.object({
  last_visit: ts.nullable().describe('When the user was last here; null at the first visit.'),
  events: z
    .array(followed.extend(eventChanges.omit({ kingdom: true }).shape))
    .describe('What changed since then, for each event or kingdom with a new scan.'),
  more: z.number().describe('How many more of them have a new scan.'),
});
