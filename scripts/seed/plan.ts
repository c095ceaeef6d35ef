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

/**
 * Accounts and the agent's group; one day (its first millisecond in UTC) of the world's history; or what the crons
 * would make of it all by `now`: boards, alliances and the search.
 */
export type SeedStep = { token: string } | { day: number } | { now: number };
