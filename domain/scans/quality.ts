import { GAMES, type GameId } from '../games/games.ts';
import { message } from '../language/text.ts';
import { readRows } from './read.ts';
import { type Numbers, numbersOf, type Table } from './rows.ts';

/**
 * How well a row was read. `listed` is all that was asked for; the others except `ok` are misreads. `counter_fell`
 * requires an earlier row to compare with.
 */
export const QUALITIES = [
  'ok',
  'listed',
  'tiers_unread',
  'score_unread',
  'identity_broken',
  'counter_fell',
  'impossible',
] as const;
export type Quality = (typeof QUALITIES)[number];

/** Returns whether a row was misread and is worth reading again. For `listed` rows nothing more was asked. */
export const isBad = (quality: Quality): boolean => quality !== 'ok' && quality !== 'listed';

/** Short label for a mark next to a name. */
export const QUALITY_TITLE: Readonly<Record<Quality, string>> = {
  ok: message('Read in full'),
  listed: message('Ranking list only'),
  tiers_unread: message('Kills by tier unread'),
  score_unread: message('Killpoints unread'),
  identity_broken: message('Figures disagree'),
  counter_fell: message('Counter fell'),
  impossible: message('Impossible figures'),
};

export const QUALITY_TEXT: Readonly<Record<Quality, string>> = {
  ok: message('Read in full and consistent.'),
  listed: message('Only the ranking list was read, not the profile.'),
  tiers_unread: message('The kills by tier could not be read: all are 0 while killpoints are not.'),
  score_unread: message('The killpoints could not be read.'),
  identity_broken: message('Killpoints do not follow from the kills by tier.'),
  counter_fell: message('A lifetime counter is lower than in the previous scan. One of the two was misread.'),
  impossible: message(
    'An impossible figure: no power, a highest power below the power, a city above the highest level, or more kills by tier than units killed.',
  ),
};

/** What a verdict can concern: a figure, or the kills of all tiers together. */
export const FIGURES = ['power', 'score', 'deads', 'tiers', 'hall'] as const;
export type Figure = (typeof FIGURES)[number];

/** The verdict on one row. */
export interface RowVerdict {
  quality: Quality;
  /** The figures that are excluded; the others still count. Lifetime counters appear under their column keys. */
  doubted: readonly string[];
}

/** Returns the exact kill points for kills by tier (T1 first): floor(0.2·T1) + 2·T2 + 4·T3 + 10·T4 + 20·T5. */
export function killPoints(tiers: readonly number[], weights: readonly number[]): number {
  // Only T1's weight is fractional. 0.2 is not exact in binary, but dividing a whole number by 5 floors correctly.
  return tiers.reduce(
    (sum, kills, tier) =>
      sum + (tier === 0 ? Math.floor(kills / Math.round(1 / (weights[0] ?? 1))) : kills * (weights[tier] ?? 0)),
    0,
  );
}

/** Returns a game's lifetime counters, whose fall between two readings shows a misread. */
export const lifetimeCounters = (game: GameId): string[] =>
  GAMES[game].columns.filter((column) => column.lifetime).map((column) => column.key);

/** Returns the columns needed to judge a row's quality, for loading an earlier snapshot to compare with. */
export function tellingColumns(game: GameId): string[] {
  const { id, power, highestPower, score, hall, tiers } = GAMES[game].roles;
  return [...new Set([id, power, highestPower, score, hall, ...tiers, ...lifetimeCounters(game)])];
}

/**
 * Judges each row by rules that real exports satisfy. Kill points equal the weighted tiers exactly in every row of nine
 * real files; the exceptions in large scans are misreads. In 15,866 pairs of good readings no counter fell. `earlier`
 * is an older reading of the same governors, with the telling columns at least.
 */
export function verdictsOf(table: Table, earlier?: Table): RowVerdict[] {
  const verdicts = ownVerdicts(table);
  return earlier ? verdicts.map(withFalls(table, earlier)) : verdicts;
}

/** Returns the quality of each row. */
export const qualitiesOf = (table: Table, earlier?: Table): Quality[] =>
  verdictsOf(table, earlier).map(({ quality }) => quality);

const [POWER, SCORE, TIERS, HALL] = (['power', 'score', 'tiers', 'hall'] as const).map(
  (figure) => 1 << FIGURES.indexOf(figure),
) as [number, number, number, number];

const kept = new Map<string, RowVerdict>();

/** Returns a cached verdict object. `bits` selects figures by their position in FIGURES. */
function verdict(quality: Quality, bits: number): RowVerdict {
  const key = `${quality} ${bits}`;
  const known = kept.get(key);
  if (known) return known;
  const made = { quality, doubted: FIGURES.filter((_, place) => (bits & (1 << place)) !== 0) };
  kept.set(key, made);
  return made;
}

function ownVerdicts(table: Table): RowVerdict[] {
  const { roles, killPoints: weights } = GAMES[table.game];
  const tiers = roles.tiers.map((key) => numbersOf(table, key));
  const score = numbersOf(table, roles.score);
  const impossible = impossibleIn(table);
  const read = readRows(table);
  // Reused for all rows, because allocating a list for each took most of the time.
  const kills = tiers.map(() => 0);
  const verdicts: RowVerdict[] = [];
  for (let row = 0; row < table.count; row++) {
    const known = readInto(kills, tiers, row);
    const wrong = impossible(row, kills);
    const [quality, bits]: readonly [Quality, number] =
      weights && known > 0
        ? ofKills(score[row] as number, kills, known, weights)
        : [read[row] === 0 ? 'listed' : 'ok', 0];
    verdicts.push(verdict(wrong > 0 ? 'impossible' : quality, bits | wrong));
  }
  return verdicts;
}

