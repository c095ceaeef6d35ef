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
 * Exact matches come first, then those of both games in turn. Reads the boards' finders, which are usually in memory.
 */
export async function searchBoards(store: R2Bucket, words: string, now = Date.now()): Promise<Hits> {
  const key = searchKey(words);
  if (key === '') return { governors: [], alliances: [], kingdoms: [] };
  const manifest = await currentManifest(store, now);
  const games = await Promise.all(GAME_IDS.map((game) => searchGame(store, manifest, game, key, now)));
  const isNamed = (...names: string[]) => names.some((name) => searchKey(name) === key);
  return {
    governors: best(
      games.map(({ governors }) => governors),
      ({ governor_id, name }) => isNamed(String(governor_id), name),
    ),
    alliances: best(
      games.map(({ alliances }) => alliances),
      ({ alliance_tag, alliance_name }) => isNamed(alliance_tag, alliance_name),
    ),
    kingdoms: best(
      games.map(({ kingdoms }) => kingdoms),
      ({ kingdom_id }) => isNamed(String(kingdom_id)),
    ),
  };
}

/** Returns the exact hits, then the others, each kind of them one of each list in turn. */
function best<Hit>(lists: readonly Hit[][], isExact: (hit: Hit) => boolean): Hit[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const hits = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
  return [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))].slice(0, FOUND_PER_KIND);
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

/**
 * Returns the first row of each key. The board by power comes first, because it has a governor as they were last seen;
 * the others may have them from an older scan with profiles.
 */
const unique = (rows: readonly Found[]): Found[] =>
  [...Map.groupBy(rows, ({ key }) => key).values()].flatMap(([first]) => first ?? []);
