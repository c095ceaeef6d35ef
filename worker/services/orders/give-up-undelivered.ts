import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import {
  GIVING_UP,
  type GivenUp,
  giveUpItem,
  type Undelivered,
  undeliveredItems,
} from '../../models/orders/undelivered.ts';
import { oneByOne } from '../service/one-by-one.ts';
import { speakerFor } from '../service/speak.ts';

const subjectOf = ({ item_id }: Undelivered): string => item_id;

/**
 * Refunds items not delivered within a day, independently of each other, and notifies their order objects. Starts no
 * new batch after `until` (epoch ms by the clock). Returns the items given up.
 */
export async function giveUpUndelivered(
  env: Env,
  db: Db,
  now = Date.now(),
  until = Number.POSITIVE_INFINITY,
): Promise<GivenUp[]> {
  const given: GivenUp[] = [];
  const speakTo = speakerFor(env);
  const giveUp = async (row: Undelivered): Promise<void> => {
    const item = await speakTo(row, () => giveUpItem(db, row, env.SITE_ORIGIN, now));
    if (!item) return;
    given.push(item);
    await callOrder(env, item.order_id, (object) =>
      item.has_results ? object.giveUp(item.item_id) : object.cancel([item.item_id]),
    );
  };
  for (let rows = await undeliveredItems(db, now); rows.length > 0; rows = await undeliveredItems(db, now)) {
    await oneByOne(db, { job: GIVING_UP, rows, subjectOf }, giveUp, now);
    if (Date.now() > until) break;
  }
  return given;
}
