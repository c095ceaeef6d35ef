import * as z from 'zod';
import { figure } from '../answers.ts';
import {
  count,
  differenceColumns,
  gainsWith,
  goalPercent,
  groupDifference,
  groupScore,
  ts,
  unseen,
} from '../difference/answers.ts';
import { DOUBTS } from '../difference/doubts.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { foundGovernor } from '../kingdoms/contract.ts';
import { EVENT_FILTERS, EVENT_STATES, SNAPSHOT_STATES, TENDENCIES } from './event.ts';

/** Answers of the event dashboards. Times are in epoch milliseconds. Null means unknown, never 0. */

/** Figures by column key. */
const figures = z.record(z.string(), figure);

export const missingKingdom = z.object({
  kingdom: z.number().int(),
  captured_at: ts
    .nullable()
    .describe('Time of the older scan used instead; null if there is none and the kingdom is not in the snapshot.'),
});

export const eventSnapshot = z.object({
  ts,
  state: z.enum(SNAPSHOT_STATES),
  rows: count,
  missing: z.array(missingKingdom).describe('Kingdoms that were not scanned for it.'),
  by_file_time: z
    .array(z.number().int())
    .describe('Kingdoms whose scan does not say when it was made, so that the time of its file stands for it.'),
  source: z.string(),
});

const campAnswer = z.object({ name: z.string(), colour: z.string(), kingdoms: z.array(z.string()) });

const named = {
  dashboard_id: z.number().int(),
  game: z.enum(GAME_IDS),
  kvk_id: z.string(),
  name: z.string(),
  state: z.enum(EVENT_STATES).describe('An event is running until its last snapshot is public.'),
  season: z.string(),
};

export const eventMeta = z.object({
  ...named,
  sponsored_text: z.string(),
  refresh_rate: count,
  next_refresh: ts
    .nullable()
    .describe(
      'When the public can expect the next snapshot, in the past while it is scanned; null if none will follow.',
    ),
  publication_delay: count,
  start: ts,
  end: ts,
  dates: z.record(z.string(), ts),
  kingdoms: z.array(z.string()),
  camps: z.array(z.string()),
  camp_colours: z.record(z.string(), z.string()),
  camps_to_kingdoms: z.record(z.string(), z.array(z.string())),
  kingdoms_to_camps: z.record(z.string(), z.string()),
  weights: z.record(z.string(), z.number()),
  power_off: z.number(),
  goals: z.array(z.object({ min_power: z.number(), dkp: figure, kills: figure, deads: figure })),
  zeroed: z.record(z.string(), z.number()),
  exempt: z.array(z.number()),
  snapshots: z.array(eventSnapshot).describe('Snapshots that are public, oldest first.'),
  failed: z
    .object({ at: ts, msg: z.string() })
    .nullable()
    .describe('Why the last gathering produced no snapshot, and when; null if it succeeded.'),
  late: z
    .object({ since: ts, msg: z.string() })
    .nullable()
    .describe(
      'Since when and why a running event is late: its newest snapshot is older than two refresh intervals. Otherwise null.',
    ),
  revision: count.describe('Increases whenever any answer about the event changes.'),
});

/** Number of unverified figures at the end that the sum excludes, by column key; only keys with excluded figures. */
const doubted = z.record(z.string(), count);
/** A kingdom or camp at the end: each figure's guarded sum by column key, and the fields below. */
const kingdomState = z
  .object({ camp: z.string(), governors: count, doubted })
  .catchall(z.union([figure, z.string(), doubted]));
const campState = z
  .object({ kingdoms: z.array(z.string()), governors: count, doubted })
  .catchall(z.union([figure, z.array(z.string()), doubted]));

/** A governor's gains by column key, and the fields below. */
const playerDifference = gainsWith({});

/** A governor at the end. */
const playerRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const range = z.object({ start: ts, end: ts });

export const eventData = z.object({
  range,
  data: z.object({
    players: z.array(playerRow).describe('By DKP, highest first; governors without a known score come last.'),
    camps: z.record(z.string(), campState),
    kingdoms: z.record(z.string(), kingdomState),
  }),
  diffs: z.object({
    players: z.record(z.string(), playerDifference),
    camps: z.record(z.string(), groupDifference),
    kingdoms: z.record(z.string(), groupDifference),
    joined: z.array(z.number()).describe('Ids of governors only at the end.'),
    gone: z.array(playerRow),
    seasons: z
      .record(z.string(), z.array(z.number()))
      .describe('Columns that restarted with a new season between the two, with the kingdoms concerned.'),
  }),
});

