import { GAMES } from '../games/games.ts';
import { numbersOf } from '../scans/rows.ts';
import type { Pairs } from './pairs.ts';

/** Fewer falls are misread rows. */
const LEAST_FALLS = 2;

/**
 * For each seasonal column (merits) the kingdoms of the start in which a new season has begun between the two
 * readings: of their governors who had some, more than half have fewer now.
 */
export function newSeasons({ game, from, to, partner }: Pairs): Map<string, Set<number>> {
  const seasons = new Map<string, Set<number>>();
  const kingdoms = numbersOf(from, GAMES[game].roles.kingdom);
  for (const { key, seasonal } of GAMES[game].columns) {
    const [before, after] = [from.numbers[key], to.numbers[key]];
    if (!seasonal || !before || !after) continue;
    const counts = new Map<number, { had: number; fell: number }>();
    for (let row = 0; row < from.count; row++) {
      const now = after[partner[row] as number] as number;
      const then = before[row] as number;
      if (!(then > 0) || !(now >= 0)) continue;
      const kingdom = kingdoms[row] as number;
      const count = counts.get(kingdom) ?? { had: 0, fell: 0 };
      counts.set(kingdom, count);
      count.had++;
      if (now < then) count.fell++;
    }
    const restarted = [...counts].filter(([, { had, fell }]) => fell >= LEAST_FALLS && fell * 2 > had);
    seasons.set(key, new Set(restarted.map(([kingdom]) => kingdom)));
  }
  return seasons;
}
