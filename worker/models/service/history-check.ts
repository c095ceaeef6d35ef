import { addDays, type Day, dayOf } from '../../../domain/days.ts';
import type { History } from '../../../domain/history/history.ts';
import type { Db } from '../../db/open.ts';
import type { Asked } from '../kingdoms/directory.ts';
import { daysIn, type ScannedGovernorDay } from '../kingdoms/histories.ts';

/** Compares packed histories with the tables from which they take over. */

/** Days that both are sure to have. */
const COMPARED_DAYS = 89;
const GOVERNORS_AT_ONCE = 100;

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

/** A governor's stored day; `day` is null if the governor has none. */
type TableDay = Omit<ScannedGovernorDay, 'by_file' | 'day'> & { governor_id: number; day: Day | null };

const PROFILE = ['score', 'deads', 't4', 't5'] as const;

/** True if a packed day says the same as the tables. It may have a profile that came too late for them. */
function isSame(packed: ScannedGovernorDay | undefined, stored: TableDay): boolean {
  if (!packed) return false;
  const isRead = PROFILE.some((figure) => stored[figure] !== null);
  return (
    (['kingdom_id', 'captured_at', 'rank', 'power'] as const).every((key) => packed[key] === stored[key]) &&
    (!isRead || PROFILE.every((figure) => packed[figure] === stored[figure]))
  );
}

/** Compares a kingdom's governors of the last days. Returns how many days were compared and how many differ. */
export async function compareWithTables(
  db: Db,
  { game, kingdom_id }: Asked,
  history: History,
  now: number,
): Promise<{ compared: number; differing: number }> {
  const from = addDays(dayOf(now), -COMPARED_DAYS);
  let [compared, differing] = [0, 0];
  for (let after = 0; ; ) {
    const { results } = await db.$client
      .prepare(
        `SELECT known.governor_id, seen.day, seen.kingdom_id, seen.rank, seen.power, seen.score, seen.deads, seen.t4,
           seen.t5, seen.captured_at
         FROM (SELECT governor_id FROM governors WHERE game = ?1 AND kingdom_id = ?2 AND governor_id > ?3
           ORDER BY governor_id LIMIT ${GOVERNORS_AT_ONCE}) known
         LEFT JOIN governor_days seen ON seen.game = ?1 AND seen.governor_id = known.governor_id AND seen.day >= ?4
         ORDER BY known.governor_id`,
      )
      .bind(game, kingdom_id, after, from)
      .all<TableDay>();
    const last = results.at(-1);
    if (!last) return { compared, differing };
    for (const [governor, days] of Map.groupBy(results, ({ governor_id }) => governor_id)) {
      const packed = new Map(daysIn(history, governor, from).map((day) => [day.day, day]));
      const stored = days.filter(({ day }) => day !== null);
      compared += stored.length;
      differing += stored.filter((day) => !isSame(packed.get(day.day as Day), day)).length;
    }
    after = last.governor_id;
  }
}
