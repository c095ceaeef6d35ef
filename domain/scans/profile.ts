import type { Day } from '../days.ts';
import { GAMES, type GameId } from '../games/games.ts';
import type { Row } from './rows.ts';

/** Data of a governor's page. */

/** One day of a governor. Charts list the oldest first. */
export interface GovernorDay {
  day: Day;
  kingdom_id: number;
  rank: number;
  power: number;
  score: number | null;
  deads: number | null;
  t4: number | null;
  t5: number | null;
}

interface Change {
  field: string;
  old: string | number | null;
  value: string | number | null;
}

/** What changed with one scan (specification, 'Subscription changes'). */
export interface Changes {
  time: number;
  changes: Change[];
}

/** A governor's row in one scan. */
export interface Reading {
  time: number;
  row: Row;
}

/**
 * Returns the changes from reading to reading, newest first. Each figure is compared with the last reading that had it,
 * because a scan without profiles says nothing about change.
 */
export function changesOf(game: GameId, readings: readonly Reading[]): Changes[] {
  const { roles, columns } = GAMES[game];
  const last: Row = {};
  const all: Changes[] = [];
  for (const { time, row } of readings.toSorted((a, b) => a.time - b.time)) {
    const changes: Change[] = [];
    for (const { key, ours } of columns) {
      const value = row[key] ?? null;
      if (value === null || ours || key === roles.id) continue;
      const old = last[key] ?? null;
      if (old !== null && old !== value) changes.push({ field: key, old, value });
      last[key] = value;
    }
    if (changes.length > 0) all.push({ time, changes });
  }
  return all.reverse();
}

/**
 * Returns the governor's kingdoms before and after each of these changes, which are newest first. `home` is the kingdom
 * after all of them.
 */
export function kingdomsOf(
  game: GameId,
  changes: readonly Pick<Changes, 'changes'>[],
  home: number,
): { before: number; after: number }[] {
  const { kingdom } = GAMES[game].roles;
  let after = home;
  return changes.map(({ changes: own }) => {
    const moved = own.find(({ field }) => field === kingdom);
    const kingdoms = { before: Number(moved?.old ?? after), after };
    after = kingdoms.before;
    return kingdoms;
  });
}

/**
 * Returns the points earned by the kills of each tier, T1 first; null if the game's score does not follow from kills.
 */
export function tierPoints(game: GameId, row: Row): (number | null)[] | null {
  const { killPoints: weights, roles } = GAMES[game];
  if (!weights) return null;
  return roles.tiers.map((key, tier) => {
    const kills = row[key];
    if (typeof kills !== 'number') return null;
    // T1 is a fifth of a point. It is divided because 0.2 is not exact in binary.
    return tier === 0 ? Math.floor(kills / 5) : kills * (weights[tier] ?? 0);
  });
}
