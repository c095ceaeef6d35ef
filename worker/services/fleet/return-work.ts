import type { Failure, Preparation } from '../../../domain/fleet/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { refuseKingdom } from '../../models/fleet/refusals.ts';
import { failSubtask, putOff } from '../../models/fleet/subtasks.ts';
import { leaseId } from './leases.ts';

/**
 * Takes back work that a bot could not do, and reports subtasks that failed as a result to the order object.
 * @throws Refusal conflict if the bot no longer holds the lease.
 */
export async function giveUpWork(
  db: Db,
  env: Env,
  bot: string,
  { permanent, ...claim }: Omit<Failure, 'bot_id'>,
): Promise<'waiting' | 'failed'> {
  const held = { ...claim, lease: leaseId(claim.lease) };
  const given = await (permanent ? refuseKingdom : failSubtask)(db, bot, held);
  if (!given) throw new Refusal('conflict', 'This bot no longer holds that lease.');
  await callOrder(env, given.order_id, async (object) => {
    await object.giveBack(claim.subtask_id, held.lease);
    for (const { id, item_id, error } of given.ended) await object.fail({ subtask_id: id, item_id, reason: error });
  });
  return given.ended.some(({ id }) => id === claim.subtask_id) ? 'failed' : 'waiting';
}

/**
 * Delays work until a kingdom is prepared. Returns the time (epoch ms).
 * @throws Refusal conflict if the bot no longer holds the lease or the order has waited too long.
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
  await callOrder(env, put.order_id, async (object) => {
    await object.giveBack(subtask_id, lease);
    await object.putOff(put.item_id, until);
  });
  return until;
}
