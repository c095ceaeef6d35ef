import type { BotKingdoms } from '../../domain/fleet/contract.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import type { FileReport } from '../../domain/scans/file-report.ts';
import type { Row } from '../../domain/scans/rows.ts';

/** A bot's view of a kingdom at one time. */
export interface Scan {
  /** When it was read, in epoch milliseconds. */
  captured_at: number;
  /** A short description of the origin. */
  source: string;
  /** Every governor that the source has for the kingdom, ranked by power, with full profiles. */
  rows: Row[];
}

/** Why there is no scan: a sentence for the customer, or the minutes until the kingdom can be scanned. */
export type NoScan = { unknown: string } | { preparing: number };

/** Where a bot's rows come from: a game client, a folder of files, a simulated world. */
export interface Source {
  name: string;
  /** Describes in one line what this scans. */
  describe(): string;
  /** Returns what it can scan at the moment. The bot is leased nothing else. */
  canScan(): Promise<BotKingdoms>;
  /** Scans a kingdom as of `at` (epoch milliseconds). */
  scan(game: GameId, kingdom_id: number, at: number): Promise<Scan | NoScan>;
  /** Reports what was read from each file, if the source reads files. */
  reports?(): FileReport[];
}

/** Returns 'Kingdom 9999' or 'Server 9999', for the start of a sentence. */
export function kingdomTitle(game: GameId, kingdom_id: number): string {
  const { one } = GAMES[game].kingdom;
  return `${one.slice(0, 1).toUpperCase()}${one.slice(1)} ${kingdom_id}`;
}
