import { DELAY_DAYS } from '../../domain/boards/leaderboard.ts';
import type { GameId } from '../../domain/games/games.ts';

/** The sign-ins of a local copy. Nothing of this folder is in the deployed Worker, so production cannot have them. */
export const DEMO = { username: 'demo', password: 'demo-muster', email: 'demo@muster.example' };
export const ADMIN = { username: 'admin', password: 'admin-muster', email: 'admin@muster.example' };

/** How deep every scan of a local copy goes: scans of one depth tell who joined and who left. */
export const GOVERNORS = 200;

/** The scans of the last days beside those of the wars. */
export const HISTORY: { days: number; daily: Record<GameId, number>; turn: number } = {
  days: 14,
  /** How many kingdoms of each game are scanned every day. */
  daily: { rok: 4, cod: 2 },
  /** Days between two scans of a kingdom at war. */
  turn: 4,
};

/** How many days have boards: the public delay, and days before it that tell who rose. They take half of the start. */
export const BOARD_DAYS = DELAY_DAYS + 2;

/** The wars of a local copy: one that runs and one that is over of each game. */
export const WARS = {
  /** Days between two snapshots of the running war. */
  days: 5,
  /** The shares of a finished war after which there is a snapshot. */
  shares: [0, 0.3, 0.65, 1],
  /** Minutes between two gatherings by the bots. */
  refresh_rate: 60,
};

/**
 * Accounts and the agent's group; the events of `war`, a time, with their scans; one day (its first millisecond in UTC)
 * of the world's history; or what the crons would make of it all by `now`: boards, alliances and the search.
 */
export type SeedStep = { token: string } | { day: number } | { war: number } | { now: number };
