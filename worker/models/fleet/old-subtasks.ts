import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';

/** Days that subtasks of delivered and cancelled items are kept, during which a bot's work can be recalled. */
export const KEPT_DAYS = 90;

/** An item has at most fifty subtasks. */
const ITEMS_AT_ONCE = 100;

/** SQL of items that will not be worked on again, whose subtasks are deleted. */
export const HAS_ENDED = `(items.state = 'done' AND items.failed_count = 0 OR items.state = 'cancelled')`;

/** SQL of old subtasks. Cancelled ones that never ended are in an index of their own. */
const FOUND_BY = [
  `old INDEXED BY subtasks_ended CROSS JOIN items ON items.id = old.item_id WHERE old.ended_at < ?1`,
  `old INDEXED BY subtasks_cancelled CROSS JOIN items ON items.id = old.item_id WHERE old.state = 'cancelled'`,
];

/**
 * Deletes subtasks of items that were delivered whole or cancelled more than `KEPT_DAYS` days ago. The item keeps their
 * number, and its snapshot the rows. Items with failed subtasks keep theirs, because they can be repaired.
 */
export async function dropOldSubtasks(db: Db, now: number): Promise<void> {
  for (const found of FOUND_BY) {
    const statement = db.$client
      .prepare(
        `DELETE FROM subtasks WHERE item_id IN (
           SELECT DISTINCT items.id FROM subtasks ${found} AND ${HAS_ENDED} AND items.finished_at < ?1
           LIMIT ${ITEMS_AT_ONCE})`,
      )
      .bind(now - KEPT_DAYS * DAY_MS);
    while ((await statement.run()).meta.changes > 0);
  }
}