/** A camp on the scoreboard. */
const standing = z.object({
  name: z.string(),
  colour: z.string(),
  kingdoms: z.array(z.string()),
  rank: count.nullable().describe("From 1, by guarded DKP; null if any camp's score is unknown."),
  ...groupScore,
  share: figure.describe("Percent of all camps' guarded DKP; null if any camp's score is unknown."),
  behind: figure.describe("Points behind the first camp; 0 for the first itself; null if any camp's score is unknown."),
  governors: count,
  power: figure,
  power_gain: figure,
  trend: z
    .array(z.object({ ts, dkp: figure }))
    .describe('Guarded DKP since the start, at each of the last snapshots up to the end.'),
  tendency: z
    .enum(TENDENCIES)
    .nullable()
    .describe('How its share of the points moved with the last snapshot; null if a score is unknown.'),
});

/** The first rows of the individual table, with the same fields as `table`. */
const topRow = z.object({
  rank: count.describe('Rank by guarded DKP, from 1.'),
  id: z.number(),
  name: z.string(),
  tag: z.string().nullable(),
  kingdom: z.string(),
  camp: z.string(),
  power: figure,
  now: figures.describe('Figures at the end by column key.'),
  gains: figures,
  dkp: figure,
  dkp_raw: figure,
  goal: goalPercent,
  doubts: z.record(z.string(), z.enum(DOUBTS)).optional().describe('Why a gain is unverified, by column key.'),
  renamed_from: z.string().optional().describe('The name at the start, if it was another.'),
  moved_to: z.string().optional().describe('The kingdom at the end, if it is another one of the event.'),
});

/** Counts of a kingdom's governors: fighting, not fighting, below their goal. */
export const fighterCounts = z.object({
  fighting: count.describe('Governors who gained points.'),
  idle: count,
  with_goal: count.describe('Governors with a goal whose figures are known.'),
  below_goal: count.describe('Those of them who missed a target.'),
});

export const eventBoard = z.object({
  range,
  camps: z.array(standing),
  lead: z
    .object({ camp: z.string(), by: z.number(), since: ts })
    .nullable()
    .describe(
      "The leading camp, its lead, and the snapshot since which it has led without interruption; null if nobody leads, a camp's score is unknown, or the range has one snapshot.",
    ),
  kingdoms: z
    .array(
      z.object({
        kingdom: z.string(),
        camp: z.string(),
        ...groupScore,
        governors: count,
        power: figure,
        power_gain: figure,
        counts: fighterCounts,
      }),
    )
    .describe('By guarded DKP, highest first.'),
  people: z
    .object({
      common: count,
      joined: count,
      gone: count,
      unseen,
      moved: count,
      renamed: count,
      idle: count,
    })
    .describe('Numbers of governors.'),
  seasons: z.record(z.string(), z.array(z.number())),
  missing: z.array(missingKingdom).describe('Kingdoms for which an older scan is used at the start or the end.'),
  top: z.array(topRow),
});

/** Everything that the page's first screen needs. */
export const eventPage = z.object({ meta: eventMeta, board: eventBoard.nullable() });

/**
 * The individual table in columns: `common` rows in both snapshots, then `joined`, then `gone`. Index columns point
 * into `kingdoms`, `camps` and `tags`; -1 means none.
 */
export const eventTable = differenceColumns.extend({
  range,
  camp_of: z.array(count).describe('For each entry of `kingdoms`, the index of its camp in `camps`.'),
  camps: z.array(z.string()),
});

const line = z.record(z.string(), z.array(figure));
const linesOfOne = z.object({
  gained: line.describe('Guarded gains since the first snapshot, by metric.'),
  now: line.describe('Figures as scanned, by metric.'),
});

/** Lines over all snapshots in the range. */
export const eventLines = z.object({
  ts: z.array(ts),
  metrics: z.array(z.string()),
  camps: z.record(z.string(), linesOfOne),
  kingdoms: z.record(z.string(), linesOfOne),
});

const reading = z.object({
  ts,
  captured_at: ts.describe(
    "When the governor's kingdom was scanned; earlier than `ts` if an older scan is used instead.",
  ),
  stands_in: z.boolean(),
  name: z.string(),
  tag: z.string().nullable(),
  kingdom: z.string().nullable(),
  figures,
});

