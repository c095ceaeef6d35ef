import { DELAY_DAYS } from '../../domain/boards/leaderboard.ts';
import type { GameId } from '../../domain/games/games.ts';

/** The accounts of a local copy. Nothing in this folder is deployed, so they cannot exist in production. */
export const DEMO = { username: 'demo', password: 'demo-muster', email: 'demo@muster.example' };
export const ADMIN = { username: 'admin', password: 'admin-muster', email: 'admin@muster.example' };

/** Depth of every scan in a local copy. Scans need equal depth to show who joined and left. */
export const GOVERNORS = 200;

/** Scans of the last days, in addition to those of the wars. */
export const HISTORY: { days: number; daily: Record<GameId, number>; turn: number } = {
  days: 14,
  /** Number of kingdoms scanned daily, by game. */
  daily: { rok: 4, cod: 2 },
  /** Days between scans of a kingdom at war. */
  turn: 4,
};

/** Number of days with boards: the public delay, and earlier days to show changes. They take half of the start. */
export const BOARD_DAYS = DELAY_DAYS + 2;

/** The wars of a local copy: a running and a finished one per game. */
export const WARS = {
  /** Days between snapshots of the running war. */
  days: 5,
  /** Times of a finished war's snapshots, as shares of its duration. */
  shares: [0, 0.3, 0.65, 1],
  /** Minutes between gatherings by the bots. */
  refresh_rate: 60,
};

/**
 * A step creates the accounts and the agent's group (`token`), the events as of a time with their scans (`war`), one
 * day of history (`day`, its first millisecond in UTC), or what the crons would derive by `now`: boards, alliances and
 * the search.
 */
export type SeedStep = { token: string } | { day: number } | { war: number } | { now: number };
