import * as z from 'zod';
import { count, figure, moment } from '../answers.ts';
import { GAME_IDS, GAME_NAMES, type GameId } from '../games/game-names.ts';
import { localeOption } from '../language/locale-option.ts';
import { byRow } from '../scans/kingdom-metrics.ts';
import { type BoardKind, METRIC_IDS, type Metric, SLICE_SIZES, typeOf, typesOfMetric } from './leaderboard.ts';

/** Queries and answers of the leaderboards. */

const wholeNumber = (name: string) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, { error: ({ input }) => `'${String(input).slice(0, 40)}' is not a whole number.` })
    .transform(Number)
    .describe(name);

const type = z
  .string()
  .default('power')
  .describe(
    `Figure to rank by: ${METRIC_IDS.flatMap(typesOfMetric).join(', ')}. Which of them exist depends on the game and the kind of board.`,
  );

const shownDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, {
    error: ({ input }) => `'${String(input).slice(0, 40)}' is not a day such as 2026-01-31.`,
  })
  .describe('Day of the board. The newest published board if omitted.');

/** The game of a board; an unknown one is a 404. */
export const boardParam = z.object({
  game: z.string().meta({ description: 'The game.', enum: GAME_IDS, examples: ['rok'] }),
});

/** Query fields arrive as text. The valid values of `type` depend on the game. */
export const rankingQuery = z.object({
  type,
  day: shownDay.optional(),
  count: wholeNumber(`Rows per page: -1 for all, or one of ${SLICE_SIZES.join(', ')}.`).optional(),
  page: wholeNumber('Page number, starting at 0.').optional(),
  sort: z
    .string()
    .optional()
    .describe('Field of the rows to sort by, in place of the rank. Then `count` must be given, and not -1.'),
  ascending: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true`: the lowest value of `sort` first. Unknown values come last either way.'),
  language: localeOption.describe(
    'BCP 47 tag of the language in whose order names and tags are sorted; English if omitted.',
  ),
});

/** A place on a board, and the day of that board. */
export const rowDaysQuery = z.object({
  type,
  place: wholeNumber("The row's rank on that day's board."),
  day: shownDay,
});

const day = z.string();

const rank = z.int().min(1).describe('Rank by the figure of the board, from 1.');

const placed = {
  rank,
  moved: z.int().nullable().describe('Places gained since the previous board; null if it was not on that board.'),
  gained: z
    .number()
    .nullable()
    .optional()
    .describe(
      'Gain of the ranked figure since the previous board; null if it was not on that board or the two cannot be compared. Absent on boards of an earlier release.',
    ),
};

/** The specification's governor row. Kill points use the game's own key (`killpoints`, `merits`). */
export const governorRow = z.object({
  ...placed,
  kingdom_id: z.int(),
  governor_id: z.int().describe('0 if the player asked not to be shown; `name` and `alliance_tag` are then empty.'),
  alliance_tag: z.string(),
  name: z.string(),
  power: z.number(),
  killpoints: figure.optional(),
  merits: figure.optional(),
  cityhall: figure,
  deads: figure,
  killcount_t1: figure,
  killcount_t2: figure,
  killcount_t3: figure,
  killcount_t4: figure,
  killcount_t5: figure,
});

/** How many people each figure covers, by the figure's key. */
const sumsOf = (people: string) => ({
  counted: z
    .record(z.string(), count)
    .optional()
    .describe(`How many ${people} each figure covers. Absent on boards of earlier releases.`),
  left_out: z
    .record(z.string(), z.object({ rows: count, raw: z.number() }))
    .optional()
    .describe('Only for figures that exclude unverified values: how many are excluded, and the raw total with them.'),
});

export const allianceRow = z.object({
  ...placed,
  kingdom_id: z.int(),
  alliance_tag: z.string(),
  alliance_name: z.string(),
  power: z.number(),
  killpoints: figure.optional().describe("Null if no member's figure was read."),
  merits: figure.optional(),
  member_count: count,
  ...sumsOf('members'),
});

/**
 * The specification's kingdom row. Sums of the score use the game's own key. Null means unknown: not read, or fewer
 * governors than the figure needs.
 */
export const kingdomRow = z.object({
  ...placed,
  kingdom_id: z.int(),
  timestamp: moment.describe('When it was scanned.'),
  total_power: figure,
  top300_power: figure,
  top600_power: figure,
  total_deads: figure,
  top300_deads: figure,
  top600_deads: figure,
  total_killpoints: figure.optional(),
  top300_killpoints: figure.optional(),
  top600_killpoints: figure.optional(),
  total_merits: figure.optional(),
  top300_merits: figure.optional(),
  top600_merits: figure.optional(),
  player_count: count,
  ...sumsOf('governors'),
  ch25_count: count.nullable(),
  inactive_player_count: count
    .nullable()
    .describe('Governors without any change for a week; null if there is no scan from a week before.'),
  ...byRow(({ made }) => (made === 'kinds' ? count.nullable() : figure)),
});

const ROWS = { governor: governorRow, alliance: allianceRow, kingdom: kingdomRow };
const UNSORTED = ['counted', 'left_out'];

/** Returns the fields by which a kind of board can be sorted in a game. */
export function sortFields(kind: BoardKind, game: GameId): string[] {
  const others = typesOfMetric('score').filter((type) => type !== typeOf(game, 'score'));
  return Object.keys(ROWS[kind].shape).filter(
    (field) =>
      !UNSORTED.includes(field) &&
      !GAME_NAMES[game].unscanned.includes(field) &&
      !others.some((type) => field.endsWith(type)),
  );
}

const boardSum = z.object({
  sum: figure.describe('Sum of the known values; null if none is known.'),
  known: count.describe('Rows whose value is known.'),
});

export const boardInfo = z.object({
  total: count,
  sums: z
    .object(Object.fromEntries(METRIC_IDS.map((metric) => [metric, boardSum])) as Record<Metric, typeof boardSum>)
    .optional()
    .describe('Sums over all rows of the board; absent from boards that were published before there were sums.'),
  day: day.nullable(),
  captured_at: moment.nullable().describe('Time of the newest scan on the board; null if there is no board.'),
  by_file_time: z
    .array(z.int())
    .optional()
    .describe('Kingdoms with a scan that does not say when it was made, so that the time of its file stands for it.'),
  next_publication: moment
    .nullable()
    .describe('When the next board is due, in epoch milliseconds; null if none is due.'),
  since: day
    .nullable()
    .optional()
    .describe('The day of the first scan, while there is no board yet; null once there is one.'),
  first_publication: moment.nullable().optional(),
});

const board = <Row extends z.ZodType>(row: Row) => z.object({ rankings: z.array(row), info: boardInfo });

export const governorBoard = board(governorRow);
export const allianceBoard = board(allianceRow);
/** Without count and page, the specification wants the bare rows. */
export const kingdomBoard = z.union([board(kingdomRow), z.array(kingdomRow)]);

/** The days with a board, newest first. */
export const boardDays = z.object({ days: z.array(day) });

/** A row on one day's board: its place and figures. Null means unknown. */
export const rowDay = z.object({
  day,
  rank,
  /** Metrics that boards rank by: power, and the score (kill points or merits, by game). */
  ...(Object.fromEntries(METRIC_IDS.map((metric) => [metric, figure])) as Record<Metric, typeof figure>),
  count: count
    .nullable()
    .describe('Members of an alliance or governors of a kingdom, as scanned; null for a governor.'),
});

/** A row's history up to the board's day, oldest first, over the consecutive days on which it was listed. */
export const rowDays = z.object({ days: z.array(rowDay) });

// --- Public profiles ------------------------------------------------------------------------------------------------

const game = z.enum(GAME_IDS);

/** The game of a profile. */
export const profileQuery = z.object({
  game: z.enum(GAME_IDS).default('rok'),
});

/** Fields of every profile. Figures and ranks are from the board of `day`. */
const profiled = {
  game,
  day,
  captured_at: moment
    .nullable()
    .describe('Time of the newest scan on that board, in epoch milliseconds; null if unknown.'),
  places: z
    .array(
      z.object({
        type: z.string().describe('The figure ranked by.'),
        value: figure.describe('The figure on that board; null if unknown.'),
        rank,
        of: count.describe('Rows of the board.'),
        moved: placed.moved,
        gained: figure.describe('What the figure gained since the previous board; null if unknown.'),
      }),
    )
    .describe('Places on the boards that list it.'),
};

const listedFigures = {
  power: figure,
  killpoints: figure.optional(),
  merits: figure.optional(),
};

/** The strongest governors of a kingdom or alliance on the governor board. */
const listedGovernors = {
  listed_day: day.nullable().describe('The day of the boards of the lists; null if there is none yet.'),
  governors: z.array(
    z.object({
      rank: z.int().min(1).describe('The place on the board.'),
      governor_id: z.int(),
      name: z.string(),
      alliance_tag: z.string(),
      ...listedFigures,
    }),
  ),
};

const ROW = 'The row on the board by power, or by the score if only that one lists it.';

export const governorProfile = z.object({ ...profiled, row: governorRow.describe(ROW) });
export const allianceProfile = z.object({ ...profiled, row: allianceRow.describe(ROW), ...listedGovernors });
export const kingdomProfile = z.object({
  ...profiled,
  row: kingdomRow.describe(ROW),
  ...listedGovernors,
  alliances: z.array(
    z.object({
      rank,
      alliance_tag: z.string(),
      alliance_name: z.string(),
      member_count: count,
      ...listedFigures,
    }),
  ),
});

const gameStats = z.object({
  kingdoms: count,
  governors: count,
  alliances: count,
  captured_at: moment
    .nullable()
    .describe('Time of the newest scan on the kingdom board, in epoch milliseconds; null before the first board.'),
  delayed_day: day.nullable(),
  newest_day: day,
  since: day.nullable(),
});

export const globalStats = z.object({ rok: gameStats, cod: gameStats } satisfies Record<
  (typeof GAME_IDS)[number],
  unknown
>);
