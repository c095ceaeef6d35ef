import type { GameId } from '../../domain/games/games.ts';

/** The sign-ins of a local copy. Nothing of this folder is in the deployed Worker, so production cannot have them. */
export const DEMO = { username: 'demo', password: 'demo-muster', email: 'demo@muster.example' };
export const ADMIN = { username: 'admin', password: 'admin-muster', email: 'admin@muster.example' };

/** How far back the world's scans go, how many kingdoms of each game are scanned, and how deep: some three seconds. */
export const HISTORY: { days: number; kingdoms: Record<GameId, number>; governors: number } = {
  days: 14,
  kingdoms: { rok: 4, cod: 2 },
  governors: 200,
};

/** The wars of a local copy: one that runs and one that is over of each game. */
export const WARS = {
  /** Days between two snapshots of the running one; of the other the shares of the war after which there is one. */
  days: 5,
  shares: [0, 0.3, 0.65, 1],
  governors: 120,
  /** Minutes from one gathering by the bots to the next. */
  refresh_rate: 60,
};

/**
 * Accounts and the agent's group; one day (its first millisecond in UTC) of the world's history; the events of `war`, a
 * moment; or what the crons would make of it all by `now`: boards, alliances and the search.
 */
export type SeedStep = { token: string } | { day: number } | { war: number } | { now: number };
