import { DAY_MS } from '../../../domain/days.ts';
import { type History, scanOf } from '../../../domain/history/history.ts';
import { knownSince } from '../../../domain/history/present.ts';
import { stateOf } from '../../../domain/history/state.ts';
import type { Db } from '../../db/open.ts';
import { type Asked, departedFrom } from '../kingdoms/directory.ts';

/** Compares packed histories with the directory, which points to them. */

/** Changes of kingdom are sure to be kept this long, so a line that stayed behind is known as such. */
const TOLD_MS = 80 * DAY_MS;
const GOVERNORS_AT_ONCE = 1000;

/** Returns the packed kingdoms after one, in order. */
export async function packedAfter(db: Db, { game, kingdom_id }: Asked, limit: number): Promise<Asked[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT game, kingdom_id FROM kingdoms WHERE (game, kingdom_id) > (?, ?) AND packed_at IS NOT NULL
       ORDER BY game, kingdom_id LIMIT ?`,
    )
    .bind(game, kingdom_id, limit)
    .all<Asked>();
  return results;
}

/** A governor as the directory has them. */
interface Listed {
  governor_id: number;
  name: string;
  captured_at: number;
}

/**
 * Compares the governors whom the directory has in a kingdom with the lines in its history: each has one, which was seen
 * there no earlier, and under the same name. Lines of others are of governors who left. Returns how many were compared
 * and how many differ.
 */
export async function compareWithDirectory(
  db: Db,
  asked: Asked,
  history: History,
  now: number,
): Promise<{ compared: number; differing: number }> {
  const { game, kingdom_id } = asked;
  const departed = (await departedFrom(db, [asked]))(asked);
  const others = new Set(knownSince({ kingdom_id, history, departed }, now - TOLD_MS).map(({ id }) => id));
  let [compared, differing] = [0, 0];
  for (let after = 0; ; ) {
    const { results } = await db
      .directory(game)
      .prepare(
        `SELECT governor_id, name, captured_at FROM governors
         WHERE game = ?1 AND kingdom_id = ?2 AND governor_id > ?3 ORDER BY governor_id LIMIT ${GOVERNORS_AT_ONCE}`,
      )
      .bind(game, kingdom_id, after)
      .all<Listed>();
    const last = results.at(-1);
    if (!last) break;
    compared += results.length;
    for (const listed of results) {
      if (!isSame(history, kingdom_id, listed)) differing += 1;
      others.delete(listed.governor_id);
    }
    after = last.governor_id;
  }
  return { compared, differing: differing + others.size };
}

function isSame(history: History, kingdom: number, { governor_id, name, captured_at }: Listed): boolean {
  const line = history.lines.get(governor_id);
  if (!line) return false;
  const scan = scanOf(history, line.newest);
  const isThere = scan.kingdom_id === kingdom && scan.captured_at >= captured_at;
  return isThere && stateOf(line.state, history.columns).name === name;
}
