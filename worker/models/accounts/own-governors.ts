import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { type FoundGovernor, governorsListed } from '../kingdoms/search.ts';

type OwnGovernors = Record<GameId, number[]>;

/** Returns the governors that a user claims as their own, in the user's order, with names for those found in scans. */
export const ownGovernorsWithNames = async (
  db: Db,
  userId: string,
): Promise<OwnGovernors & { named: FoundGovernor[] }> => named(db, await ownGovernorsOf(db, userId));

/** Returns the ids of the governors that a user claims, in the user's order. */
export async function ownGovernorsOf(db: Db, userId: string): Promise<OwnGovernors> {
  const { results } = await db.$client
    .prepare(`SELECT game, governor_id FROM own_governors WHERE user_id = ? ORDER BY game, position`)
    .bind(userId)
    .all<{ game: GameId; governor_id: number }>();
  const of = (game: GameId) => results.filter((row) => row.game === game).map(({ governor_id }) => governor_id);
  return { rok: of('rok'), cod: of('cod') };
}

/** Adds those governors that appear in scans, in the same order. */
const named = async (db: Db, own: OwnGovernors): Promise<OwnGovernors & { named: FoundGovernor[] }> => ({
  ...own,
  named: await governorsListed(
    db,
    GAME_IDS.flatMap((game) => own[game].map((governor_id) => ({ game, governor_id }))),
  ),
});

/** Replaces the user's governors. Returns them with their names. */
export async function setOwnGovernors(
  db: Db,
  userId: string,
  own: OwnGovernors,
): Promise<OwnGovernors & { named: FoundGovernor[] }> {
  await db.$client.batch([
    db.$client.prepare(`DELETE FROM own_governors WHERE user_id = ?`).bind(userId),
    ...GAME_IDS.map((game) =>
      db.$client
        .prepare(
          `INSERT INTO own_governors (user_id, game, governor_id, position) SELECT ?1, ?2, value, key FROM json_each(?3)`,
        )
        .bind(userId, game, JSON.stringify(own[game])),
    ),
  ]);
  return named(db, own);
}
