import type * as z from 'zod';
import { type Found, rowsFrom, rowsNamed, rowWith } from '../../../domain/boards/finder.ts';
import { type BoardKind, type BoardManifest, metricsOf } from '../../../domain/boards/leaderboard.ts';
import { FOUND_PER_KIND } from '../../../domain/boards/profile.ts';
import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import type { searchAnswer } from '../../../domain/kingdoms/contract.ts';
import { searchKey } from '../../../domain/search.ts';
import { currentManifest } from '../../gateways/board-cache.ts';
import { finderOf, newestBoard } from './find-rows.ts';

type Hits = z.infer<typeof searchAnswer>;

/** Ids and numbers have fewer digits. */
const DIGITS = /^\d{1,15}$/;

/**
 * Searches the newest boards that may be shown: governors by name or id, alliances by tag or name, kingdoms by number.
 * Reads the boards' finders, which are usually in memory.
 */
export async function searchBoards(store: R2Bucket, words: string, now = Date.now()): Promise<Hits> {
  const key = searchKey(words);
  if (key === '') return { governors: [], alliances: [], kingdoms: [] };
  const manifest = await currentManifest(store, now);
  const games = await Promise.all(GAME_IDS.map((game) => searchGame(store, manifest, game, key, now)));
  const first = <Hit>(hits: Hit[]): Hit[] => hits.slice(0, FOUND_PER_KIND);
  return {
    governors: first(games.flatMap(({ governors }) => governors)),
    alliances: first(games.flatMap(({ alliances }) => alliances)),
    kingdoms: first(games.flatMap(({ kingdoms }) => kingdoms)),
  };
}

async function searchGame(
  store: R2Bucket,
  manifest: BoardManifest,
  game: GameId,
  key: string,
  now: number,
): Promise<Hits> {
  const boards = manifest[game];
  const hidden = new Set(boards.hidden?.ids);
  const finders = (kind: BoardKind) =>
    Promise.all(metricsOf(kind).map((metric) => finderOf(store, newestBoard(boards, game, kind, metric, now))));
  const [governors, [alliances = ''], [kingdoms = '']] = await Promise.all([
    finders('governor'),
    finders('alliance'),
    finders('kingdom'),
  ]);
  const isShown = (id: string) => !hidden.has(Number(id));
  const isNumber = DIGITS.test(key);
  const named = governors.flatMap((finder) => [
    ...(isNumber && isShown(key) ? [rowWith(finder, key) ?? []].flat() : []),
    ...rowsNamed(finder, key, FOUND_PER_KIND, isShown),
  ]);
  return {
    governors: unique(named).map(({ key: id, name, alliance_tag, kingdom_id }) => ({
      game,
      governor_id: Number(id),
      name,
      alliance_tag,
      kingdom_id,
    })),
    alliances: rowsNamed(alliances, key, FOUND_PER_KIND, () => true).map(
      ({ kingdom_id, alliance_tag, name, count }) => ({
        game,
        kingdom_id,
        alliance_tag,
        alliance_name: name,
        member_count: count ?? 0,
      }),
    ),
    kingdoms: isNumber ? rowsFrom(kingdoms, key, FOUND_PER_KIND).map(({ kingdom_id }) => ({ game, kingdom_id })) : [],
  };
}

const unique = (rows: readonly Found[]): Found[] => [...new Map(rows.map((row) => [row.key, row])).values()];
