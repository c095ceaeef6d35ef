import * as z from 'zod';
import { GAME_IDS, MAX_KINGDOM } from '../games/game-names.ts';
import { row, rowWith } from '../scans/answers.ts';
import { byKey } from '../scans/kingdom-metrics.ts';
import { QUALITIES } from '../scans/quality.ts';
import { CHART_DAYS } from './chart-days.ts';

/** Kingdoms and their governors: what pages of one ask for and are answered with, and the search for both. */

const game = z.enum(GAME_IDS);
const moment = z.number();
const day = z.string();
const count = z.int().min(0);
const figure = z.number().nullable();

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
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`).default('rok'),
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

const governorDay = z.object({
  day,
  kingdom_id: z.int(),
  rank: z.int(),
  power: z.number(),
  score: figure,
  deads: figure,
  t4: figure,
  t5: figure,
});

const cell = z.union([z.string(), z.number(), z.null()]);

const historyLine = z.object({
  time: moment,
  field: z.enum(['name', 'alliance_tag', 'kingdom_id']),
  old: z.string(),
  value: z.string(),
});

const neighbour = z.object({
  rank: z.int(),
  governor_id: z.int(),
  name: z.string(),
  alliance_tag: z.string(),
  power: z.number(),
});

/** The specification's profile: every column of the newest row, and the names that it gives to some of them. */
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
    .describe('What the last scan told that read the profile, and when; null if the newest did.'),
  quality: z.enum(QUALITIES),
  days: z.array(governorDay).describe('Oldest first.'),
  history: z.array(historyLine),
  near: z.array(neighbour),
  subscription: z.object({
    changes: z
      .array(z.object({ time: moment, changes: z.array(z.object({ field: z.string(), old: cell, value: cell })) }))
      .describe('Newest first; `field` is the key of a column.'),
  }),
  days_open: z.int().describe('How many days the caller may see.'),
});

export const nearbyGovernors = z.array(z.object({ game, governor_id: z.int(), name: z.string(), kingdom_id: z.int() }));

// --- A kingdom ------------------------------------------------------------------------------------------------------

/** Of all governors of the scan and of the strongest by power; null is unknown: not read, or of fewer than that. */
const topSums = z.object({ total: figure, top100: figure, top300: figure, top350: figure, top600: figure });

const leftOut = z.object({ rows: count, raw: z.number() }).optional();

const totals = z.object({
  power: topSums,
  score: topSums,
  deads: topSums,
  player_count: count,
  known: z
    .object({ power: count, score: count, deads: count, ...byKey(() => count.optional()) })
    .optional()
    .describe('Governors whose figure is in the sum of all.'),
  left_out: z
    .object({ power: leftOut, score: leftOut, deads: leftOut, ...byKey(() => leftOut) })
    .optional()
    .describe('Only where figures in doubt were left out: of how many rows, and the sum of all with those.'),
  hall25_count: count.nullable(),
  ...byKey(({ made }) => (made === 'kinds' ? count.nullable() : figure)),
  distribution: z.array(count).optional().describe('How many governors are in each class of power.'),
});

const kingdomDay = z.object({
  day,
  total_power: figure,
  top100_power: figure.describe("Of the strongest hundred and so on; null where the day's scan read fewer."),
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
  score: z.number().describe('Power: what the page ranks by.'),
  killpoints: figure,
});

const move = z.object({
  id: z.int(),
  name: z.string(),
  kingdom_id: z.int().describe('Where from, or where to.'),
  power: z.number(),
  time: moment,
});

export const kingdomAnswer = z.object({
  game,
  kingdom_id: z.int(),
  captured_at: moment.describe(
    'Of the scan that speaks for the kingdom: totals, distribution and alliances are of its governors at that moment.',
  ),
  totals,
  last_scan: z
    .object({
      captured_at: moment,
      player_count: count,
      top: z.object({ ranks: count, power: z.number() }).nullable(),
    })
    .describe('The newest scan, however deep it went; the power of as many of the strongest as it read.'),
  inactive_count: count.nullable(),
  chart: z.array(kingdomDay).describe('Oldest day first.'),
  players: z.array(player),
  name_changes: z.array(z.object({ id: z.int(), old_name: z.string(), current_name: z.string(), time: moment })),
  alliances: z.array(z.object({ tag: z.string(), name: z.string(), members: count, power: z.number(), score: figure })),
  distribution: z
    .array(z.object({ from: z.number(), count }))
    .nullable()
    .describe(
      'How many governors have at least `from` power and less than the next class; null where it was not counted.',
    ),
  inactive: z.array(player),
  arrived: z.array(move),
  left: z.array(move),
  kingdoms: z
    .array(z.object({ id: z.int(), name: z.string(), score: figure }))
    .describe('The strongest kingdoms of the game, by total power at the end of the day.'),
  kingdoms_day: day.nullable(),
  days_open: z.int(),
});

export const nearbyKingdoms = z.array(z.object({ game, kingdom_id: z.int() }));

// --- The search -----------------------------------------------------------------------------------------------------

/** A governor whom some scan has read. */
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
      last_scan: moment.nullable().describe('The newest scan, whoever ordered it; null before the first.'),
      next_run: moment.nullable(),
      item_id: z
        .string()
        .nullable()
        .describe("The user's own newest scan of it with results; null where he has none of the last 30 days."),
      power: figure.describe(
        'Power in the newest scan that read at least half as many governors as the one before; null if unknown.',
      ),
      score: figure,
      scanned_at: moment
        .nullable()
        .describe('When that scan was, and how many governors it read; null before the first.'),
      player_count: count.nullable(),
      before: moment
        .nullable()
        .describe(
          'When the scan was that this one is compared with: a week before it or earlier; null where there is none.',
        ),
      compared: count
        .nullable()
        .describe('How many governors are in both scans, whose gains the changes add up; null if none is.'),
      power_change: figure,
      score_change: figure,
      joined: count.nullable(),
      left: count.nullable(),
      line: z
        .array(z.object({ day, power: z.number() }))
        .describe('Power of the same number of strongest governors on each scanned day of the last 30, oldest first.'),
    }),
  ),
});

const moved = { id: z.int(), name: z.string() };
/** How many governors, and the strongest five of them; null where no two scans tell. */
const movedList = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ count, governors: z.array(z.object({ ...moved, ...shape })) });

/** Answer of GET /v1/monitored/moves. */
export const monitoredMoves = z.object({
  last_visit: moment.nullable().describe('When the user was here before this visit; null where he was not.'),
  since: moment.describe(
    'What is told is of scans after this: the last visit, at most four weeks ago, or a week where this is the first.',
  ),
  kingdoms: z.array(
    z.object({
      game,
      kingdom_id: z.int(),
      last_scan: moment,
      before: moment
        .nullable()
        .describe('When the earlier one of the compared scans was, at `since` or before; null where there is none.'),
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
        .describe('Each with the kingdom where he was seen since; null where he was not.'),
      renamed: movedList({ old_name: z.string() }),
      still: movedList({})
        .nullable()
        .describe('Governors of whom no figure changed; null if there is no scan to compare with.'),
    }),
  ),
  more: count.describe('How many more monitored kingdoms were scanned since.'),
});
