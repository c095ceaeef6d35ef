import { openDb } from './db/open.ts';
import type { Env } from './env.ts';
import { dropUnverified } from './models/accounts/registration.ts';
import { pruneHistory } from './models/boards/board-rows.ts';
import { failAbandoned } from './models/fleet/subtasks.ts';
import { dropOldMails } from './models/messages/outbox.ts';
import { warnLowBalances } from './models/money/alerts.ts';
import { collectLeftovers } from './models/money/reversals.ts';
import { giveUpUnread } from './models/orders/cancellations.ts';
import { settlingItems } from './models/orders/orders.ts';
import { dueSchedules, runSchedule } from './models/orders/schedules.ts';
import { digestKingdoms } from './models/scans/digest.ts';
import { publishDueBoards } from './services/boards/publish-boards.ts';
import { sendOutbox } from './services/messages/send-outbox.ts';
import { reconcile } from './services/payments/reconcile-payments.ts';

/** Ends what bots abandoned, pays back what nobody repaired, and pokes objects that missed a call in a crash. */
async function sweepOrders(env: Env, now: number): Promise<void> {
  const db = openDb(env.DB);
  const object = (orderId: number) => env.ORDER_PROGRESS.getByName(String(orderId));
  const abandoned = await failAbandoned(db);
  await Promise.all(
    abandoned.map(({ id, item_id, order_id, error }) =>
      object(order_id).fail({ subtask_id: id, item_id, reason: error }),
    ),
  );
  const given = await giveUpUnread(db, now);
  await Promise.all(
    given.map(({ item_id, order_id, has_results }) =>
      has_results ? object(order_id).giveUp(item_id) : object(order_id).cancel([item_id]),
    ),
  );
  const settling = await settlingItems(db);
  await Promise.all(settling.map(({ item_id, order_id }) => object(order_id).reconcile(item_id)));
}

/** Places the orders of schedules that are due. One schedule in trouble does not hold up the others. */
async function placeDue(env: Env, now: number): Promise<void> {
  const db = openDb(env.DB);
  const errors: unknown[] = [];
  for (const schedule of await dueSchedules(db, now)) {
    await runSchedule(db, schedule, env.READY_PRODUCTS, now).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} schedules failed: ${errors.join('; ')}`);
}

/** Sends mails that an answer left behind or that failed before. */
async function sendMails(env: Env): Promise<void> {
  await sendOutbox(env);
}

/** Keeps balances right and their owners warned, before mails are sent. */
async function watchBalances(env: Env, now: number): Promise<void> {
  const db = openDb(env.DB);
  await collectLeftovers(db, now);
  await warnLowBalances(db, env.SITE_ORIGIN, now);
}

/** Brings alliances, inactive governors and the search up to the newest snapshots. */
async function followSnapshots(env: Env): Promise<void> {
  await digestKingdoms(openDb(env.DB));
}

/** An hourly cron may work for 15 minutes; what is left then is for the next one. */
const PUBLISHING_MS = 10 * 60_000;

/** Publishes yesterday's boards, and any that an outage left out. */
async function publishBoards(env: Env, now: number): Promise<void> {
  await publishDueBoards(openDb(env.DB), env.STORE, now, Date.now() + PUBLISHING_MS);
}

async function prune(env: Env, now: number): Promise<void> {
  await pruneHistory(openDb(env.DB), now);
}

/** Drops accounts that were never verified, what has run out, and old mails. */
async function tidyAccounts(env: Env, now: number): Promise<void> {
  const db = openDb(env.DB);
  await dropUnverified(db, now);
  await dropOldMails(db, now);
}

/** Cron expression (wrangler.toml) to what it does. */
const CRONS: Record<string, readonly ((env: Env, now: number) => Promise<void>)[]> = {
  '* * * * *': [placeDue, sweepOrders, watchBalances, sendMails, followSnapshots],
  '10 0 * * *': [tidyAccounts, reconcile],
  '0 * * * *': [publishBoards],
  '30 3 * * *': [prune],
};

/** Runs the work of a cron for the moment (epoch milliseconds) it is meant for, each part whatever becomes of the others; an expression without work is a mistake. */
export async function runCron(cron: string, env: Env, now: number): Promise<void> {
  const works = CRONS[cron];
  if (!works) throw new Error(`No work belongs to the cron '${cron}'.`);
  const outcomes = await Promise.allSettled(works.map((work) => work(env, now)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, `The cron '${cron}' failed: ${errors.join('; ')}`);
}
