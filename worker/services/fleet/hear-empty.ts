import type { HandInOutcome } from '../../../domain/fleet/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { hearEmpty, type LeasedSubtask } from '../../models/fleet/subtasks.ts';

/** The relevant part of a delivered result. */
interface HandedIn {
  task: LeasedSubtask;
  delivery: { subtask_id: number; lease: string };
  rows: number;
}

const saysNobody = ({ task, rows }: HandedIn): boolean => rows === 0 && task.from_rank === 1;

/**
 * Handles bots' reports that a kingdom's first ranks are empty. The subtask ends, and is refunded, once a second bot
 * reports the same. Returns the outcomes of results that are not to be staged (yet).
 */
export async function hearEmptyWords(
  db: Db,
  env: Env,
  bot: string,
  handedIn: readonly HandedIn[],
): Promise<Map<number, HandInOutcome>> {
  const outcomes = new Map<number, HandInOutcome>();
  for (const { task, delivery } of handedIn.filter(saysNobody)) {
    const { id, item_id, order_id } = task;
    const word = await hearEmpty(db, bot, delivery);
    if (word === 'confirmed') continue;
    outcomes.set(id, word === 'lost' ? 'lost' : 'unconfirmed');
    if (word === 'lost') continue;
    await callOrder(env, order_id, async (object) => {
      await object.giveBack(id, delivery.lease);
      if (word.ended) await object.fail({ subtask_id: id, item_id, reason: word.ended.error });
    });
  }
  return outcomes;
}
