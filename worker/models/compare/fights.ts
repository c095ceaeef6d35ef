import type * as z from 'zod';
import type { fight } from '../../../domain/compare/answers.ts';
import type { Range } from '../../../domain/compare/contract.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { scansOf } from '../library/scans.ts';

/** A named range of scans in a user's library. */
type Fight = z.infer<typeof fight>;

interface StoredFight {
  id: string;
  game: GameId;
  name: string;
  from_scans: string;
  to_scans: string;
  created_at: number;
}

/** Maximum number of fights per user. */
export const MAX_FIGHTS = 500;

/** Saves a fight and returns its id, or null if the user has the maximum number. */
export async function addFight(
  db: Db,
  userId: string,
  { game, name, from, to }: { game: GameId; name: string } & Range,
  now = Date.now(),
): Promise<string | null> {
  const id = crypto.randomUUID();
  const { meta } = await db.$client
    .prepare(
      `INSERT INTO fights (id, user_id, game, name, from_scans, to_scans, created_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE (SELECT count(*) FROM fights WHERE user_id = ?2) < ?8`,
    )
    .bind(id, userId, game, name, JSON.stringify(from), JSON.stringify(to), now, MAX_FIGHTS)
    .run();
  return meta.changes > 0 ? id : null;
}

/** Returns a user's fights, newest range first. */
export async function fightsOf(db: Db, userId: string, game?: GameId): Promise<Fight[]> {
  const { results } = await db.$client
    .prepare(`SELECT * FROM fights WHERE user_id = ?1 AND (?2 IS NULL OR game = ?2) LIMIT ?3`)
    .bind(userId, game ?? null, MAX_FIGHTS)
    .all<StoredFight>();
  const ids = results.flatMap(({ from_scans, to_scans }) => [...JSON.parse(from_scans), ...JSON.parse(to_scans)]);
  const scans = new Map((await scansOf(db, userId, [...new Set<string>(ids)])).map((scan) => [scan.scan_id, scan]));
  const refs = (text: string) =>
    (JSON.parse(text) as string[]).flatMap((id) => {
      const scan = scans.get(id);
      if (!scan) return [];
      const { kingdom_id, captured_at, source } = scan;
      return [{ scan_id: id, kingdom_id, captured_at, source }];
    });
  return results
    .map(({ id, game: of, name, from_scans, to_scans, created_at }) => ({
      fight_id: id,
      name,
      game: of,
      from: refs(from_scans),
      to: refs(to_scans),
      created_at,
    }))
    .sort(
      (a, b) =>
        (b.from[0]?.captured_at ?? 0) - (a.from[0]?.captured_at ?? 0) ||
        b.created_at - a.created_at ||
        (a.fight_id < b.fight_id ? -1 : 1),
    );
}

/** Returns the ranges of the given fights, if the user owns them. */
export async function rangesOfFights(db: Db, userId: string, ids: readonly string[]): Promise<Range[]> {
  const { results } = await db.$client
    .prepare(`SELECT from_scans, to_scans FROM fights WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))`)
    .bind(userId, JSON.stringify(ids))
    .all<Pick<StoredFight, 'from_scans' | 'to_scans'>>();
  return results.map(({ from_scans, to_scans }) => ({
    from: JSON.parse(from_scans) as string[],
    to: JSON.parse(to_scans) as string[],
  }));
}

/** Deletes a fight. Returns false if it is not the user's. */
export async function dropFight(db: Db, userId: string, id: string): Promise<boolean> {
  const { meta } = await db.$client.prepare(`DELETE FROM fights WHERE id = ? AND user_id = ?`).bind(id, userId).run();
  return meta.changes > 0;
}
