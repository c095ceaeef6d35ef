import { GAMES, type GameId } from '../../domain/games/games.ts';
import type { BotKingdoms } from '../../domain/orders/contract.ts';
import type { FileReport } from '../../domain/scans/file-report.ts';
import type { Row } from '../../domain/scans/rows.ts';

/** What a bot sees of a kingdom at one moment. */
export interface Scan {
  /** Epoch milliseconds at which it was seen. */
  captured_at: number;
  /** Where it comes from, in a few words. */
  source: string;
  /** Every governor that the source has of the kingdom, ranked by power, each full profile. */
  rows: Row[];
}

/** Why there is no scan: a sentence to the customer who asked for it, or the minutes until the kingdom can be scanned. */
export type NoScan = { unknown: string } | { preparing: number };

/** Where a bot's rows come from: a game client, a folder of files, a simulated world. */
export interface Source {
  name: string;
  /** One line for people: what this scans. */
  describe(): string;
  /** What it can scan at the moment. A bot is leased nothing else. */
  canScan(): Promise<BotKingdoms>;
  /** The kingdom as it is at `at` (epoch milliseconds). */
  scan(game: GameId, kingdom_id: number, at: number): Promise<Scan | NoScan>;
  /** What was taken of each file and what was not, where it reads files. */
  reports?(): FileReport[];
}

/** 'Kingdom 9999', 'Server 9999': how a sentence about one begins. */
export function titleOf(game: GameId, kingdom_id: number): string {
  const { one } = GAMES[game].kingdom;
  return `${one.slice(0, 1).toUpperCase()}${one.slice(1)} ${kingdom_id}`;
}