const step = z.object({
  from: ts,
  to: ts,
  gains: figures,
  doubts: z.record(z.string(), z.enum(DOUBTS)),
  points: figures.describe('Points by column key: weight times gain.'),
  dkp: figure,
  dkp_raw: figure,
});

const targetPercent = figure.describe('Percent of the target that was reached; null without one or if it is unknown.');

/** How a governor's score comes about. */
export const eventGovernor = z.object({
  range,
  id: z.number(),
  name: z.string(),
  camp: z.string().nullable(),
  kingdom: z.string().nullable(),
  rank: count.nullable().describe('Rank by guarded DKP, from 1; null if the score is unknown.'),
  readings: z.array(reading),
  steps: z.array(step).describe('Scan by scan, without the deduction for power.'),
  whole: step.nullable().describe('From start to end in one step; null if the governor is not in both.'),
  at_least: z
    .object({ dkp: z.number(), since: ts, until: ts })
    .nullable()
    .describe('The part of an unverified score that consistent readings prove; null if the score is verified.'),
  goal: z
    .object({
      min_power: z.number(),
      dkp: figure,
      kills: figure,
      deads: figure,
      reached: z.object({ dkp: targetPercent, kills: targetPercent, deads: targetPercent }),
    })
    .nullable(),
  deads_off: z.number(),
  exempt: z.boolean(),
});

/** An event in lists and on maps. */
export const listedEvent = z.object({
  ...named,
  start: ts,
  end: ts,
  next_refresh: ts.nullable(),
  latest: ts.nullable().describe('The latest public snapshot; null before the first.'),
  snapshots: count,
  camps: z.array(
    campAnswer.extend({
      power: figure,
      governors: count.nullable(),
      dkp: figure,
      strength: z
        .array(z.object({ kingdom: z.string(), power: figure, dkp: figure }))
        .describe('For each kingdom, power at the latest snapshot and DKP since the first.'),
    }),
  ),
});

export const eventList = z.object({ events: z.array(listedEvent) });

/** An event as admins see it. */
export const adminEvent = z.object({
  dashboard_id: z.number().int(),
  state: z.enum(EVENT_STATES),
  created_at: ts,
  updated_at: ts,
  next_refresh: ts.nullable(),
  revision: count,
  late_since: ts.nullable().describe('When its next scan was due, if it is two intervals late; null if it is not.'),
  version: z.string().describe('Names the plan. An edit names it too, so that it replaces no other plan.'),
  snapshots: z
    .array(
      eventSnapshot.extend({
        public_at: ts,
        replaced: z
          .array(
            z.object({
              kingdom: z.number().int(),
              source: z.string(),
              rows: count,
              replaced_at: ts.describe('When the correction was loaded, in epoch milliseconds.'),
            }),
          )
          .describe("Kingdoms' readings that a correction replaced, newest first."),
      }),
    )
    .describe('All snapshots, including those not yet public.'),
  refreshes: z.array(
    z.object({
      due_at: ts,
      state: z.enum(['running', 'done', 'failed']),
      order_id: z.number().nullable(),
      kingdoms: count,
      in: count,
      deadline: ts,
      msg: z.string(),
    }),
  ),
  event: z.record(z.string(), z.unknown()),
});

/** Result of loading a file. */
export const loadedSnapshot = z.object({
  ts,
  kingdoms: z.array(z.number()),
  rows: count,
  problems: z
    .array(
      z.object({
        line: count.nullable(),
        sheet: z.string().nullable(),
        column: z.string().nullable(),
        reason: z.string(),
        dropped: z.boolean(),
      }),
    )
    .describe('Lines that were skipped or lost a cell, and why.'),
  repeated: z.boolean().describe('True if the same file was loaded before.'),
});

export const createdEvent = z.object({ dashboard_id: z.number().int() });
export const markedEvent = z.object({ state: z.enum(EVENT_STATES) });
export const orderedRefresh = z.object({ due_at: ts });
export const adminEventsQuery = z.object({
  before: z.coerce.number().int().positive().optional().describe('Events older than this one'),
  state: z.enum(EVENT_FILTERS).optional().describe('`late`: running events whose next scan is two intervals late.'),
});
export const adminEventList = z.object({ events: z.array(adminEvent), next: z.number().nullable() });
/** The user's own governors by game, and what scans have read about them. */
export const ownGovernorList = z.object({
  rok: z.array(z.number()),
  cod: z.array(z.number()),
  named: z.array(foundGovernor),
});
