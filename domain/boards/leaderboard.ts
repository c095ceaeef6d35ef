import { addDays, type Day, dayOf, dayStart } from '../days.ts';
import { GAME_IDS, GAME_NAMES, type GameId, type GameNames } from '../games/game-names.ts';
import { type Locale, SOURCE_LOCALE } from '../language/locales.ts';
import { message, t, words } from '../language/text.ts';

/**
 * Published leaderboards. A day's board ranks what was known when that day ended, and is built once, shortly after.
 * Governors and alliances are shown a week late, by serving the board of an older day.
 */

/**
 * Metrics by which boards rank, keyed by the name of the governor's figure (`KEPT` in ranking.ts). `type` is both the
 * query value and the key in rows; `title` is what users read.
 */
const METRICS = {
  power: { type: () => 'power', title: () => message('Power') },
  score: { type: ({ roles }) => roles.score, title: ({ score }) => score },
} satisfies Record<string, { type: (game: GameNames) => string; title: (game: GameNames) => string }>;

export type Metric = keyof typeof METRICS;
export const METRIC_IDS = Object.keys(METRICS) as Metric[];

export const BOARD_KINDS = ['governor', 'alliance', 'kingdom'] as const;
export type BoardKind = (typeof BOARD_KINDS)[number];

/** How many days late governors and alliances are shown (specification, section 9). */
export const DELAY_DAYS = 7;

/**
 * All boards: the metrics that each kind is ranked by, and its delay in days. A new board is published from the next
 * day on; an admin can publish it again for older days.
 */
export const BOARDS = {
  governor: { metrics: ['power', 'score'], delay: DELAY_DAYS },
  alliance: { metrics: ['power', 'score'], delay: DELAY_DAYS },
  kingdom: { metrics: ['power'], delay: 1 },
} as const satisfies Record<BoardKind, { metrics: readonly ['power', ...Metric[]]; delay: number }>;

/** For example 'governor-power'. */
export type BoardId = { [Kind in BoardKind]: `${Kind}-${(typeof BOARDS)[Kind]['metrics'][number]}` }[BoardKind];

/** Returns the metrics that a kind of board is ranked by. */
export const metricsOf = (kind: BoardKind): readonly Metric[] => BOARDS[kind].metrics;

/** Returns the id of a kind's board by a metric; by power if there is no such board. */
export const boardId = (kind: BoardKind, metric: Metric): BoardId =>
  `${kind}-${metricsOf(kind).includes(metric) ? metric : 'power'}` as BoardId;

export const BOARD_IDS: readonly BoardId[] = BOARD_KINDS.flatMap((kind) =>
  metricsOf(kind).map((metric) => boardId(kind, metric)),
);

/** Splits a board's id into kind and metric. */
export function boardOf(board: BoardId): { kind: BoardKind; metric: Metric } {
  const [kind, metric] = board.split('-') as [BoardKind, Metric];
  return { kind, metric };
}

/** How many governors a board lists. */
export const PUBLISHED_GOVERNORS = 25_000;
/** How many alliances a board lists: all of some 1,500 kingdoms. */
export const PUBLISHED_ALLIANCES = 50_000;
export const ROWS_PER_PAGE = 100;
/** How many days boards are kept and can be rebuilt. */
export const KEPT_DAYS = 90;
/** A governor whom no scan has shown for this many days has left the game. */
export const UNSEEN_DAYS = 365;
/** Page sizes of the API; each divides a stored page of 100. */
export const SLICE_SIZES = [10, 25, 50, 100] as const;

/** Returns a metric's `type` in ranking calls. The score is 'killpoints' in one game and 'merits' in the other. */
export const typeOf = (game: GameId, metric: Metric): string => METRICS[metric].type(GAME_NAMES[game]);

/** Returns a metric's label in the current language. */
export const metricTitle = (game: GameId, metric: Metric): string => words(METRICS[metric].title(GAME_NAMES[game]));

/** Returns a metric's name inside a sentence, in the current language: 'ranked by power'. */
export const metricNoun = (game: GameId, metric: Metric): string =>
  t('{metric, select, power {power} killpoints {killpoints} other {merits}}', { metric: typeOf(game, metric) });

/** Returns the types that a kind of board offers. */
export const typesOf = (kind: BoardKind, game: GameId): readonly string[] =>
  metricsOf(kind).map((metric) => typeOf(game, metric));

/** Returns a metric's types in both games. */
export const typesOfMetric = (metric: Metric): readonly string[] => [
  ...new Set(GAME_IDS.map((game) => typeOf(game, metric))),
];

/** An order of rows: by a field of them. */
export interface BoardOrder {
  field: string;
  ascending: boolean;
  /** The language in whose order texts are. Absent for figures, and for English. */
  language?: Locale | undefined;
}

/** Fields of rows that are texts. */
const TEXT_FIELDS: readonly string[] = ['name', 'alliance_tag', 'alliance_name'];

