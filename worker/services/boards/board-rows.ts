import { gunzipSync, gzipSync } from 'node:zlib';
import { served } from '../../../domain/boards/leaderboard.ts';
import type { BoardAnswer, KingdomRow } from '../../../domain/boards/rows.ts';
import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { currentManifest, nearestPart } from '../../gateways/board-cache.ts';
import type { BoardPart, BoardSet } from '../../gateways/board-store.ts';

/** Returns a stored part of a board, decompressed, or null if it does not exist. */
export async function boardRows(store: R2Bucket, set: BoardSet, part: BoardPart): Promise<BoardAnswer | null> {
  const bytes = await nearestPart(store, set, part);
  return bytes && (JSON.parse(gunzipSync(bytes).toString()) as { data: BoardAnswer }).data;
}

/** Returns an answer in the format of stored parts: the envelope, gzipped. */
export function packedAnswer(data: unknown): ArrayBuffer {
  const bytes = gzipSync(JSON.stringify({ success: 1, data }));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

/**
 * Returns a game's strongest kingdoms and their day from the published board, so that visitors do not make the database
 * rank kingdoms.
 */
export async function topKingdoms(
  store: R2Bucket,
  game: GameId,
  most: number,
): Promise<{ rows: KingdomRow[]; day: Day | null }> {
  const now = Date.now();
  const board = served((await currentManifest(store, now))[game], 'kingdom-power', now);
  const set = board && ({ game, board: 'kingdom-power', day: board.day, version: board.board.version } as const);
  const stored = set && (await boardRows(store, set, 'page-0'));
  return stored ? { rows: stored.rankings.slice(0, most) as KingdomRow[], day: set.day } : { rows: [], day: null };
}
