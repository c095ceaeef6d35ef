import type { Failure, Preparation } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { orderObject } from '../../gateways/order-objects.ts';
import { failSubtask, putOff } from '../../models/fleet/subtasks.ts';
import { leaseId } from './leases.ts';

/**
 * Takes work back that a bot could not do; at the last attempt it ends as failed, and the order's object hears of it.
 * @throws Refusal conflict where the lease is not the bot's any more.
 */
export async function giveUpWork(
  db: Db,
  env: Env,
  bot: string,
  claim: Omit<Failure, 'bot_id'>,
): Promise<'waiting' | 'failed'> {
  const lease = leaseId(claim.lease);
  const failed = await failSubtask(db, bot, { ...claim, lease });
  if (!failed) throw new Refusal('conflict', 'This bot no longer holds that lease.');
  const { id, item_id, order_id, error } = failed.ended;
  const object = orderObject(env, order_id);
  if (failed.state === 'failed') await object.fail({ subtask_id: id, item_id, reason: error });
  else await object.giveBack(id, lease);
  return failed.state;
}

/**
 * Puts work off until a kingdom is prepared. Answers the moment (epoch milliseconds).
 * @throws Refusal conflict where the lease is not the bot's any more, or the order has waited for too long.
 */
export async function postponeWork(
  db: Db,
  env: Env,
  bot: string,
  { subtask_id, lease: held, minutes }: Omit<Preparation, 'bot_id'>,
): Promise<number> {
  const lease = leaseId(held);
  const until = Date.now() + minutes * 60_000;
  const put = await putOff(db, bot, { subtask_id, lease, until });
  if (!put) throw new Refusal('conflict', 'This bot no longer holds that lease, or the order has waited for a day.');
  const object = orderObject(env, put.order_id);
  await object.giveBack(subtask_id, lease);
  await object.putOff(put.item_id, until);
  return until;
}
