import { addDays, type Day, dayOf, dayStart } from '../days.ts';
import { capital } from '../figures.ts';
import { GAME_IDS, GAME_NAMES, type GameId, type GameNames } from '../games/game-names.ts';

/**
 * Published leaderboards. A board of a day ranks what was known when that day ended; it is built once, shortly after,
 * and governors and alliances are shown a week late: the delay is which day's board is served.
 */

/**
 * What boards rank by, under the name that a governor's figure has there (`KEPT` in ranking.ts): the `type` of a call,
 * which is also its key in rows, and what users read.
 */
const METRICS = {
  power: { type: () => 'power', title: () => 'Power' },
  score: { type: ({ roles }) => roles.score, title: ({ score }) => score },
} satisfies Record<string, { type: (game: GameNames) => string; title: (game: GameNames) => string }>;

export type Metric = keyof typeof METRICS;
export const METRIC_IDS = Object.keys(METRICS) as Metric[];

export const BOARD_KINDS = ['governor', 'alliance', 'kingdom'] as const;
export type BoardKind = (typeof BOARD_KINDS)[number];

/** Days between what a visitor sees of governors and alliances and now (specification, section 9). */
export const DELAY_DAYS = 7;

/**
 * Every board there is: by what each kind of rows is ranked, and how many days later it is shown. One that is added is
 * published from the next day on, and for older days where an admin publishes them again.
 */
export const BOARDS = {
  governor: { metrics: ['power', 'score'], delay: DELAY_DAYS },
  alliance: { metrics: ['power', 'score'], delay: DELAY_DAYS },
  kingdom: { metrics: ['power'], delay: 1 },
} as const satisfies Record<BoardKind, { metrics: readonly ['power', ...Metric[]]; delay: number }>;

/** 'governor-power', and so on. */
export type BoardId = { [Kind in BoardKind]: `${Kind}-${(typeof BOARDS)[Kind]['metrics'][number]}` }[BoardKind];

/** By what a kind of rows is ranked. */
export const metricsOf = (kind: BoardKind): readonly Metric[] => BOARDS[kind].metrics;

/** A kind's board by a metric; by power where there is none. */
export const boardId = (kind: BoardKind, metric: Metric): BoardId =>
  `${kind}-${metricsOf(kind).includes(metric) ? metric : 'power'}` as BoardId;

export const BOARD_IDS: readonly BoardId[] = BOARD_KINDS.flatMap((kind) =>
  metricsOf(kind).map((metric) => boardId(kind, metric)),
);

/** What a board is of. */
export function boardOf(board: BoardId): { kind: BoardKind; metric: Metric } {
  const [kind, metric] = board.split('-') as [BoardKind, Metric];
  return { kind, metric };
}

/** How many governors a board shows. */
export const PUBLISHED_GOVERNORS = 25_000;
export const ROWS_PER_PAGE = 100;
/** For how long boards are kept and can be built again. */
export const KEPT_DAYS = 90;
/** Sizes of a slice; each divides a stored page of 100. */
export const SLICE_SIZES = [10, 25, 50, 100] as const;

/** The `type` of a ranking call for a metric: of the score 'killpoints' in one game, 'merits' in the other. */
export const typeOf = (game: GameId, metric: Metric): string => METRICS[metric].type(GAME_NAMES[game]);

/** What users read of a metric. */
export const metricTitle = (game: GameId, metric: Metric): string => METRICS[metric].title(GAME_NAMES[game]);

/** The types that a ranking call of a kind may ask for. */
export const typesOf = (kind: BoardKind, game: GameId): readonly string[] =>
  metricsOf(kind).map((metric) => typeOf(game, metric));

/** The types of a metric in the two games. */
export const typesOfMetric = (metric: Metric): readonly string[] => [
  ...new Set(GAME_IDS.map((game) => typeOf(game, metric))),
];

/**
 * The address of so many rows of a board from its first page on; -1: of all. The page's head preloads what its script asks
 * for, so both write it the same.
 */
export const rankingPath = (kind: BoardKind, game: GameId, metric: Metric, count: number, day?: Day): string =>
  `/v1/${kind}/rankings/${game}?type=${typeOf(game, metric)}&count=${count}&page=0${day === undefined ? '' : `&day=${day}`}`;

/** The address of the days of the row that has that place on the board of a day. */
export const rowDaysPath = (kind: BoardKind, game: GameId, metric: Metric, place: number, day: Day): string =>
  `/v1/${kind}/rankings/${game}/row?type=${typeOf(game, metric)}&place=${place}&day=${day}`;

/** The metric that a `type` names, or null. Killpoints mean the score of either game. */
export const metricOf = (game: GameId, type: string): Metric | null =>
  METRIC_IDS.find((metric) => typeOf(game, metric) === type) ?? (type === 'killpoints' ? 'score' : null);

/** By what a board is ranked whose address names a `type` that anyone may have written: by power where there is no such. */
export const metricShown = (kind: BoardKind, game: GameId, type: string | undefined): Metric =>
  boardOf(boardId(kind, metricOf(game, type ?? 'power') ?? 'power')).metric;

// --- The manifest ---------------------------------------------------------------------------------------------------

export interface Counts {
  kingdoms: number;
  governors: number;
  alliances: number;
}

