import * as z from 'zod';
import { GAME_IDS } from '../games/games.ts';
import { MAX_NAME } from '../scans/rows.ts';
import { chartQuery, kingdomParam } from './contract.ts';

/** Where an alliance stands: the number of its kingdom and its tag, as the game writes it. */
export const allianceParams = z.object({
  kingdom: kingdomParam.shape.id,
  tag: z.string().min(1, 'must not be empty').max(MAX_NAME, `must have ${MAX_NAME} characters at most`),
});

/** Which game's. */
export const allianceQuery = chartQuery.pick({ game: true });

/** A figure that a scan may not have read. */
const figure = z.number().nullable();

const passer = z.object({
  id: z.number(),
  name: z.string(),
  tag: z.string().describe("The other alliance's tag; empty where it was none."),
  power: z.number(),
  time: z.number().describe('Epoch milliseconds of the scan that saw it.'),
});

/** An alliance's page: who is in it as far as the newest scans tell, and how those stood over the days. */
export const allianceAnswer = z.object({
  game: z.enum(GAME_IDS),
  kingdom_id: z.number(),
  tag: z.string(),
  name: z.string().describe('In full; empty where no scan gives it.'),
  captured_at: z.number().describe("Epoch milliseconds of the kingdom's newest scan."),
  member_count: z.number(),
  power: z.number().describe("Sums over all members; null where not even one's was read."),
  score: figure,
  deads: figure,
  doubted: z
    .object({ power: z.number(), score: z.number(), deads: z.number() })
    .describe('Members whose figure is in doubt and so in no sum.'),
  read_count: z.number().describe('Members whose profile was read: what `score` and `deads` are of.'),
  members: z
    .array(
      z.object({ id: z.number(), name: z.string(), power: z.number(), score: figure, deads: figure, hall: figure }),
    )
    .describe('The mightiest first, 300 at the most.'),
  chart: z
    .array(z.object({ day: z.string(), power: z.number(), score: figure }))
    .describe(
      'Sums over the `same_count` members whom a scan of every one of these days read: the same people each day.',
    ),
  same_count: z.number(),
  joined: z.array(passer),
  left: z.array(passer),
});

export type AlliancePage = z.infer<typeof allianceAnswer>;
