import type { Task } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { leaseSubtasks, type Wish } from '../../models/fleet/subtasks.ts';
import { tasksFor } from './leases.ts';

/** Leases a bot the work that it wishes for. */
export const leaseWork = async (db: Db, env: Env, wish: Wish): Promise<Task[]> =>
  tasksFor(env, wish.bot, await leaseSubtasks(db, wish));
