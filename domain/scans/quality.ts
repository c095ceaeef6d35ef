import { GAMES, type GameId } from '../games/games.ts';
import { readRows } from './read.ts';
import { type Numbers, numbersOf, type Table } from './rows.ts';

/**
 * How well a row was read. `listed` is all that was asked for; the others are misread. `counter_fell` needs an earlier
 * row to compare with.
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

/** Rows worth reading again: they were misread. `listed` ones were never asked for. */
export const isBad = (quality: Quality): boolean => quality !== 'ok' && quality !== 'listed';

/** In a few words, for a mark beside a name. */
export const QUALITY_TITLE: Readonly<Record<Quality, string>> = {
  ok: 'Read in full',
  listed: 'Ranking list only',
  tiers_unread: 'Kills by tier unread',
  score_unread: 'Killpoints unread',
  identity_broken: 'Figures disagree',
  counter_fell: 'Counter fell',
  impossible: 'Impossible figures',
};

export const QUALITY_TEXT: Readonly<Record<Quality, string>> = {
  ok: 'Read in full and consistent.',
  listed: 'Only the ranking list was read, not the profile.',
  tiers_unread: 'The kills by tier could not be read: all are 0 while killpoints are not.',
  score_unread: 'The killpoints could not be read.',
  identity_broken: 'Killpoints do not follow from the kills by tier.',
  counter_fell: 'A lifetime counter is lower than in the scan before: one of the two was misread.',
  impossible:
    'A figure that cannot be: no power, a highest power below the power, a city above the highest level, or more kills by tier than units killed.',
};

/** What a verdict can be about: a figure, or the kills of all tiers together. */
export const FIGURES = ['power', 'score', 'deads', 'tiers', 'hall'] as const;
export type Figure = (typeof FIGURES)[number];

/** What is to be said of one row. */
export interface Verdict {
  quality: Quality;
  /** The figures that do not count: a verdict doubts what it is about and nothing else. Other counters by their keys. */
  doubted: readonly string[];
}

/** Kill points that follow from kills by tier (T1 first): floor(0.2·T1) + 2·T2 + 4·T3 + 10·T4 + 20·T5. Exact. */
export function killPoints(tiers: readonly number[], weights: readonly number[]): number {
  // Only T1's weight is not whole; 0.2 is not exact in binary, 1/5 by division of a whole number floors exactly.
  return tiers.reduce(
    (sum, kills, tier) =>
      sum + (tier === 0 ? Math.floor(kills / Math.round(1 / (weights[0] ?? 1))) : kills * (weights[tier] ?? 0)),
    0,
  );
}

/** Lifetime counters of a game, whose fall between two readings shows a bad one. */
export const lifetimeCounters = (game: GameId): string[] =>
  GAMES[game].columns.filter((column) => column.lifetime).map((column) => column.key);

/** Columns that tell how well a row was read: what has to be loaded of an earlier snapshot to compare with it. */
export function tellingColumns(game: GameId): string[] {
  const { id, power, highestPower, score, hall, tiers } = GAMES[game].roles;
  return [...new Set([id, power, highestPower, score, hall, ...tiers, ...lifetimeCounters(game)])];
}

/**
 * The verdict on each row, by the truths that real exports satisfy (kill points equal the weighted tiers to the unit in
 * every row of nine real files; the exceptions in large scans are reads that failed; no counter of 15,866 pairs of good
 * readings fell). `earlier` is an older reading of the same governors, with the telling columns at least.
 */
export function verdictsOf(table: Table, earlier?: Table): Verdict[] {
  const verdicts = ownVerdicts(table);
  return earlier ? verdicts.map(withFalls(table, earlier)) : verdicts;
}

/** The quality of each row alone. */
export const qualitiesOf = (table: Table, earlier?: Table): Quality[] =>
  verdictsOf(table, earlier).map(({ quality }) => quality);

const [POWER, SCORE, TIERS, HALL] = (['power', 'score', 'tiers', 'hall'] as const).map(
  (figure) => 1 << FIGURES.indexOf(figure),
) as [number, number, number, number];

const kept = new Map<string, Verdict>();

