import * as z from 'zod';
import { count, figure, moment } from '../answers.ts';
import { GAME_IDS, MAX_KINGDOM } from '../games/game-names.ts';
import { row, rowWith } from '../scans/answers.ts';
import { byKey } from '../scans/kingdom-metrics.ts';
import { QUALITIES } from '../scans/quality.ts';
import { CHART_DAYS } from './chart-days.ts';

/** Queries and answers of governor and kingdom pages, and of the search for both. */

const game = z.enum(GAME_IDS);
const day = z.string();

const wholeId = z.coerce.number().int('must be a whole number').positive('must be above 0');
export const governorParam = z.object({ id: wholeId.max(Number.MAX_SAFE_INTEGER, 'is too large for an id') });

export const kingdomParam = z.object({
  id: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, `must be from 1 to ${MAX_KINGDOM}`)
    .max(MAX_KINGDOM, `must be from 1 to ${MAX_KINGDOM}`),
});

export const chartQuery = z.object({
  game: z.enum(GAME_IDS).default('rok'),
  days: z.enum(CHART_DAYS, 'must be 7, 30 or 90').default('7').transform(Number),
});

export const searchQuery = z.object({
  q: z
    .string('must say what to look for')
    .trim()
    .min(1, 'must say what to look for')
    .max(200, 'is too long for a name'),
});

// --- A governor -----------------------------------------------------------------------------------------------------

const rankByPower = z.int().describe('Rank by power in the kingdom, from 1.');

const governorDay = z.object({
  day,
  kingdom_id: z.int(),
  rank: rankByPower,
  power: z.number(),
  score: figure,
  deads: figure,
  t4: figure,
  t5: figure,
});

const fileDays = z
  .array(day)
  .describe('Days on which the scan did not say when it was made, so that the time of its file stands for it.');

const cell = z.union([z.string(), z.number(), z.null()]);

const historyLine = z.object({
  time: moment,
  field: z.enum(['name', 'alliance_tag', 'kingdom_id']),
  old: z.string(),
  value: z.string(),
});

const neighbour = z.object({
  rank: rankByPower,
  governor_id: z.int(),
  name: z.string(),
  alliance_tag: z.string(),
  power: z.number(),
});

/** The specification's profile: every column of the newest row, some also under the specification's names. */
const profile = rowWith({
  governor_id: z.int(),
  name: z.string(),
  home_kingdom: z.int(),
  alliance: z.string(),
  power: z.number(),
  deads: figure,
  town_center: figure,
});

export const governorAnswer = z.object({
  game,
  free: profile,
  captured_at: moment,
  last_read: z
    .object({ captured_at: moment, profile: row })
    .nullable()
    .describe('The profile from the last scan that read it, and its time; null if the newest scan read it.'),
  quality: z.enum(QUALITIES),
  days: z.array(governorDay).describe('Oldest first.'),
  file_days: fileDays,
  history: z.array(historyLine),
  near: z.array(neighbour),
  subscription: z.object({
    changes: z
      .array(z.object({ time: moment, changes: z.array(z.object({ field: z.string(), old: cell, value: cell })) }))
      .describe('Newest first; `field` is the key of a column.'),
  }),
  days_open: z.int().describe('Number of days that the caller may see.'),
});

export const nearbyGovernors = z.array(z.object({ game, governor_id: z.int(), name: z.string(), kingdom_id: z.int() }));

// --- A kingdom ------------------------------------------------------------------------------------------------------

/**
 * Sums over all governors of the scan and over the strongest by power. Null means unknown: not read, or fewer governors
 * than that.
 */
const topSums = z.object({ total: figure, top100: figure, top300: figure, top350: figure, top600: figure });

const leftOut = z
  .object({ rows: count, raw: z.number() })
  .optional()
  .describe('Rows whose figure is unverified, and the total with them.');

const counted = count.describe('Number of governors whose figure is included in the total.');

const totals = z.object({
  power: topSums,
  score: topSums,
  deads: topSums,
  player_count: count,
  known: z
    .object({ power: counted, score: counted, deads: counted, ...byKey(() => counted.optional()) })
    .optional()
    .describe('How many governors each total covers.'),
  left_out: z
    .object({ power: leftOut, score: leftOut, deads: leftOut, ...byKey(() => leftOut) })
    .optional()
    .describe('Present only if unverified figures are excluded: the number of rows, and the raw total with them.'),
  hall25_count: count.nullable(),
  ...byKey(({ made }) => (made === 'kinds' ? count.nullable() : figure)),
  distribution: z.array(count).optional().describe('Governors in each power class.'),
});

const kingdomDay = z.object({
  day,
  total_power: figure,
  top100_power: figure.describe(
    "Sum over the strongest hundred; null if the day's scan read fewer. The others likewise.",
  ),
  top300_power: figure,
  top600_power: figure,
  total_score: figure,
  player_count: count,
  score_count: count.describe('Governors whose score is in the sum.'),
});

const player = z.object({
  id: z.int(),
  name: z.string(),
  alliance_tag: z.string(),
  kingdom_id: z.int(),
  score: z.number().describe('Power, which the page ranks by.'),
  killpoints: figure,
});

