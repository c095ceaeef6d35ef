import { gunzipSync } from 'node:zlib';
import { type BoardKind, boardId, type GameBoards, type Metric, served } from '../../../domain/boards/leaderboard.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { cacheName, nearestPart } from '../../gateways/board-cache.ts';
import type { BoardSet } from '../../gateways/board-store.ts';
import { LruCache } from '../../isolate/lru-cache.ts';

/** Bytes of unpacked finders per isolate; one of 25,000 governors takes about four million. */
const ROOM = 20 * 1024 * 1024;

const unpacked = new LruCache<string>(ROOM);

/** A board that may be shown, with its row count. */
export interface ShownBoard extends BoardSet {
  total: number;
}

/** Returns the newest board of a kind that may be shown, or null. */
export function newestBoard(
  boards: GameBoards,
  game: GameId,
  kind: BoardKind,
  metric: Metric,
  now: number,
): ShownBoard | null {
  const board = boardId(kind, metric);
  const found = served(boards, board, now);
  return found && { game, board, day: found.day, version: found.board.version, total: found.board.total };
}

/** Returns a board's finder (domain/boards/finder.ts); empty if the board is of an earlier release or null. */
export async function finderOf(store: R2Bucket, board: BoardSet | null): Promise<string> {
  if (!board) return '';
  const name = cacheName(board, 'finder');
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const bytes = await nearestPart(store, board, 'finder');
  const finder = bytes ? gunzipSync(bytes).toString() : '';
  if (bytes) unpacked.put(name, finder, 2 * finder.length);
  return finder;
}