/** The verdict with these figures (bits by their place in FIGURES): one object for all rows that it is on. */
function verdict(quality: Quality, bits: number): Verdict {
  const key = `${quality} ${bits}`;
  const known = kept.get(key);
  if (known) return known;
  const made = { quality, doubted: FIGURES.filter((_, place) => (bits & (1 << place)) !== 0) };
  kept.set(key, made);
  return made;
}

function ownVerdicts(table: Table): Verdict[] {
  const { roles, killPoints: weights } = GAMES[table.game];
  const tiers = roles.tiers.map((key) => numbersOf(table, key));
  const score = numbersOf(table, roles.score);
  const impossible = impossibleIn(table);
  const read = readRows(table);
  // One list for all rows: a new one for each was most of the time.
  const kills = tiers.map(() => 0);
  const verdicts: Verdict[] = [];
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

/** Reads a row's kills by tier, 0 for one that was not read; answers how many were. */
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
 * What kills by tier and kill points say of one another. No kills and no points is a governor who never fought: of 7,340
 * such rows of real files 310 were misread.
 */
function ofKills(
  points: number,
  kills: readonly number[],
  known: number,
  weights: readonly number[],
): readonly [Quality, number] {
  if (Number.isNaN(points)) return ['score_unread', SCORE];
  const earned = killPoints(kills, weights);
  // Some sources have the high tiers alone: the others may be worth the rest.
  if (earned === points || (known < kills.length && earned < points)) return ['ok', 0];
  if (points === 0) return ['score_unread', SCORE];
  if (kills.every((value) => value === 0)) return ['tiers_unread', TIERS];
  return ['identity_broken', SCORE | TIERS];
}

/** What the game cannot hold, as the bits of the figures that are wrong; a figure that was not read says nothing. */
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

/** What a verdict on a column is about: kills by tier stand and fall together, others stand for themselves. */
export function figureOf(game: GameId, key: string): string {
  const { roles, allKills } = GAMES[game];
  if (roles.tiers.includes(key) || key === allKills) return 'tiers';
  return FIGURES.find((figure) => figure !== 'tiers' && roles[figure] === key) ?? key;
}

/** Adds to a row's verdict the counters that are lower than in the governor's earlier row, where both are in no doubt. */
function withFalls(table: Table, earlier: Table): (verdict: Verdict, row: number) => Verdict {
  const { game } = table;
  const { id } = GAMES[game].roles;
  const before = ownVerdicts(earlier);
  const ids = numbersOf(table, id);
  const placeOf = new Map<number, number>();
  numbersOf(earlier, id).forEach((governor, row) => {
    placeOf.set(governor, row);
  });
  // A counter that is 0 in every row was not read at all: some tools write it so.
  const counters = lifetimeCounters(game)
    .map((key) => ({ figure: figureOf(game, key), now: numbersOf(table, key), was: numbersOf(earlier, key) }))
    .filter(({ now }) => now.some((value) => value > 0));
  return (own, row) => {
    const place = placeOf.get(ids[row] as number);
    if (place === undefined) return own;
    const unsure = (before[place] as Verdict).doubted;
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

/** The figures of a row that do not count, as its column `doubted` has them. */
export const doubtedIn = (words: string | null | undefined): readonly string[] =>
  words ? words.split(SEPARATOR) : NONE;

/** The same table with each row's verdict in columns of its own; there is nothing to say of rows that are as asked for. */
export const withVerdicts = (table: Table, verdicts: readonly Verdict[]): Table => ({
  ...table,
  texts: {
    ...table.texts,
    doubted: verdicts.map(({ doubted }) => (doubted.length > 0 ? doubted.join(SEPARATOR) : null)),
    quality: verdicts.map(({ quality }) => (isBad(quality) ? quality : null)),
  },
});

/** How many rows of each quality; qualities without a row are left out. */
export function countQualities(verdicts: readonly Verdict[]): Partial<Record<Quality, number>> {
  const counts: Partial<Record<Quality, number>> = {};
  for (const { quality } of verdicts) counts[quality] = (counts[quality] ?? 0) + 1;
  return counts;
}

/** Adds the counts of some rows to those of others. */
export function addCounts(sum: Partial<Record<Quality, number>>, counts: Partial<Record<Quality, number>>): void {
  for (const [quality, count] of Object.entries(counts) as [Quality, number][])
    sum[quality] = (sum[quality] ?? 0) + count;
}
