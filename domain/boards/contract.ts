import * as z from 'zod';
import { GAME_IDS } from '../games/game-names.ts';
import { byRow } from '../scans/kingdom-metrics.ts';
import { METRIC_IDS, type Metric, SLICE_SIZES, typesOfMetric } from './leaderboard.ts';

/** What a call for a board may ask for, and what it is answered with. */

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
    `By what it ranks: ${METRIC_IDS.flatMap(typesOfMetric).join(', ')}, as the game and the kind of rows have it.`,
  );

const shownDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, {
    error: ({ input }) => `'${String(input).slice(0, 40)}' is not a day such as 2026-01-31.`,
  })
  .describe('A day whose board is kept; without it, the newest that is shown.');

/** The game of a board; another one is a 404. */
export const boardParam = z.object({
  game: z.string().meta({ description: 'The game.', enum: GAME_IDS, examples: ['rok'] }),
});

/** Every field is a text of the address; which `type` there is depends on the game. */
export const rankingQuery = z.object({
  type,
  day: shownDay.optional(),
  count: wholeNumber(`Rows of a page: -1 for everything, or one of ${SLICE_SIZES.join(', ')}.`).optional(),
  page: wholeNumber('Which page, from 0 on.').optional(),
});

/** The row at a place of a board, and of which day that board is. */
export const rowDaysQuery = z.object({
  type,
  place: wholeNumber('The rank of the row on the board of that day.'),
  day: shownDay,
});

const count = z.int().min(0);
const moment = z.number();
const day = z.string();
const figure = z.number().nullable();

const placed = {
  rank: z.int().min(1),
  moved: z.int().nullable().describe('Places gained since the board before; null where it was not on it.'),
  gained: z
    .number()
    .nullable()
    .optional()
    .describe(
      'What the figure that the board ranks by gained since the board before; null where it was not on it or the two cannot be compared. Absent on boards of an earlier release.',
    ),
};

/** The specification's governor row; kill points stand under the game's own key (`killpoints`, `merits`). */
export const governorRow = z.object({
  ...placed,
  kingdom_id: z.int(),
  governor_id: z.int(),
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

/** Of how many people a row's figures are, by the figure's key. */
const sumsOf = (people: string) => ({
  counted: z
    .record(z.string(), count)
    .optional()
    .describe(`How many ${people} each figure is of; boards of earlier releases do not have it.`),
  left_out: z
    .record(z.string(), z.object({ rows: count, raw: z.number() }))
    .optional()
    .describe('Only of figures that leave out doubted ones: how many, and the figure with those.'),
});

export const allianceRow = z.object({
  ...placed,
  kingdom_id: z.int(),
  alliance_tag: z.string(),
  alliance_name: z.string(),
  power: z.number(),
  killpoints: figure.optional().describe("Null where no member's was read."),
  merits: figure.optional(),
  member_count: count,
  ...sumsOf('members'),
});

/**
 * The specification's kingdom row; sums of the score stand under the game's own key. Null is unknown: not read, or of
 * fewer governors than that.
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
    .describe('Governors without any change for a week; null where there is no scan of a week before.'),
  ...byRow(({ made }) => (made === 'kinds' ? count.nullable() : figure)),
});

export const boardInfo = z.object({
  total: count,
  day: day.nullable(),
  captured_at: moment.nullable().describe('The newest reading in it; null where there is no board.'),
  next_publication: moment.nullable().describe('When the next board is due, in epoch milliseconds; null if none is.'),
  since: day
    .nullable()
    .optional()
    .describe('Since which day scans are gathered, while there is no board yet; null once there is one.'),
  first_publication: moment.nullable().optional(),
});

const board = <Row extends z.ZodType>(row: Row) => z.object({ rankings: z.array(row), info: boardInfo });

export const governorBoard = board(governorRow);
export const allianceBoard = board(allianceRow);
/** Without count and page the specification wants the bare rows. */
export const kingdomBoard = z.union([board(kingdomRow), z.array(kingdomRow)]);

/** The days whose boards can be asked for, newest first. */
export const boardDays = z.object({ days: z.array(day) });

/** A row on the board of a day: its place and its figures, null where one is unknown. */
export const rowDay = z.object({
  day,
  rank: z.int().min(1),
  /** What boards rank by: power, and the score, which is kill points or merits by the game. */
  ...(Object.fromEntries(METRIC_IDS.map((metric) => [metric, figure])) as Record<Metric, typeof figure>),
  count: count
    .nullable()
    .describe('Of an alliance its members, of a kingdom its governors, as scans read them; null of a governor.'),
});

/** A row of a board over the days kept up to that board's, oldest first, as long as it was on every board in between. */
export const rowDays = z.object({ days: z.array(rowDay) });

const gameStats = z.object({
  kingdoms: count,
  governors: count,
  alliances: count,
  captured_at: moment
    .nullable()
    .describe('When the board of kingdoms was gathered, in epoch milliseconds; null before the first.'),
  delayed_day: day.nullable(),
  newest_day: day,
  since: day.nullable(),
});

export const globalStats = z.object({ rok: gameStats, cod: gameStats } satisfies Record<
  (typeof GAME_IDS)[number],
  unknown
>);
