import { firstRows } from '../../../domain/boards/finder.ts';
import type { BoardKind } from '../../../domain/boards/leaderboard.ts';
import { type Profiled, profilePath } from '../../../domain/boards/profile.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { currentManifest } from '../../gateways/board-cache.ts';
import { finderOf, newestBoard } from './find-rows.ts';

/** Profiles of a kind that search engines are told of: a sitemap may have 50,000. */
const MOST_LISTED = 20_000;

/** Returns the paths of the public profiles on the newest board by power that may be shown, in order of rank. */
export async function profilePaths(
  store: R2Bucket,
  game: GameId,
  kind: BoardKind,
  now = Date.now(),
): Promise<string[]> {
  const boards = (await currentManifest(store, now))[game];
  const hidden = new Set(boards.hidden?.ids);
  const finder = await finderOf(store, newestBoard(boards, game, kind, 'power', now));
  const rows = firstRows(finder, MOST_LISTED, (key) => kind !== 'governor' || !hidden.has(Number(key)));
  return rows.map(({ key, kingdom_id, alliance_tag }) => {
    const one: Profiled =
      kind === 'alliance' ? { kind, kingdom: kingdom_id, tag: alliance_tag } : { kind, id: Number(key) };
    return profilePath(game, one);
  });
}
