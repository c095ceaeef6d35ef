import { UNSEEN_DAYS } from '../../../domain/boards/leaderboard.ts';
import { DAY_MS } from '../../../domain/days.ts';
import { GAME_IDS } from '../../../domain/games/games.ts';
import { knownIn } from '../../../domain/history/present.ts';
import type { Db } from '../../db/open.ts';
import { storedHistory } from '../../gateways/history-store.ts';
import type { Asked } from './directory.ts';

/** Governors whom no scan has shown for so long that they have left the game. */

const AT_ONCE = 1000;

/** A governor whose entry in the directory did not change for long. */
interface Unchanged {
  id: number;
  kingdom_id: number;
}

/**
 * Deletes governors not seen for a year and their search entries. The directory only says when an entry last changed, so
 * those whom their kingdom's history has seen since get that time instead.
 */
export async function dropUnseenGovernors(db: Db, store: R2Bucket, now: number): Promise<void> {
  const before = now - UNSEEN_DAYS * DAY_MS;
  for (const game of GAME_IDS)
    for (let last = 0, found = AT_ONCE; found === AT_ONCE; ) {
      const { results } = await db
        .directory(game)
        .prepare(
          `SELECT governor_id AS id, kingdom_id FROM governors
           WHERE game = ?1 AND governor_id > ?2 AND captured_at < ?3 ORDER BY governor_id LIMIT ${AT_ONCE}`,
        )
        .bind(game, last, before)
        .all<Unchanged>();
      found = results.length;
      last = results.at(-1)?.id ?? last;
      for (const [kingdom_id, theirs] of Map.groupBy(results, (one) => one.kingdom_id))
        await dropUnseenOf(db, store, { game, kingdom_id }, theirs, before);
    }
}

/** Deletes those of a kingdom's governors who were not seen. A history that cannot be read says nothing of anybody. */
async function dropUnseenOf(
  db: Db,
  store: R2Bucket,
  asked: Asked,
  governors: readonly Unchanged[],
  before: number,
): Promise<void> {
  const history = await storedHistory(store, asked);
  if (!history) return;
  const { game } = asked;
  const directory = db.directory(game);
  const seen = governors.map(({ id }) => [id, knownIn({ history }, id)?.captured_at ?? 0] as const);
  const unseen = JSON.stringify(seen.filter(([, seen_at]) => seen_at < before).map(([id]) => id));
  await directory.batch([
    directory
      .prepare(
        `UPDATE governors SET captured_at = one.value ->> 1 FROM json_each(?2) one
         WHERE governors.game = ?1 AND governors.governor_id = one.value ->> 0`,
      )
      .bind(game, JSON.stringify(seen.filter(([, seen_at]) => seen_at >= before))),
    directory
      .prepare(
        `DELETE FROM search_entries WHERE game = ?1 AND kind = 'governor'
           AND ref IN (SELECT CAST(value AS TEXT) FROM json_each(?2))`,
      )
      .bind(game, unseen),
    directory
      .prepare(`DELETE FROM governors WHERE game = ?1 AND governor_id IN (SELECT value FROM json_each(?2))`)
      .bind(game, unseen),
  ]);
}
