import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { allianceKey, type Found, firstRows, rowsOf, rowWith } from '../../../domain/boards/finder.ts';
import {
  type BoardKind,
  boardOf,
  type GameBoards,
  isHidden,
  METRIC_IDS,
  type Metric,
  metricsOf,
  ROWS_PER_PAGE,
  typeOf,
} from '../../../domain/boards/leaderboard.ts';
import { type AnyProfile, PROFILE_ROWS, type Profiled, profilePath } from '../../../domain/boards/profile.ts';
import { type BoardRow, metricIn } from '../../../domain/boards/rows.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { currentManifest, nearestObject } from '../../gateways/board-cache.ts';
import { boardRows, packedAnswer } from './board-rows.ts';
import { finderOf, newestBoard, type ShownBoard } from './find-rows.ts';

/** Public profiles from the newest boards that may be shown. Nothing here reads the database. */

/** A profile's stored answer. */
export interface PackedProfile {
  bytes: ArrayBuffer;
  /** Changes with the boards that the profile shows. */
  version: string;
}

/** The boards on which a profile's subject may be. */
interface Boards {
  boards: GameBoards;
  game: GameId;
  now: number;
  store: R2Bucket;
}

const boardsOf = ({ boards, game, now }: Boards, kind: BoardKind): ShownBoard[] =>
  metricsOf(kind).flatMap((metric) => newestBoard(boards, game, kind, metric, now) ?? []);

const keyOf = (one: Profiled): string => (one.kind === 'alliance' ? allianceKey(one.kingdom, one.tag) : String(one.id));

/**
 * Returns a profile as a packed answer, or null if no board that may be shown has a row of it. Made once for each
 * version of its boards.
 */
export async function packedProfile(
  store: R2Bucket,
  game: GameId,
  one: Profiled,
  /** Called before work that is not cached; may throw. */
  count: () => Promise<void>,
  now = Date.now(),
): Promise<PackedProfile | null> {
  const boards = (await currentManifest(store, now))[game];
  if (one.kind === 'governor' && isHidden(boards, one.id)) return null;
  const shown = { boards, game, now, store };
  const own = boardsOf(shown, one.kind);
  const listed = one.kind === 'governor' ? [] : [newestBoard(boards, game, 'governor', 'power', now)];
  if (one.kind === 'kingdom') listed.push(newestBoard(boards, game, 'alliance', 'power', now));
  const used = [...own, ...listed].map((board) => (board ? `${board.board} ${board.day} ${board.version}` : ''));
  const version = createHash('sha256').update(used.join('\n')).digest('hex').slice(0, 16);
  const name = createHash('sha256')
    .update(`${one.kind} ${keyOf(one)}`)
    .digest('base64url');
  const bytes = await nearestObject(`profiles/${game}/${version}/${name}`, async () => {
    await count();
    const profile = await makeProfile(shown, one, own);
    return profile && packedAnswer(profile);
  });
  return bytes && { bytes, version };
}

/** Returns a packed profile's data. */
export const profileIn = ({ bytes }: PackedProfile): AnyProfile =>
  (JSON.parse(gunzipSync(bytes).toString()) as { data: AnyProfile }).data;

/** Returns a row of a board by its place. */
async function rowAt(
  store: R2Bucket,
  board: ShownBoard,
  rank: number,
): Promise<{ row: BoardRow; captured_at: number | null } | null> {
  const page = await boardRows(store, board, `page-${Math.floor((rank - 1) / ROWS_PER_PAGE)}`);
  const row = page?.rankings.find((each) => each.rank === rank);
  return page && row ? { row, captured_at: page.info.captured_at } : null;
}

async function makeProfile(shown: Boards, one: Profiled, own: readonly ShownBoard[]): Promise<AnyProfile | null> {
  const { store, game } = shown;
  const found = await Promise.all(
    own.map(async (board) => {
      const place = rowWith(await finderOf(store, board), keyOf(one));
      const at = place && (await rowAt(store, board, place.rank));
      return at ? [{ board, ...at }] : [];
    }),
  );
  const places = found.flat();
  const [first] = places;
  if (!first) return null;
  const about = {
    game,
    day: first.board.day,
    captured_at: first.captured_at,
    places: places.map(({ board, row }) => ({
      type: typeOf(game, boardOf(board.board).metric),
      // Boards of other figures may lack it, because they show another scan of the same governor.
      value: metricIn(row, boardOf(board.board).metric),
      rank: row.rank,
      of: board.total,
      moved: row.moved,
      gained: row.gained ?? null,
    })),
  };
  const row = first.row;
  if (one.kind === 'governor') return { ...about, row } as AnyProfile;
  const lists = await Promise.all([governorsOf(shown, one), one.kind === 'kingdom' && alliancesOf(shown, one.id)]);
  return Object.assign(about, { row }, ...lists) as AnyProfile;
}

/** The figures of a listed row under the keys of its game. */
const figuresOf = (game: GameId, found: Found) =>
  Object.fromEntries(METRIC_IDS.map((metric: Metric) => [typeOf(game, metric), found[metric]]));

async function governorsOf({ boards, game, now, store }: Boards, one: Exclude<Profiled, { kind: 'governor' }>) {
  const board = newestBoard(boards, game, 'governor', 'power', now);
  const hidden = new Set(boards.hidden?.ids);
  const where = one.kind === 'kingdom' ? { kingdom: one.id } : { kingdom: one.kingdom, tag: one.tag };
  const rows = rowsOf(await finderOf(store, board), where, PROFILE_ROWS, (key) => !hidden.has(Number(key)));
  return {
    listed_day: board?.day ?? null,
    governors: rows.map((found) => ({
      rank: found.rank,
      governor_id: Number(found.key),
      name: found.name,
      alliance_tag: found.alliance_tag,
      ...figuresOf(game, found),
    })),
  };
}

async function alliancesOf({ boards, game, now, store }: Boards, kingdom: number) {
  const board = newestBoard(boards, game, 'alliance', 'power', now);
  const rows = rowsOf(await finderOf(store, board), { kingdom }, PROFILE_ROWS, () => true);
  return {
    alliances: rows.map((found) => ({
      rank: found.rank,
      alliance_tag: found.alliance_tag,
      alliance_name: found.name,
      member_count: found.count ?? 0,
      ...figuresOf(game, found),
    })),
  };
}

/** Maximum number of profiles of a kind in the sitemap, which may have 50,000 addresses. */
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
