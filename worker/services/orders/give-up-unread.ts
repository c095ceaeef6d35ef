import type { Db } from '../../db/open.ts';
import { GIVING_UP, type GivenUp, giveUpItem, overdueItems } from '../../models/orders/cancellations.ts';
import { oneByOne } from '../work/one-by-one.ts';

/**
 * Pays back what bots could not read and nobody had repaired for a day, each item by itself. `tell` hears of each that is
 * given up now.
 */
export async function giveUpUnread(
  db: Db,
  now = Date.now(),
  tell: (item: GivenUp) => Promise<unknown> = async () => undefined,
): Promise<GivenUp[]> {
  const given: GivenUp[] = [];
  const rows = await overdueItems(db, now);
  await oneByOne(
    db,
    { job: GIVING_UP, rows, subjectOf: ({ item_id }) => item_id },
    async (row) => {
      const item = await giveUpItem(db, row, now);
      if (!item) return;
      given.push(item);
      await tell(item);
    },
    now,
  );
  return given;
}
