import { GAMES, type GameId } from './games.ts';
import { numbersOf, type Table } from './rows.ts';

/** What a row's own figures say of how well it was read. `counter_fell` needs an earlier row to compare with. */
export const QUALITIES = ['ok', 'listed', 'tiers_unread', 'score_unread', 'identity_broken', 'counter_fell'] as const;
export type Quality = (typeof QUALITIES)[number];

/** Rows worth reading again: they were misread. `listed` ones were never asked for. */
export const isBad = (quality: Quality): boolean => quality !== 'ok' && quality !== 'listed';

export const QUALITY_TEXT: Readonly<Record<Quality, string>> = {
  ok: 'Read in full and consistent.',
  listed: 'Only the ranking list was read, not the profile.',
  tiers_unread: 'The kills by tier could not be read: all are 0 while kill points are not.',
  score_unread: 'The kill points could not be read.',
  identity_broken: 'Kill points do not follow from the kills by tier.',
  counter_fell: 'A lifetime counter is lower than in the scan before: one of the two was misread.',
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

/**
 * The quality of each row by itself, by the truths that real exports satisfy (kill points equal the weighted tiers to
 * the unit in every row of nine real files; the exceptions in large scans are reads that failed).
 */
export function qualitiesOf(table: Table): Quality[] {
  const { roles, killPoints: weights } = GAMES[table.game];
  const tiers = roles.tiers.map((key) => numbersOf(table, key));
  const score = numbersOf(table, roles.score);
  const highest = numbersOf(table, roles.highestPower);
  return Array.from({ length: table.count }, (_, row) => {
    const kills = tiers.map((column) => column[row] as number);
    const points = score[row] as number;
    if (!((highest[row] as number) > 0) && Number.isNaN(points) && kills.every(Number.isNaN)) return 'listed';
    if (weights === null) return 'ok';
    const unread = kills.every((value) => Number.isNaN(value) || value === 0);
    if (Number.isNaN(points) || points === 0) return 'score_unread';
    if (unread) return 'tiers_unread';
    return killPoints(
      kills.map((value) => value || 0),
      weights,
    ) === points
      ? 'ok'
      : 'identity_broken';
  });
}

/** How many rows of each quality; qualities without a row are left out. */
export function countQualities(qualities: readonly Quality[]): Partial<Record<Quality, number>> {
  const counts: Partial<Record<Quality, number>> = {};
  for (const quality of qualities) counts[quality] = (counts[quality] ?? 0) + 1;
  return counts;
}

/** Lifetime counters of a game, whose fall between two readings shows a bad one. */
export const lifetimeCounters = (game: GameId): string[] =>
  GAMES[game].columns.filter((column) => column.lifetime).map((column) => column.key);
