import { openDb } from './db/open.ts';
import type { Env } from './env.ts';
import { settlingItems } from './models/orders.ts';
import { failAbandoned } from './models/subtasks.ts';

/** Ends what bots abandoned and pokes objects that missed a call in a crash. */
async function sweepOrders(env: Env): Promise<void> {
  const db = openDb(env.DB);
  const object = (orderId: number) => env.ORDER_PROGRESS.getByName(String(orderId));
  const abandoned = await failAbandoned(db);
  await Promise.all(
    abandoned.map(({ id, item_id, order_id, error }) =>
      object(order_id).fail({ subtask_id: id, item_id, reason: error }),
    ),
  );
  const settling = await settlingItems(db);
  await Promise.all(settling.map(({ item_id, order_id }) => object(order_id).reconcile(item_id)));
}

/** Cron expression (wrangler.toml) to what it does. */
const CRONS: Record<string, (env: Env) => Promise<void>> = {
  '* * * * *': sweepOrders,
};

/** Runs the work of a cron; an expression without work is a mistake in the configuration. */
export async function runCron(cron: string, env: Env): Promise<void> {
  const work = CRONS[cron];
  if (!work) throw new Error(`No work belongs to the cron '${cron}'.`);
  await work(env);
}
