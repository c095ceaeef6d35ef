import { openDb } from './db/open.ts';
import { type Env, isLocal } from './env.ts';
import { mailer } from './gateways/mail.ts';
import { settlingItems } from './models/orders.ts';
import { sendDue } from './models/outbox.ts';
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

/** Sends mails that an answer left behind or that failed before. */
async function sendMails(env: Env): Promise<void> {
  await sendDue(openDb(env.DB), mailer(env), isLocal(env));
}

/** Cron expression (wrangler.toml) to what it does. */
const CRONS: Record<string, readonly ((env: Env) => Promise<void>)[]> = {
  '* * * * *': [sweepOrders, sendMails],
};

/** Runs the work of a cron, each part whatever becomes of the others; an expression without work is a mistake. */
export async function runCron(cron: string, env: Env): Promise<void> {
  const works = CRONS[cron];
  if (!works) throw new Error(`No work belongs to the cron '${cron}'.`);
  const outcomes = await Promise.allSettled(works.map((work) => work(env)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, `The cron '${cron}' failed: ${errors.join('; ')}`);
}