/** Returns an order whose texts are in the order of a language. */
export const orderIn = ({ field, ascending }: BoardOrder, language: Locale | undefined): BoardOrder => ({
  field,
  ascending,
  ...(language !== SOURCE_LOCALE && TEXT_FIELDS.includes(field) && { language }),
});

/** Returns the API path of a board's `page`th `count` rows; -1 for all. By rank without an order. */
export function rankingPath(
  kind: BoardKind,
  game: GameId,
  metric: Metric,
  {
    count,
    page = 0,
    day,
    order,
  }: { count: number; page?: number; day?: Day | undefined; order?: BoardOrder | undefined },
): string {
  const ofDay = day === undefined ? '' : `&day=${day}`;
  const sorted = order
    ? `&sort=${encodeURIComponent(order.field)}&ascending=${order.ascending}${order.language ? `&language=${order.language}` : ''}`
    : '';
  return `/v1/${kind}/rankings/${game}?type=${typeOf(game, metric)}&count=${count}&page=${page}${ofDay}${sorted}`;
}

/** Returns the API path of the history of the row at a place on a day's board. */
export const rowDaysPath = (kind: BoardKind, game: GameId, metric: Metric, place: number, day: Day): string =>
  `/v1/${kind}/rankings/${game}/row?type=${typeOf(game, metric)}&place=${place}&day=${day}`;

/** Returns the metric that a `type` names, or null. 'killpoints' means the score in either game. */
export const metricOf = (game: GameId, type: string): Metric | null =>
  METRIC_IDS.find((metric) => typeOf(game, metric) === type) ?? (type === 'killpoints' ? 'score' : null);

/** Returns the metric of a `type` taken from a page's address; power if it is invalid. */
export const metricShown = (kind: BoardKind, game: GameId, type: string | undefined): Metric =>
  boardOf(boardId(kind, metricOf(game, type ?? 'power') ?? 'power')).metric;

// --- The manifest ---------------------------------------------------------------------------------------------------

export interface BoardCounts {
  kingdoms: number;
  governors: number;
  alliances: number;
}

export interface PublishedBoard {
  /**
   * Names the set of stored objects. It is a hash of their bytes, so equal rows have equal versions. If governors are
   * hidden, a mark of who follows after `HIDES` (`showWithout`).
   */
  version: string;
  total: number;
  /** Size of its stored objects, compressed; absent on boards of earlier releases. */
  bytes?: number;
}

export interface PublishedDay {
  published_at: number;
  /** Time of the newest scan in it (epoch milliseconds). */
  captured_at: number;
  counts: BoardCounts;
  /** Lacks boards that a later release added. */
  boards: Partial<Record<BoardId, PublishedBoard>>;
  /**
   * Set when a scan of that day, or of an earlier day that the board uses, came in later. The board must be rebuilt.
   */
  stale?: true;
  /** True if its boards have finders (finder.ts). Absent on boards of earlier releases. */
  finders?: true;
  /** How long it took to build, in ms; absent on boards of earlier releases. */
  built_ms?: number;
}

export interface GameBoards {
  /** The day of the first scan; null before that. */
  since: Day | null;
  days: Record<Day, PublishedDay>;
  /** Id of the newest scan row already checked for late arrival; absent before the first check. */
  followed?: number;
  /** Governors who asked not to be shown, in ascending order, and a hash of the list. Absent if there are none. */
  hidden?: { ids: number[]; mark: string };
}

/** Lists the complete boards. It is written after everything that it names. */
export type BoardManifest = Record<GameId, GameBoards>;

export const emptyManifest = (): BoardManifest => ({ rok: { since: null, days: {} }, cod: { since: null, days: {} } });

/** Separates the hash in a version from the mark of the hidden governors. */
const HIDES = '~';

/** Returns the part of a version that names stored objects. */
export const storedVersion = (version: string): string => version.split(HIDES, 1)[0] ?? version;

/** Returns the mark of the hidden governors in a version, with its separator; empty if none are hidden. */
export const hidingIn = (version: string): string => version.slice(storedVersion(version).length);

/** Returns whether a governor asked not to be shown. */
export const isHidden = ({ hidden }: GameBoards, id: number): boolean => hidden?.ids.includes(id) ?? false;

/** Returns whether a version's mark is that of the manifest's hidden governors. */
export const isMarked = (version: string, { hidden }: GameBoards): boolean =>
  hidingIn(version) === (hidden ? HIDES + hidden.mark : '');

/**
 * Adds the list of hidden governors to the governor boards, so that their versions change with it. Mutates `boards`.
 */
export function showWithout(boards: GameBoards, hidden: GameBoards['hidden']): void {
  if (hidden) boards.hidden = hidden;
  else delete boards.hidden;
  const ending = hidden ? HIDES + hidden.mark : '';
  for (const day of Object.values(boards.days))
    for (const [board, published] of Object.entries(day.boards))
      if (boardOf(board as BoardId).kind === 'governor') published.version = storedVersion(published.version) + ending;
}

