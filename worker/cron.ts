import { openDb } from './db/open.ts';
import type { Env } from './env.ts';
import { logError } from './errors.ts';
import { callOrder } from './gateways/order-objects.ts';
import { forEachAtOnce } from './isolate/at-once.ts';
import { pruneHistory } from './models/boards/board-rows.ts';
import { dropOldRemovals } from './models/boards/removals.ts';
import { forgetBots } from './models/fleet/bots.ts';
import { dropOldAttempts } from './models/fleet/failed-attempts.ts';
import { dropOldSubtasks } from './models/fleet/old-subtasks.ts';
import { failUnreachable } from './models/fleet/refusals.ts';
import { ABANDONED, type EndedSubtask, failAbandoned } from './models/fleet/subtasks.ts';
import { mergeSearchIndex } from './models/kingdoms/search.ts';
import { dropUnseenGovernors } from './models/kingdoms/unseen.ts';
import { dropOldMails } from './models/messages/outbox.ts';
import { type DueAlert, dueAlerts, lookAtBalance, WARNING } from './models/money/alerts.ts';
import { FINISHING, finishedItems } from './models/orders/finishing.ts';
import { readSale } from './models/orders/sale.ts';
import {
  type DueSchedule,
  dropOldRuns,
  dueSchedules,
  RUNS_TOGETHER,
  runSchedules,
} from './models/orders/schedule-runs.ts';
import { dropEndedLinks } from './models/orders/shares.ts';
import { dropOldEntries } from './models/service/audit.ts';
import { dropLeftSetbacks } from './models/service/job-failures.ts';
import { dropEndedInvites } from './models/teams/members.ts';
import { tidyAccounts } from './services/accounts/delete-accounts.ts';
import { resealSecrets } from './services/accounts/reseal-secrets.ts';
import { hideProven, hideRemoved, purgeSettled } from './services/boards/hide-governors.ts';
import { publishDueBoards } from './services/boards/publish-boards.ts';
import { gatherEvents } from './services/events/gather.ts';
import { tellFollowers } from './services/events/tell-followers.ts';
import { packHistories } from './services/histories/pack-histories.ts';
import { tidyLibrary } from './services/library/save-import.ts';
import { sendOutbox } from './services/messages/send-outbox.ts';
import { giveUpUndelivered } from './services/orders/give-up-undelivered.ts';
import { collectLeftovers } from './services/payments/adjust-balance.ts';
import { reconcilePayments } from './services/payments/reconcile-payments.ts';
import { digestKingdoms } from './services/scans/digest-kingdoms.ts';
import { backUp } from './services/service/back-up.ts';
import { oneByOne, runIsolated } from './services/service/one-by-one.ts';
import { speakerFor } from './services/service/speak.ts';
import { watchDatabase, watchService } from './services/service/watch-service.ts';

/** How long a cron of the minute starts new work, in ms. The next minute does the rest. */
const WORKING_MS = 50_000;

/** Fails subtasks that their bots abandoned or that no bot can scan. */
async function endAbandoned(env: Env, now: number): Promise<void> {
  const db = openDb(env);
  const rows = [...(await failAbandoned(db, now)), ...(await failUnreachable(db, now))];
  const subjectOf = ({ id }: EndedSubtask) => String(id);
  await oneByOne(
    db,
    { job: ABANDONED, rows, subjectOf },
    ({ id, item_id, order_id, error }) =>
      callOrder(env, order_id, (object) => object.fail({ subtask_id: id, item_id, reason: error })),
    now,
  );
}

/** Refunds items that were not delivered within a day. */
async function giveUp(env: Env, now: number, until: number): Promise<void> {
  await giveUpUndelivered(env, openDb(env), now, until);
}

/** Calls order objects that missed a call because of a crash. */
async function pokeFinished(env: Env, now: number): Promise<void> {
  const db = openDb(env);
  const rows = await finishedItems(db, { now });
  const subjectOf = ({ item_id }: { item_id: string }) => item_id;
  await oneByOne(
    db,
    { job: FINISHING, rows, subjectOf },
    ({ item_id, order_id }) => callOrder(env, order_id, (object) => object.lookAgain(item_id)),
    now,
  );
}

