import { askAgainMs } from '../../../domain/fleet/idle.ts';
import type { Task } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { leaseSubtasks, type Wish } from '../../models/fleet/subtasks.ts';
import { tasksFor } from './leases.ts';

/** Leases work to a bot and says when to ask again if there is none. */
export async function leaseWork(
  db: Db,
  env: Env,
  wish: Wish,
  now = Date.now(),
): Promise<{ tasks: Task[]; ask_again_ms: number }> {
  const { leased, ...queue } = await leaseSubtasks(db, wish, now);
  return { tasks: tasksFor(env, wish.bot, leased), ask_again_ms: askAgainMs(queue, now) };
}