const delayOf = (board: BoardId): number => BOARDS[boardOf(board).kind].delay;

/** Returns the newest day whose board may be shown at `now`. */
export const newestShown = (board: BoardId, now: number): Day => addDays(dayOf(now), -delayOf(board));

/** Returns when the board of the day after `day` is due. */
export const nextPublication = (board: BoardId, day: Day): number => dayStart(addDays(day, delayOf(board) + 1));

export interface Served {
  day: Day;
  board: PublishedBoard;
  /** When the next one is due; in the past if that one is late. */
  next: number;
}

/**
 * Returns the newest day with a board that may be shown at `now`. It scans the days without sorting because every
 * answer calls it.
 */
function newestPublished({ days }: GameBoards, board: BoardId, now: number): Day | null {
  const last = newestShown(board, now);
  let newest: Day | null = null;
  for (const day in days)
    if (day <= last && (newest === null || day > newest) && days[day]?.boards[board]) newest = day;
  return newest;
}

/** Returns the days whose boards may be shown at `now`, newest first. Days without a board are skipped. */
export function shownDays({ days }: GameBoards, board: BoardId, now: number): Day[] {
  const newest = newestShown(board, now);
  return Object.keys(days)
    .filter((day) => day <= newest && days[day]?.boards[board])
    .sort()
    .reverse();
}

/**
 * Returns the board to show at `now`: that of `day`, or the newest that is old enough. Null if there is none, or `day`
 * may not be shown.
 */
export function served(boards: GameBoards, board: BoardId, now: number, day?: Day): Served | null {
  const newest = newestPublished(boards, board, now);
  if (newest === null) return null;
  const asked = day ?? newest;
  const published =
    asked <= newest && Object.hasOwn(boards.days, asked) ? boards.days[asked]?.boards[board] : undefined;
  // An old board can change whenever the newest one does, because of a late scan.
  return published ? { day: asked, board: published, next: nextPublication(board, newest) } : null;
}

/** Returns when the first board of a new installation appears; null before the first scan. */
export const firstPublication = ({ since }: GameBoards, board: BoardId): number | null =>
  since === null ? null : dayStart(addDays(since, delayOf(board)));

/** How many days a scan counts. A kingdom without a newer scan is on no board. */
export const WINDOW_DAYS = 30;

/**
 * Marks boards as stale if they use scans of these days, which came in after the last check. `followed` is the newest
 * scan checked. Mutates `boards`.
 */
export function noteScans(boards: GameBoards, days: readonly Day[], followed: number): void {
  // On the first check, the published boards already include everything that had come in.
  const late = boards.followed === undefined ? [] : days;
  boards.followed = followed;
  for (const day of late) {
    if (boards.since !== null && day < boards.since) boards.since = day;
    for (const [published, board] of Object.entries(boards.days))
      if (published >= day && published < addDays(day, WINDOW_DAYS)) board.stale = true;
  }
}

/** Boards of an earlier release that are at most this many days old are rebuilt for their finders. */
const FOUND_DAYS = DELAY_DAYS + 1;

/**
 * Returns the days whose boards are missing or stale at `now`, oldest first, since the first scan or the oldest kept
 * day.
 */
export function missingDays({ since, days }: GameBoards, now: number): Day[] {
  if (since === null) return [];
  const today = dayOf(now);
  const oldest = addDays(today, -KEPT_DAYS);
  const missing: Day[] = [];
  for (let day = since > oldest ? since : oldest; day < today; day = addDays(day, 1)) {
    const published = days[day];
    // Public profiles need the finders of the days that may be shown as newest.
    const unfound = !published?.finders && day >= addDays(today, -FOUND_DAYS);
    if (!published || published.stale || unfound) missing.push(day);
  }
  return missing;
}

/** Returns the days whose boards can be rebuilt at `now`: past days within `KEPT_DAYS`. */
export const rebuildable = (now: number): { from: Day; to: Day } => ({
  from: addDays(dayOf(now), -KEPT_DAYS),
  to: addDays(dayOf(now), -1),
});

// // --- Titles and notices, shared by the page and the head that the Worker writes
// -------------------------------------

export const boardTitle = (game: GameId, kind: BoardKind): string =>
  t(
    '{kind, select, alliance {Alliance leaderboard} kingdom {{game, select, cod {Server leaderboard} other {Kingdom leaderboard}}} other {{game, select, cod {Lord leaderboard} other {Governor leaderboard}}}}',
    { kind, game },
  );

/** The specification's notices: kingdom boards name the time of their newest scan, the others their delay. */
export const GATHERED = message('Data gathered as of {time}');
export const DELAYED = message('Data is delayed by {days, plural, one {# day} other {# days}}');
export const DELAYED_TO = message('Data is delayed by {days, plural, one {# day} other {# days}}: this is {day}');
