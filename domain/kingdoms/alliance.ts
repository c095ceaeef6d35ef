import * as z from 'zod';
import { figure } from '../answers.ts';
import { GAME_IDS } from '../games/games.ts';
import { MAX_NAME } from '../scans/rows.ts';
import { chartQuery, kingdomParam } from './contract.ts';

/** Identifies an alliance by its kingdom's number and its tag, as the game writes it. */
export const allianceParams = z.object({
  kingdom: kingdomParam.shape.id,
  tag: z.string().min(1, 'must not be empty').max(MAX_NAME, `must have ${MAX_NAME} characters at most`),
});

export const allianceQuery = chartQuery.pick({ game: true });

const passer = z.object({
  id: z.number(),
  name: z.string(),
  kingdom_id: z.number().describe('The kingdom of the other alliance: another one if the governor migrated.'),
  tag: z.string().describe("The other alliance's tag; empty if there was none."),
  power: figure.describe('The newest power; null if no kept scan shows the governor.'),
  time: z.number().describe('Epoch milliseconds of the scan that saw it.'),
});

/** An alliance's page: its members in the newest scans, and its history. */
export const allianceAnswer = z.object({
  game: z.enum(GAME_IDS),
  kingdom_id: z.number(),
  tag: z.string(),
  name: z.string().describe('Full name; empty if no scan contains it.'),
  captured_at: z.number().describe("Epoch milliseconds of the kingdom's newest scan."),
  member_count: z.number(),
  power: figure.describe("Sums over all members; null if no member's figure was read."),
  score: figure,
  deads: figure,
  doubted: z
    .object({ power: z.number(), score: z.number(), deads: z.number() })
    .describe('Members whose figure is unverified and excluded from the sum.'),
  read_count: z.number().describe('Members whose profile was read, whom `score` and `deads` cover.'),
  members: z
    .array(
      z.object({ id: z.number(), name: z.string(), power: z.number(), score: figure, deads: figure, hall: figure }),
    )
    .describe('By power, highest first; 300 at most.'),
  chart: z
    .array(z.object({ day: z.string(), power: z.number(), score: figure }))
    .describe(
      'Sums over the `same_count` members who were read on every one of these days, so that each day covers the same people.',
    ),
  same_count: z.number(),
  joined: z.array(passer),
  left: z.array(passer),
});

export type AlliancePage = z.infer<typeof allianceAnswer>;
