import type * as z from 'zod';
import { missingDays, rebuildable } from '../../../domain/boards/leaderboard.ts';
import { GAME_IDS } from '../../../domain/games/games.ts';
import type { boardList } from '../../../domain/service/admin.ts';
import { readBoardManifest } from '../../gateways/board-store.ts';

/** Returns the boards that are published, and the days that the night has still to build. */
export async function listBoards(store: R2Bucket, now = Date.now()): Promise<z.infer<typeof boardList>> {
  const { manifest } = await readBoardManifest(store);
  const days = GAME_IDS.flatMap((game) =>
    Object.entries(manifest[game].days).map(([day, published]) => ({ game, day, ...published })),
  );
  return {
    rebuildable: rebuildable(now),
    days: days.sort((one, other) => (one.day < other.day ? 1 : one.day > other.day ? -1 : 0)),
    missing: GAME_IDS.flatMap((game) => missingDays(manifest[game], now).map((day) => ({ game, day }))),
  };
}
