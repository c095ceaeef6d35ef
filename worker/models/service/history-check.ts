import { addDays, dayOf, dayStart } from '../../../domain/days.ts';
import { type History, scanOf } from '../../../domain/history/history.ts';
import type { Db } from '../../db/open.ts';
import type { Asked } from '../kingdoms/directory.ts';

/** Compares packed histories with the directory, which points to them. */

/** Days that a history is sure to have. */
const COMPARED_DAYS = 89;
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
  power: number;
  captured_at: number;
}

/**
 * Compares the governors whom the directory has in a kingdom with their lines: when each was last seen there, with which
 * power. Returns how many were compared and how many differ.
 */
export async function compareWithDirectory(
  db: Db,
  { game, kingdom_id }: Asked,
  history: History,
  now: number,
): Promise<{ compared: number; differing: number }> {
  const from = dayStart(addDays(dayOf(now), -COMPARED_DAYS));
  let [compared, differing] = [0, 0];
  for (let after = 0; ; ) {
    const { results } = await db.$client
      .prepare(
        `SELECT governor_id, power, captured_at FROM governors
         WHERE game = ?1 AND kingdom_id = ?2 AND governor_id > ?3 ORDER BY governor_id LIMIT ${GOVERNORS_AT_ONCE}`,
      )
      .bind(game, kingdom_id, after)
      .all<Listed>();
    const last = results.at(-1);
    if (!last) return { compared, differing };
    const recent = results.filter(({ captured_at }) => captured_at >= from);
    compared += recent.length;
    differing += recent.filter((listed) => !isSame(history, kingdom_id, listed)).length;
    after = last.governor_id;
  }
}

/** True if a governor's line says the same of their newest scan as the directory. */
function isSame(history: History, kingdom: number, { governor_id, power, captured_at }: Listed): boolean {
  const newest = history.lines.get(governor_id)?.newest;
  const scan = newest && scanOf(history, newest);
  return scan?.kingdom_id === kingdom && scan.captured_at === captured_at && newest?.values[0] === power;
}