const move = z.object({
  id: z.int(),
  name: z.string(),
  kingdom_id: z.int().describe('The kingdom that the governor came from or went to.'),
  power: figure.describe('The newest power; null if no kept scan shows the governor.'),
  time: moment,
});

export const kingdomAnswer = z.object({
  game,
  kingdom_id: z.int(),
  captured_at: moment.describe('Time of the scan that totals, distribution and alliances are computed from.'),
  totals,
  last_scan: z
    .object({
      captured_at: moment,
      player_count: count,
      top: z
        .object({ ranks: count.describe('Number of governors that the sum covers.'), power: z.number() })
        .nullable()
        .describe('Power of as many of the strongest as it read; null if those are fewer than a hundred.'),
    })
    .describe('The newest scan, however many governors it covers.'),
  inactive_count: count.nullable(),
  chart: z.array(kingdomDay).describe('Oldest day first.'),
  file_days: fileDays,
  players: z.array(player),
  name_changes: z.array(z.object({ id: z.int(), old_name: z.string(), current_name: z.string(), time: moment })),
  alliances: z.array(z.object({ tag: z.string(), name: z.string(), members: count, power: z.number(), score: figure })),
  distribution: z
    .array(z.object({ from: z.number(), count }))
    .nullable()
    .describe('Governors with at least `from` power and less than the next class; null if not counted.'),
  inactive: z.array(player),
  arrived: z.array(move),
  left: z.array(move),
  kingdoms: z
    .array(z.object({ id: z.int(), name: z.string(), score: figure.describe('Total power; null if unknown.') }))
    .describe('The strongest kingdoms of the game, by total power at the end of the day.'),
  kingdoms_day: day.nullable(),
  days_open: z.int(),
});

export const nearbyKingdoms = z.array(z.object({ game, kingdom_id: z.int() }));

// --- The search -----------------------------------------------------------------------------------------------------

/** A governor in any scan. */
export const foundGovernor = z.object({
  game,
  governor_id: z.int(),
  name: z.string(),
  alliance_tag: z.string(),
  kingdom_id: z.int(),
});

export const searchAnswer = z.object({
  governors: z.array(foundGovernor),
  alliances: z.array(
    z.object({
      game,
      kingdom_id: z.int(),
      alliance_tag: z.string(),
      alliance_name: z.string(),
      member_count: count,
    }),
  ),
  kingdoms: z.array(z.object({ game, kingdom_id: z.int() })),
});

// --- The dashboard --------------------------------------------------------------------------------------------------

export const monitoredKingdoms = z.object({
  kingdoms: z.array(
    z.object({
      game,
      kingdom_id: z.int(),
      last_scan: moment.nullable().describe('Time of the newest scan by any user; null before the first.'),
      next_run: moment.nullable(),
      item_id: z
        .string()
        .nullable()
        .describe("The user's own newest scan with results; null if there is none in the last 30 days."),
      power: figure.describe(
        'Power in the newest scan with at least half as many governors as the previous one; null if unknown.',
      ),
      score: figure,
      scanned_at: moment
        .nullable()
        .describe('Time of that scan; `player_count` is the number of governors that it read. Null before the first.'),
      player_count: count.nullable(),
      before: moment
        .nullable()
        .describe('Time of the scan that it is compared with, at least a week older; null if there is none.'),
      compared: count
        .nullable()
        .describe('How many governors are in both scans, whose gains the changes add up; null if none is.'),
      power_change: figure,
      score_change: figure,
      joined: count.nullable(),
      left: count.nullable(),
      line: z
        .array(z.object({ day, power: z.number() }))
        .describe(
          'Power of the same number of strongest governors on each scanned day of the last 30 days, oldest first.',
        ),
    }),
  ),
});

const moved = { id: z.int(), name: z.string() };
/** Number of governors, and the strongest five of them; null if there are no two scans to compare. */
const movedList = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ count, governors: z.array(z.object({ ...moved, ...shape })) });

/** Answer of GET /v1/monitored/moves. */
export const monitoredMoves = z.object({
  last_visit: moment.nullable().describe("Time of the user's previous visit; null if this is the first."),
  since: moment.describe(
    'Only scans after this time are covered: the previous visit, at most four weeks ago, or a week ago on a first visit.',
  ),
  kingdoms: z.array(
    z.object({
      game,
      kingdom_id: z.int(),
      last_scan: moment,
      before: moment
        .nullable()
        .describe('Time of the earlier of the compared scans, at `since` or before; null if there is none.'),
      compared: count
        .nullable()
        .describe('How many governors are in both scans, whose gains the changes add up; null if none is.'),
      power: figure,
      score: figure,
      power_change: figure,
      score_change: figure,
      joined: movedList({}).nullable(),
      left: movedList({ kingdom_id: z.int().nullable() })
        .nullable()
        .describe('Each with the kingdom where the governor was seen since; null if nowhere.'),
      renamed: movedList({ old_name: z.string() }),
      still: movedList({})
        .nullable()
        .describe('Governors without any changed figure; null if there is no scan to compare with.'),
    }),
  ),
  more: count.describe('Number of further monitored kingdoms scanned since.'),
});