/** Reads a row's kills by tier, with 0 for unread ones. Returns how many were read. */
function readInto(kills: number[], tiers: readonly Numbers[], row: number): number {
  let known = 0;
  for (let tier = 0; tier < tiers.length; tier++) {
    const value = tiers[tier]?.[row] as number;
    kills[tier] = value || 0;
    if (!Number.isNaN(value)) known += 1;
  }
  return known;
}

/**
 * Compares kills by tier with kill points. Without kills and points, a governor never fought: in real files only 310 of
 * 7,340 such rows were misread.
 */
function ofKills(
  points: number,
  kills: readonly number[],
  known: number,
  weights: readonly number[],
): readonly [Quality, number] {
  if (Number.isNaN(points)) return ['score_unread', SCORE];
  const earned = killPoints(kills, weights);
  // Some sources have the high tiers only; the others may account for the rest.
  if (earned === points || (known < kills.length && earned < points)) return ['ok', 0];
  if (points === 0) return ['score_unread', SCORE];
  if (kills.every((value) => value === 0)) return ['tiers_unread', TIERS];
  return ['identity_broken', SCORE | TIERS];
}

/** Returns a function that finds figures impossible in the game, as bits. Unread figures are not judged. */
function impossibleIn(table: Table): (row: number, kills: readonly number[]) => number {
  const { roles, allKills, hall } = GAMES[table.game];
  const [power, highest, halls] = [roles.power, roles.highestPower, roles.hall].map((key) => numbersOf(table, key));
  const all = allKills === null ? undefined : numbersOf(table, allKills);
  const at = (column: Numbers | undefined, row: number): number => column?.[row] ?? Number.NaN;
  return (row, kills) =>
    (at(power, row) === 0 || (at(highest, row) > 0 && at(highest, row) < at(power, row)) ? POWER : 0) |
    (at(halls, row) > hall.highest ? HALL : 0) |
    (all !== undefined && isMore(kills, at(all, row)) ? TIERS : 0);
}

/** Sources round: in 15 of 4,571 real rows the tiers exceed all kills, by 0.03 % at most. */
const ROUNDING = 1.001;

function isMore(kills: readonly number[], all: number): boolean {
  const sum = kills.reduce((total, value) => total + value, 0);
  return sum > all && sum >= all * ROUNDING;
}

/** Returns the figure that a verdict on a column concerns. Kills by tier count as one; other columns count alone. */
export function figureOf(game: GameId, key: string): string {
  const { roles, allKills } = GAMES[game];
  if (roles.tiers.includes(key) || key === allKills) return 'tiers';
  return FIGURES.find((figure) => figure !== 'tiers' && roles[figure] === key) ?? key;
}

/**
 * Returns a function that adds counters lower than in the governor's earlier row to a verdict, unless either reading is
 * already doubtful.
 */
function withFalls(table: Table, earlier: Table): (verdict: RowVerdict, row: number) => RowVerdict {
  const { game } = table;
  const { id } = GAMES[game].roles;
  const before = ownVerdicts(earlier);
  const ids = numbersOf(table, id);
  const placeOf = new Map<number, number>();
  numbersOf(earlier, id).forEach((governor, row) => {
    placeOf.set(governor, row);
  });
  // A counter that is 0 in every row was not read; some tools write it so.
  const counters = lifetimeCounters(game)
    .map((key) => ({ figure: figureOf(game, key), now: numbersOf(table, key), was: numbersOf(earlier, key) }))
    .filter(({ now }) => now.some((value) => value > 0));
  return (own, row) => {
    const place = placeOf.get(ids[row] as number);
    if (place === undefined) return own;
    const unsure = (before[place] as RowVerdict).doubted;
    const fallen = counters.filter(
      ({ figure, now, was }) =>
        (now[row] as number) < (was[place] as number) && !own.doubted.includes(figure) && !unsure.includes(figure),
    );
    if (fallen.length === 0) return own;
    const doubted = [...new Set([...own.doubted, ...fallen.map(({ figure }) => figure)])];
    return { quality: isBad(own.quality) ? own.quality : 'counter_fell', doubted };
  };
}

const SEPARATOR = ' ';
const NONE: readonly string[] = [];

/** Parses a row's `doubted` column. */
export const doubtedIn = (words: string | null | undefined): readonly string[] =>
  words ? words.split(SEPARATOR) : NONE;

/** Returns the table with columns for the verdicts, which are empty for rows as requested. */
export const withVerdicts = (table: Table, verdicts: readonly RowVerdict[]): Table => ({
  ...table,
  texts: {
    ...table.texts,
    doubted: verdicts.map(({ doubted }) => (doubted.length > 0 ? doubted.join(SEPARATOR) : null)),
    quality: verdicts.map(({ quality }) => (isBad(quality) ? quality : null)),
  },
});

/** Counts the rows of each quality; qualities without rows are omitted. */
export function countQualities(verdicts: readonly RowVerdict[]): Partial<Record<Quality, number>> {
  const counts: Partial<Record<Quality, number>> = {};
  for (const { quality } of verdicts) counts[quality] = (counts[quality] ?? 0) + 1;
  return counts;
}

/** Adds counts to a running sum. */
export function addCounts(sum: Partial<Record<Quality, number>>, counts: Partial<Record<Quality, number>>): void {
  for (const [quality, count] of Object.entries(counts) as [Quality, number][])
    sum[quality] = (sum[quality] ?? 0) + count;
}