/** Places the orders of due schedules. */
async function placeDue(env: Env, now: number, until: number): Promise<void> {
  const db = openDb(env);
  const goesOn = () => Date.now() <= until;
  let due = await dueSchedules(db, now);
  if (due.length === 0) return;
  const sale = await readSale(db, env);
  const place = async (schedules: DueSchedule[]): Promise<void> => {
    for (const [index, ran] of (await runSchedules(db, speakerFor(env), schedules, sale, now)).entries())
      if (ran.status === 'rejected') logError({ job: 'schedule', subject: schedules[index]?.id }, ran.reason);
  };
  for (; due.length > 0 && goesOn(); due = await dueSchedules(db, now)) {
    const groups = Array.from({ length: Math.ceil(due.length / RUNS_TOGETHER) }, (_, group) =>
      due.slice(group * RUNS_TOGETHER, (group + 1) * RUNS_TOGETHER),
    );
    await forEachAtOnce(groups, place, { goesOn });
  }
}

/** Sends mails that requests left in the outbox and retries failed ones. */
async function sendMails(env: Env, _: number, until: number): Promise<void> {
  while ((await sendOutbox(env)).taken > 0 && Date.now() < until);
}

/** Collects leftover debts from balances. */
async function takeLeftovers(env: Env, now: number): Promise<void> {
  await collectLeftovers(openDb(env), now);
}

async function warnOfBalances(env: Env, now: number): Promise<void> {
  const db = openDb(env);
  const rows = await dueAlerts(db, now);
  const subjectOf = ({ user_id }: DueAlert) => user_id;
  const speakTo = speakerFor(env);
  const look = (due: DueAlert) => speakTo(due, () => lookAtBalance(db, due, env.SITE_ORIGIN, now));
  await oneByOne(db, { job: WARNING, rows, subjectOf }, look, now);
}

/** Saves event snapshots whose scans have arrived and orders those that are due. */
async function followEvents(env: Env, now: number): Promise<void> {
  await gatherEvents(env, openDb(env), now);
}

/** Queues messages to those who follow events with a new scan. */
async function tellOfEvents(env: Env, now: number, until: number): Promise<void> {
  await tellFollowers(env, openDb(env), now, () => Date.now() < until);
}

async function followSnapshots(env: Env, now: number, until: number, tries: number): Promise<void> {
  const db = openDb(env);
  const goesOn = () => Date.now() < until;
  while ((await digestKingdoms(db, env.STORE, now, { goesOn, isAgain: tries > 1 })) > 0 && goesOn());
}

/** Packs histories that an earlier release kept in tables only, or that were asked to be made again. */
async function packAll(env: Env, now: number, until: number): Promise<void> {
  const db = openDb(env);
  while ((await packHistories(db, env.STORE, now, until)) > 0 && Date.now() < until);
}

/** An hourly cron may run for 15 minutes. The next one does the rest. */
const PUBLISHING_MS = 10 * 60_000;
const BACKUP_MS = 8 * 60_000;

/** Removes players from public pages whose code a scan has read, and changed boards from Workers Cache. */
async function followRemovals(env: Env, now: number): Promise<void> {
  await hideProven(openDb(env), env.STORE, now);
  await purgeSettled(env.STORE, now);
}

/** Publishes yesterday's boards and any that an outage skipped. */
async function publishBoards(env: Env, now: number): Promise<void> {
  // In case that a decision ended before the boards knew.
  await hideRemoved(openDb(env), env.STORE);
  await publishDueBoards(openDb(env), env.STORE, now, Date.now() + PUBLISHING_MS);
}

async function backUpService(env: Env, now: number): Promise<void> {
  const db = openDb(env);
  await backUp({ db, store: env.STORE, bucket: env.BACKUP }, now, Date.now() + BACKUP_MS);
}

