import * as z from 'zod';
import { figure } from '../answers.ts';
import { DOUBTS } from './doubts.ts';

/** Parts shared by the answers of event differences and comparisons. Null means unknown, never 0. */

export const ts = z.number().int();
export const count = z.number().int();
/** Governors who count neither as joined nor as gone. */
export const unseen = count.describe(
  'Governors in one scan only who may simply be below the power that the other reaches, because it covers fewer governors of their kingdom.',
);

/** A group's score, guarded and raw, how many are excluded or unknown, and how many came and went. */
export const groupScore = {
  dkp: figure,
  dkp_raw: figure,
  left_out: count,
  unknown: count,
  common: count,
  joined: count,
  gone: count,
};

/** Gains of a kingdom or another group: each figure's guarded gain by column key, and the fields below. */
export const groupDifference = z
  .object({
    ...groupScore,
    raw: z.record(z.string(), figure),
    doubted: z.record(z.string(), count),
  })
  .catchall(figure);

/** How much of a goal a governor reached. */
export const goalPercent = figure.describe(
  "Percent of the goal's DKP; null without a goal or if the score is unknown.",
);

const doubt = z.object({ figures: z.array(z.string()), reason: z.enum(DOUBTS), text: z.string() });

/** A governor's gains by column key, the fields common to all differences, and `more`. */
export const gainsWith = <More extends z.ZodRawShape>(more: More) =>
  z
    .object({
      kingdom: z.string(),
      dkp: figure,
      dkp_raw: figure,
      doubt: z.array(doubt).optional(),
      goal: goalPercent.optional(),
      renamed_from: z.string().optional(),
      moved_to: z.string().optional(),
      ...more,
    })
    .catchall(z.union([figure, z.string(), z.literal(true), z.array(doubt)]).optional());

/**
 * Governors in columns, for pages: `common` rows on both sides, then `joined`, then `gone`. Index columns point into
 * `kingdoms` and `tags`; -1 means none.
 */
export const differenceColumns = z.object({
  kingdoms: z.array(z.string()),
  tags: z.array(z.string()),
  common: count,
  joined: count,
  gone: count,
  id: z.array(z.number()),
  name: z.array(z.string()),
  tag: z.array(count),
  kingdom: z
    .array(count)
    .describe('The kingdom at the start (at the end for those who joined), which the governor counts for.'),
  kingdom_now: z
    .array(count)
    .describe('The kingdom at the end; -1 if the governor is gone or in a kingdom outside the event.'),
  power: z.array(figure).describe('Power at the start (at the end for those who joined). Brackets and goals use it.'),
  now: z
    .record(z.string(), z.array(figure))
    .describe('Figures at the end by column key. In events, governors who are gone have those of the start.'),
  gains: z
    .record(z.string(), z.array(figure))
    .describe('Raw gains of the `common` rows by column key, unverified ones included.'),
  doubts: z
    .record(z.string(), z.record(z.string(), z.array(count)))
    .describe('Rows with an unverified gain, by column key and reason.'),
  renamed: z.record(z.string(), z.string()).describe('Row → previous name, if renamed.'),
});
