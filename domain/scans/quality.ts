import { GAMES, type GameId } from '../games/games.ts';
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
  score_unread: 'Kill points unread',
  identity_broken: 'Figures disagree',
  counter_fell: 'Counter fell',
  impossible: 'Impossible figures',
};

export const QUALITY_TEXT: Readonly<Record<Quality, string>> = {
  ok: 'Read in full and consistent.',
  listed: 'Only the ranking list was read, not the profile.',
  tiers_unread: 'The kills by tier could not be read: all are 0 while kill points are not.',
  score_unread: 'The kill points could not be read.',
  identity_broken: 'Kill points do not follow from the kills by tier.',
  counter_fell: 'A lifetime counter is lower than in the scan before: one of the two was misread.',
  impossible:
    'A figure that cannot be: no power, a highest power below the power, a city above the highest level, or more kills by tier than units killed.',
};

export type Figure = 'power' | 'score' | 'deads' | 'tiers';

/** The figures that a row of each quality casts doubt on; sums are guarded against these. */
export const DOUBTED: Readonly<Record<Quality, readonly Figure[]>> = {
  ok: [],
  listed: [],
  tiers_unread: ['tiers'],
  score_unread: ['score'],
  identity_broken: ['score', 'tiers'],
  counter_fell: ['score', 'deads', 'tiers'],
  impossible: ['power', 'score', 'deads', 'tiers'],
};

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
 * The quality of each row, by the truths that real exports satisfy (kill points equal the weighted tiers to the unit in
 * every row of nine real files; the exceptions in large scans are reads that failed; no counter of 15,866 pairs of good
 * readings fell). `earlier` is an older reading of the same governors, with the telling columns at least.
 */
export function qualitiesOf(table: Table, earlier?: Table): Quality[] {
  const qualities = ownQualities(table);
  return earlier ? qualities.map(withFalls(table, earlier)) : qualities;
}

function ownQualities(table: Table): Quality[] {
  const { roles, killPoints: weights } = GAMES[table.game];
  const tiers = roles.tiers.map((key) => numbersOf(table, key));
  const score = numbersOf(table, roles.score);
  const highest = numbersOf(table, roles.highestPower);
  const isImpossible = impossibleIn(table);
  // One list for all rows: a new one for each was most of the time.
  const kills = tiers.map(() => 0);
  const qualityAt = (row: number): Quality => {
    const anyRead = readInto(kills, tiers, row);
    const points = score[row] as number;
    if (isImpossible(row, kills)) return 'impossible';
    if (!((highest[row] as number) > 0) && Number.isNaN(points) && !anyRead) return 'listed';
    if (weights === null) return 'ok';
    if (Number.isNaN(points) || points === 0) return 'score_unread';
    if (kills.every((value) => value === 0)) return 'tiers_unread';
    return killPoints(kills, weights) === points ? 'ok' : 'identity_broken';
  };
  const qualities: Quality[] = [];
  for (let row = 0; row < table.count; row++) qualities.push(qualityAt(row));
  return qualities;
}

/** Reads a row's kills by tier, 0 for one that was not read; false where none was. */
function readInto(kills: number[], tiers: readonly Numbers[], row: number): boolean {
  let anyRead = false;
  for (let tier = 0; tier < tiers.length; tier++) {
    const value = tiers[tier]?.[row] as number;
    kills[tier] = value || 0;
    anyRead ||= !Number.isNaN(value);
  }
  return anyRead;
}

/** What the game cannot hold; a figure that was not read says nothing. */
function impossibleIn(table: Table): (row: number, kills: readonly number[]) => boolean {
  const { roles, allKills, hall } = GAMES[table.game];
  const [power, highest, halls] = [roles.power, roles.highestPower, roles.hall].map((key) => numbersOf(table, key));
  const all = allKills === null ? undefined : numbersOf(table, allKills);
  const at = (column: Numbers | undefined, row: number): number => column?.[row] ?? Number.NaN;
  return (row, kills) =>
    at(power, row) === 0 ||
    (at(highest, row) > 0 && at(highest, row) < at(power, row)) ||
    at(halls, row) > hall.highest ||
    (all !== undefined && kills.reduce((sum, value) => sum + value, 0) > at(all, row));
}

/** Compares a row that is good by itself with the governor's earlier one, where that is good too. */
function withFalls(table: Table, earlier: Table): (quality: Quality, row: number) => Quality {
  const { id } = GAMES[table.game].roles;
  const before = ownQualities(earlier);
  const ids = numbersOf(table, id);
  const placeOf = new Map<number, number>();
  numbersOf(earlier, id).forEach((governor, row) => {
    if (before[row] === 'ok') placeOf.set(governor, row);
  });
  // A counter that is 0 in every row was not read at all: some tools write it so.
  const counters = lifetimeCounters(table.game)
    .map((key) => [numbersOf(table, key), numbersOf(earlier, key)] as const)
    .filter(([now]) => now.some((value) => value > 0));
  return (quality, row) => {
    const place = quality === 'ok' ? placeOf.get(ids[row] as number) : undefined;
    if (place === undefined) return quality;
    return counters.some(([now, then]) => (now[row] as number) < (then[place] as number)) ? 'counter_fell' : 'ok';
  };
}

/** The same table with each row's quality in its own column; there is nothing to say of rows that are as asked for. */
export const withQualities = (table: Table, qualities: readonly Quality[]): Table => ({
  ...table,
  texts: { ...table.texts, quality: qualities.map((quality) => (isBad(quality) ? quality : null)) },
});

/** How many rows of each quality; qualities without a row are left out. */
export function countQualities(qualities: readonly Quality[]): Partial<Record<Quality, number>> {
  const counts: Partial<Record<Quality, number>> = {};
  for (const quality of qualities) counts[quality] = (counts[quality] ?? 0) + 1;
  return counts;
}

/** Adds the counts of some rows to those of others. */
export function addCounts(sum: Partial<Record<Quality, number>>, counts: Partial<Record<Quality, number>>): void {
  for (const [quality, count] of Object.entries(counts) as [Quality, number][])
    sum[quality] = (sum[quality] ?? 0) + count;
}