/** Deletes uploads that nobody saved, expired own scans, and the files of deleted accounts. */
async function tidyScans(env: Env, now: number): Promise<void> {
  await tidyLibrary(env, openDb(env), now);
}

async function prune(env: Env, now: number, until: number): Promise<void> {
  const db = openDb(env);
  await pruneHistory(db, now);
  await dropUnseenGovernors(db, env.STORE, now);
  await mergeSearchIndex(db, until);
}

/** Deletes expired security entries, schedule runs, links, bots, failed attempts and old subtasks. */
async function tidyRecords(env: Env, now: number): Promise<void> {
  const db = openDb(env);
  await dropOldEntries(db, now);
  await dropOldRuns(db, now);
  await dropEndedLinks(db, now);
  await dropEndedInvites(db, now);
  await forgetBots(db, now);
  await dropOldAttempts(db, now);
  await dropOldSubtasks(db, now);
  await dropOldRemovals(db, now);
}

async function tidyUsers(env: Env, now: number): Promise<void> {
  await tidyAccounts(openDb(env), now);
}

/** Deletes job failures whose subject was settled in another way. */
async function tidySetbacks(env: Env, now: number): Promise<void> {
  await dropLeftSetbacks(openDb(env), now);
}

async function tidyMails(env: Env, now: number): Promise<void> {
  await dropOldMails(openDb(env), now);
}

/** Alerts the admins about problems. */
async function watch(env: Env, now: number): Promise<void> {
  await watchService(env, openDb(env), now);
}

/**
 * A job starts no new work after `until` (epoch ms by the clock). `tries` is over 1 if the last run failed or did not
 * finish.
 */
type Job = (env: Env, now: number, until: number, tries: number) => Promise<void>;

/** Cron expression (wrangler.toml) → its jobs. Admins see the job names when a job fails. */
const EVERY_MINUTE = '* * * * *';

const CRONS: Record<string, Readonly<Record<string, Job>>> = {
  [EVERY_MINUTE]: {
    schedules: placeDue,
    'abandoned work': endAbandoned,
    'undelivered items': giveUp,
    'finished items': pokeFinished,
    'money taken back': takeLeftovers,
    'balance warnings': warnOfBalances,
    troubles: watch,
    mails: sendMails,
    events: followEvents,
    'event news': tellOfEvents,
    digests: followSnapshots,
    histories: packAll,
    removals: followRemovals,
  },
  '10 0 * * *': {
    accounts: tidyUsers,
    'old mails': tidyMails,
    'old records': tidyRecords,
    payments: reconcilePayments,
    setbacks: tidySetbacks,
  },
  '0 * * * *': {
    'sealed secrets': resealSecrets,
    boards: publishBoards,
    'own scans': tidyScans,
    backups: backUpService,
  },
  '30 3 * * *': { history: prune },
};

/**
 * Runs the jobs of a cron scheduled for `now` (epoch ms). Jobs are independent: one that fails is logged and shown to
 * the admins until it succeeds again. Throws if the expression has no jobs.
 */
export async function runCron(cron: string, env: Env, now: number, workingMs = WORKING_MS): Promise<void> {
  const jobs = CRONS[cron];
  if (!jobs) throw new Error(`No jobs belong to the cron '${cron}'.`);
  const db = openDb(env);
  const until = Date.now() + workingMs;
  const ran = await Promise.allSettled(
    Object.entries(jobs).map(([job, act]) =>
      runIsolated(db, { job, subject: '' }, (tries) => act(env, now, until, tries), now),
    ),
  );
  // A failed job is recorded in the database, so if every job throws, the database itself is down.
  const thrown = ran.flatMap((job) => (job.status === 'rejected' ? [job.reason as unknown] : []));
  if (cron === EVERY_MINUTE) await watchDatabase(env, thrown.length === ran.length ? thrown[0] : null, now);
  if (thrown.length > 0) throw thrown[0];
}