export interface PublishedBoard {
  /** Names the set of objects; made of their bytes, so the same rows have the same version. */
  version: string;
  total: number;
}

export interface PublishedDay {
  published_at: number;
  /** The newest reading in it (epoch milliseconds). */
  captured_at: number;
  counts: Counts;
  /** A board that a later release added is not among them. */
  boards: Partial<Record<BoardId, PublishedBoard>>;
  /** A scan of that day, or of one that it goes back to, came in since: to be made again. */
  stale?: true;
}

export interface GameBoards {
  /** The first day of which there is any scan; null before that. */
  since: Day | null;
  days: Record<Day, PublishedDay>;
  /** The newest scan (its row's id) of which it is known whether it came late; absent before the first look. */
  followed?: number;
}

/** Which boards are good. Written after everything that it names. */
export type Manifest = Record<GameId, GameBoards>;

export const emptyManifest = (): Manifest => ({ rok: { since: null, days: {} }, cod: { since: null, days: {} } });

const delayOf = (board: BoardId): number => BOARDS[boardOf(board).kind].delay;

/** The newest day whose board may be shown at `now`. */
export const newestShown = (board: BoardId, now: number): Day => addDays(dayOf(now), -delayOf(board));

/** When the board of the day after `day` is due. */
export const nextPublication = (board: BoardId, day: Day): number => dayStart(addDays(day, delayOf(board) + 1));

export interface Served {
  day: Day;
  board: PublishedBoard;
  /** When the next one is due; in the past where that one is late. */
  next: number;
}

/** The newest day whose board is there and may be shown at `now`: by a look at each day, since every answer asks. */
function newestPublished({ days }: GameBoards, board: BoardId, now: number): Day | null {
  const last = newestShown(board, now);
  let newest: Day | null = null;
  for (const day in days)
    if (day <= last && (newest === null || day > newest) && days[day]?.boards[board]) newest = day;
  return newest;
}

/** The days whose board may be shown at `now`, newest first. A day that was missed is none of them. */
export function shownDays({ days }: GameBoards, board: BoardId, now: number): Day[] {
  const newest = newestShown(board, now);
  return Object.keys(days)
    .filter((day) => day <= newest && days[day]?.boards[board])
    .sort()
    .reverse();
}

/**
 * The board to show at `now`: of that day, or the newest that is old enough. Null: there is none yet, or none of that
 * day that may be shown.
 */
export function served(boards: GameBoards, board: BoardId, now: number, day?: Day): Served | null {
  const newest = newestPublished(boards, board, now);
  if (newest === null) return null;
  const asked = day ?? newest;
  const published =
    asked <= newest && Object.hasOwn(boards.days, asked) ? boards.days[asked]?.boards[board] : undefined;
  // An old board changes when the newest one does: by a scan that came in late.
  return published ? { day: asked, board: published, next: nextPublication(board, newest) } : null;
}

/** When the first board of a young installation appears; null where nothing was scanned yet. */
export const firstPublication = ({ since }: GameBoards, board: BoardId): number | null =>
  since === null ? null : dayStart(addDays(since, delayOf(board)));

/** For so long a scan counts on boards: a kingdom that was not scanned since then is on none. */
export const WINDOW_DAYS = 30;

/**
 * Notes scans of these days that came in after a look at the scans up to `followed`: boards of those days, and of the
 * days that go back to them, are to be made again. Changes the boards that it is given.
 */
export function noteScans(boards: GameBoards, days: readonly Day[], followed: number): void {
  // The first look: whatever is published was made of what had come in by then.
  const late = boards.followed === undefined ? [] : days;
  boards.followed = followed;
  for (const day of late) {
    if (boards.since !== null && day < boards.since) boards.since = day;
    for (const [published, board] of Object.entries(boards.days))
      if (published >= day && published < addDays(day, WINDOW_DAYS)) board.stale = true;
  }
}

/** Days whose boards are missing or out of date at `now`, oldest first: since the first scan or the oldest that is kept. */
export function missingDays({ since, days }: GameBoards, now: number): Day[] {
  if (since === null) return [];
  const today = dayOf(now);
  const oldest = addDays(today, -KEPT_DAYS);
  const missing: Day[] = [];
  for (let day = since > oldest ? since : oldest; day < today; day = addDays(day, 1)) {
    const published = days[day];
    if (!published || published.stale) missing.push(day);
  }
  return missing;
}

/** Days whose boards can be built again at `now`: over, and not older than what is kept. */
export const rebuildable = (now: number): { from: Day; to: Day } => ({
  from: addDays(dayOf(now), -KEPT_DAYS),
  to: addDays(dayOf(now), -1),
});

// --- What boards say of themselves, on the page as in the head that the Worker writes --------------------------------

export const boardTitle = (game: GameId, kind: BoardKind): string =>
  `${capital(GAME_NAMES[game][kind].one)} leaderboard`;

/** The specification's notices: kingdoms are shown of the moment that follows, the others late. */
export const GATHERED = 'Data gathered as of';
export const DELAYED = `Data is delayed by ${DELAY_DAYS} days`;
/** The same, where the day follows. */
export const DELAYED_TO = `${DELAYED}: this is`;
