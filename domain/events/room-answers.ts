import * as z from 'zod';
import { figure } from '../answers.ts';
import { count, goalPercent, groupScore, ts } from '../difference/answers.ts';
import { DOUBTS } from '../difference/doubts.ts';
import { GAME_IDS } from '../games/games.ts';
import { fighterCounts } from './answers.ts';
import { CHANGE_KINDS } from './changes.ts';

/** Answers about a kingdom and a governor in an event, and about what changed. Null means unknown, never 0. */

const figures = z.record(z.string(), figure);
const range = z.object({ start: ts, end: ts });

const change = z.object({
  kind: z.enum(CHANGE_KINDS),
  text: z.string().describe('The change as a sentence.'),
  governor_id: z.number().nullable(),
  name: z.string().describe('Name of the governor, alliance, camp or kingdom that changed.'),
  kingdom: z.string().nullable(),
  value: z.union([figure, z.string()]),
  before: z.union([figure, z.string()]).describe('The same before the change; null if there was none.'),
});

const changeList = z
  .array(change)
  .describe('By kind, the most important of each first; the counts say how many there are.');

const changeCounts = z
  .partialRecord(z.enum(CHANGE_KINDS), count)
  .describe('How many changes of each kind there are; the answer lists the first ones.');

/** Changes of an event, or of one of its kingdoms, between two scans. */
export const eventChanges = z.object({
  since: ts.describe('The earlier scan.'),
  until: ts.describe('The later scan.'),
  kingdom: z.string().nullable(),
  changes: changeList,
  counts: changeCounts,
});

const standingOfKingdom = z.object({
  kingdom: z.string(),
  camp: z.string(),
  rank: count.nullable().describe('From 1, by guarded DKP; null if no score is known.'),
  ...groupScore,
  power: figure.describe('Power at the start of the governors in both scans; null if unknown.'),
  efficiency: figure.describe('Guarded DKP per million of that power; null if one is unknown.'),
});

const passing = z.array(
  z.object({ governor_id: z.number(), name: z.string(), tag: z.string().nullable(), power: figure }),
);

/** A governor in the war room of the kingdom that they count for. */
const roomGovernor = z.object({
  governor_id: z.number(),
  name: z.string(),
  tag: z.string().nullable(),
  power: figure.describe('Power at the start; null if not read.'),
  dkp: figure,
  dkp_raw: figure,
  points: figure.describe('Raw total before the deduction for power; null if a figure is unknown.'),
  doubt: z.enum(DOUBTS).nullable().describe('Why the score is unverified; null if it is not.'),
  rank: count.nullable().describe('Rank in the kingdom by guarded DKP, from 1; null if the score is unknown.'),
  percentile: figure.describe(
    'Percent of the kingdom’s other known scores that are lower; null if the score is unknown.',
  ),
  event_rank: count.nullable().describe('Rank in the event, from 1; null if the score is unknown.'),
  event_percentile: figure.describe('The percentile among all governors of the event; null if the score is unknown.'),
  goal: goalPercent,
  below_goal: z.boolean().describe('True if a target of the goal is known to be missed.'),
  exempt: z.boolean().describe('True if the governor has no goals.'),
  efficiency: figure.describe('Guarded DKP per million of power at the start; null if one is unknown.'),
  since: figure.describe('Guarded DKP since the scan that changes count from; null if unknown.'),
  gains: figures.describe('Raw gains by column key.'),
  doubted: z.array(z.string()).describe('Columns whose gain is unverified.'),
  renamed_from: z.string().nullable().describe('Name in the first scan; null if the same.'),
  moved_to: z.string().nullable().describe('Kingdom in the last scan; null if the same.'),
});

const allianceSum = z.object({
  tag: z.string().nullable(),
  governors: count,
  dkp: figure,
  dkp_raw: figure,
  left_out: count,
  power: figure,
  efficiency: figure.describe('Guarded DKP per million of power; null if one is unknown.'),
});

/** A kingdom's view of an event. */
export const eventRoom = standingOfKingdom.extend({
  range,
  kingdoms: count.describe('Kingdoms of the event.'),
  camp_share: figure.describe("Percent of the camp's guarded DKP; null if one is unknown."),
  power_now: figure.describe('Power of the kingdom at the end; null if not read.'),
  governors_now: count.describe('Governors in the kingdom at the end.'),
  gains: figures.describe('Guarded sums by column key.'),
  counts: fighterCounts,
  standings: z.array(standingOfKingdom).describe('All kingdoms of the event by guarded DKP.'),
  alliances: z.array(allianceSum),
  governors: z.array(roomGovernor).describe('By guarded DKP, highest first; those without a known score come last.'),
  joined_governors: passing.describe('Governors in the last scan only, by power.'),
  gone_governors: passing.describe('Governors in the first scan only, by power.'),
  since: ts.nullable().describe('The scan that `changes` count from; null if the range has one scan only.'),
  changes: changeList,
  change_counts: changeCounts,
});

/** A governor's row in one event, beside how many others there are. */
export const warRecord = roomGovernor.omit({ since: true }).extend({
  kingdom: z.string().describe('The kingdom that the governor counts for.'),
  camp: z.string(),
  of: count.describe('Governors of the kingdom in both scans.'),
  event_of: count.describe('Governors of the event in both scans.'),
});

/** The event of a result. */
const ofEvent = {
  dashboard_id: z.number(),
  game: z.enum(GAME_IDS),
  kvk_id: z.string(),
  event: z.string().describe('Name of the event.'),
  state: z.string(),
  range,
};
const more = z.boolean().describe('True if there are older events, which were not searched.');

/** A governor's results in public events, newest first. */
export const governorWars = z.object({
  governor_id: z.number(),
  wars: z
    .array(warRecord.extend(ofEvent))
    .describe('Newest event first. An event in which the governor is not in both scans is missing.'),
  more,
});

/** A kingdom's result in an event, from its first to its latest scan. */
export const kingdomWar = z.object({
  kingdom: z.string().describe('The kingdom, or a domain of it, as the event has it.'),
  camp: z.string(),
  rank: count.nullable().describe('From 1, by guarded DKP; null if no score is known.'),
  of: count.describe('Kingdoms of the event.'),
  camp_rank: count.nullable().describe("The rank of its camp, from 1; null if any camp's score is unknown."),
  camps: count,
  ...groupScore,
  power: figure,
});

/** A kingdom's results in public events, newest first. */
export const kingdomWars = z.object({
  kingdom: z.number(),
  wars: z.array(kingdomWar.extend(ofEvent)).describe('Newest event first. Only events with the kingdom.'),
  more,
});

/** An alliance's result in an event, from its first to its latest scan. */
export const allianceWar = allianceSum.extend({
  kingdom: z.string(),
  camp: z.string(),
  rank: count.nullable().describe('Rank among the alliances of the kingdom, from 1; null if no score is known.'),
  of: count.describe('Alliances of the kingdom in the event.'),
});

/** An alliance's results in public events, newest first. */
export const allianceWars = z.object({
  kingdom: z.number(),
  tag: z.string(),
  wars: z
    .array(allianceWar.extend(ofEvent))
    .describe('Newest event first. Only events in which a governor of the alliance is in both scans.'),
  more,
});
