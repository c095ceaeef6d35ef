import * as z from 'zod';
import { DOUBTS } from './doubts.ts';

/** What all answers of differences are made of, those of events and of own scans. Null is unknown, never 0. */

export const ts = z.number().int();
export const count = z.number().int();
export const figure = z.number().nullable();
/** Who neither joined nor left, as far as anybody can tell. */
export const unseen = count.describe(
  'Governors of one reading whom the other may not reach down to: it reads fewer governors of their kingdom.',
);

/** What a group scored, guarded and raw, how many were left out or unknown, and who came and went. */
export const groupScore = {
  dkp: figure,
  dkp_raw: figure,
  left_out: count,
  unknown: count,
  common: count,
  joined: count,
  gone: count,
};

/** What a kingdom or another group gained: the guarded gain of every figure by its column key, and these. */
export const groupDifference = z
  .object({
    ...groupScore,
    raw: z.record(z.string(), figure),
    doubted: z.record(z.string(), count),
  })
  .catchall(figure);

const doubt = z.object({ figures: z.array(z.string()), reason: z.enum(DOUBTS), text: z.string() });

/** A governor's gains by column key, these of each difference, and `more`. */
export const gainsWith = <More extends z.ZodRawShape>(more: More) =>
  z
    .object({
      kingdom: z.string(),
      dkp: figure,
      dkp_raw: figure,
      doubt: z.array(doubt).optional(),
      goal: figure.optional().describe("Percent of the goal's DKP; null without a goal or if the score is unknown."),
      renamed_from: z.string().optional(),
      moved_to: z.string().optional(),
      ...more,
    })
    .catchall(z.union([figure, z.string(), z.literal(true), z.array(doubt)]).optional());

/**
 * Governors as columns, for pages: `common` rows on both sides, then `joined` ones, then `gone` ones. Columns of indexes
 * point into `kingdoms` and `tags`; -1 is none.
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
    .describe('The kingdom of the start (of the end for those who joined): what a governor counts for.'),
  kingdom_now: z
    .array(count)
    .describe('The kingdom of the end; -1 where he is gone, or in a kingdom that is not of the event.'),
  power: z.array(figure).describe('Power at the start (at the end for those who joined): brackets and goals go by it.'),
  now: z
    .record(z.string(), z.array(figure))
    .describe('Figures at the end by column key; of an event those of the start for governors who are gone.'),
  gains: z
    .record(z.string(), z.array(figure))
    .describe('Gains of the `common` rows by column key, as they were read, doubtful ones included.'),
  doubts: z
    .record(z.string(), z.record(z.string(), z.array(count)))
    .describe('By column key and doubt the rows whose gain is doubtful.'),
  renamed: z.record(z.string(), z.string()).describe('Row to the name at the start, where it is another one.'),
});
