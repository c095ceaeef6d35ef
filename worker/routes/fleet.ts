import { type Context, Hono } from 'hono';
import { GAMES } from '../../domain/games/games.ts';
import {
  failure,
  type HandIn,
  type HandInOutcome,
  handIn,
  heartbeat,
  type LeaseWish,
  lease,
  MAX_ROWS_PER_HAND_IN,
  preparation,
  SIMULATED,
} from '../../domain/orders/contract.ts';
import { checkColumns } from '../../domain/scans/rows.ts';
import { packColumns } from '../../domain/scans/staged.ts';
import { answer } from '../answer.ts';
import { type Env, isLocal } from '../env.ts';
import { Refusal } from '../errors.ts';
import { type BotEnv, bot } from '../middleware/bot.ts';
import { limited } from '../middleware/limits.ts';
import { validate } from '../middleware/validate.ts';
import { recordHeartbeat } from '../models/fleet/bots.ts';
import {
  failSubtask,
  handOver,
  type LeasedSubtask,
  leasedBy,
  leaseSubtasks,
  putOff,
  type Wish,
} from '../models/fleet/subtasks.ts';
import { hearEmptyWords } from '../services/fleet/hear-empty.ts';
import { leaseId, readLease, tasksFor } from '../services/fleet/leases.ts';

type Result = HandIn['results'][number];

const rowsIn = (result: Result): number => Math.max(0, ...Object.values(result.columns).map(({ length }) => length));

// The limit of wrangler.toml is so many times as high, in calls.
const CALLS_PER_ANSWER = 10;

// How far a bot's clock may be ahead of ours.
const CLOCK_SKEW_MS = 5 * 60_000;

/** The rows of one result after every check, packed for the order's object, or a refusal that names the row. */
function checked(result: Result, index: number, task: LeasedSubtask, env: Env): Uint8Array<ArrayBuffer> {
  const refuse = (flaw: string) => new Refusal('invalid', `results[${index}]: ${flaw}`);
  if (result.captured_at > Date.now() + CLOCK_SKEW_MS) throw refuse('captured_at: lies in the future.');
  const { name, released } = GAMES[task.game];
  if (result.captured_at < released)
    throw refuse(
      `captured_at: ${name} came out on ${new Date(released).toISOString().slice(0, 10)}, nothing was read before.`,
    );
  if (result.source.trim().toLowerCase() === SIMULATED && !isLocal(env))
    throw refuse('source: rows of the simulated world are for local copies only.');
  const flaw = checkColumns(task.game, result.columns, { kingdom: task.kingdom_id, ranks: task.ranks });
  if (flaw) throw refuse(flaw);
  return packColumns(task.game, result.columns);
}

/** A bot's name beyond its group. */
const botOf = (context: Context<BotEnv>, botId: string): string => `${context.get('group')}/${botId}`;

const wishOf = (context: Context<BotEnv>, botId: string, wish: LeaseWish, idle = false): Wish => ({
  ...wish,
  idle,
  bot: botOf(context, botId),
  seconds: Number(context.env.LEASE_SECONDS),
});

/** The subtasks that the bot holds: by their leases, or by D1 where one has run out and perhaps nobody came after it. */
async function heldBy(context: Context<BotEnv>, bot: string, results: Result[]): Promise<Map<number, LeasedSubtask>> {
  const shown = results.flatMap((result) => readLease(context.env, bot, result) ?? []);
  const late = shown.filter(({ lease_until }) => lease_until <= Date.now());
  const inTime = shown.filter((task) => !late.includes(task));
  return new Map([...inTime, ...(await leasedBy(context.get('db'), bot, late))].map((task) => [task.id, task]));
}

export const fleet = new Hono<BotEnv>({ strict: false })
  .use(
    bot,
    limited('FLEET_GROUP', (context) => context.get('group'), CALLS_PER_ANSWER),
  )
  .post('/heartbeat', validate('json', heartbeat), async (context) => {
    const address = context.req.header('cf-connecting-ip') ?? '';
    await recordHeartbeat(context.get('db'), context.get('group'), context.req.valid('json'), address);
    return answer(context, {});
  })
  .post('/lease', validate('json', lease), async (context) => {
    const { bot_id, ...wish } = context.req.valid('json');
    const tasks = await leaseSubtasks(context.get('db'), wishOf(context, bot_id, wish));
    return answer(context, { tasks: tasksFor(context.env, botOf(context, bot_id), tasks) });
  })
  .post('/rows', validate('json', handIn), async (context) => {
    const { bot_id, results, next } = context.req.valid('json');
    const rows = results.reduce((sum, result) => sum + rowsIn(result), 0);
    if (rows > MAX_ROWS_PER_HAND_IN)
      throw new Refusal('too_large', `${rows} rows are more than ${MAX_ROWS_PER_HAND_IN} in one call.`);
    if (new Set(results.map(({ subtask_id }) => subtask_id)).size !== results.length)
      throw new Refusal('invalid', 'results: a subtask stands twice.');

    const db = context.get('db');
    const held = await heldBy(context, botOf(context, bot_id), results);
    // Everything is checked before anything is staged: a refused call leaves nothing behind.
    const deliveries = results.flatMap((result, index) => {
      const task = held.get(result.subtask_id);
      if (!task) return [];
      const { subtask_id, captured_at, source } = result;
      const columns = checked(result, index, task, context.env);
      const { item_id, version } = task;
      const lease = leaseId(result.lease);
      const delivery = { subtask_id, lease, item_id, version, captured_at, source, columns };
      return [{ task, delivery, rows: rowsIn(result) }];
    });

    const outcomes: Map<number, HandInOutcome> = await hearEmptyWords(
      db,
      context.env,
      botOf(context, bot_id),
      deliveries,
    );
    const standing = deliveries.filter(({ task }) => !outcomes.has(task.id));
    const staged = [...Map.groupBy(standing, ({ task }) => task.order_id)].map(async ([orderId, group]) => {
      const object = context.env.ORDER_PROGRESS.getByName(String(orderId));
      const answers = await object.stage(group.map(({ delivery }) => delivery));
      group.forEach(({ task }, index) => {
        outcomes.set(task.id, answers[index] ?? 'lost');
      });
    });
    await Promise.all(staged);
    // Only now: a crash before this line means that the lease runs out and a duplicate is ignored.
    const here = standing.map(({ task }) => task.id).filter((id) => outcomes.get(id) !== 'lost');
    const tasks = await handOver(db, here, next ? wishOf(context, bot_id, next, true) : null);
    return answer(context, {
      tasks: tasksFor(context.env, botOf(context, bot_id), tasks),
      results: results.map(({ subtask_id }) => ({ subtask_id, outcome: outcomes.get(subtask_id) ?? 'lost' })),
    });
  })
  .post('/fail', validate('json', failure), async (context) => {
    const { bot_id, ...claim } = context.req.valid('json');
    const failed = await failSubtask(context.get('db'), botOf(context, bot_id), {
      ...claim,
      lease: leaseId(claim.lease),
    });
    if (!failed) throw new Refusal('conflict', 'This bot does not hold that lease any more.');
    const { id, item_id, order_id, error } = failed.ended;
    const object = context.env.ORDER_PROGRESS.getByName(String(order_id));
    if (failed.state === 'failed') await object.fail({ subtask_id: id, item_id, reason: error });
    else await object.giveBack(id, leaseId(claim.lease));
    return answer(context, { state: failed.state });
  })
  .post('/prepare', validate('json', preparation), async (context) => {
    const { bot_id, minutes, ...claim } = context.req.valid('json');
    const until = Date.now() + minutes * 60_000;
    const put = await putOff(context.get('db'), botOf(context, bot_id), {
      subtask_id: claim.subtask_id,
      lease: leaseId(claim.lease),
      until,
    });
    if (!put)
      throw new Refusal('conflict', 'This bot does not hold that lease any more, or the order has waited for a day.');
    const object = context.env.ORDER_PROGRESS.getByName(String(put.order_id));
    await object.giveBack(claim.subtask_id, leaseId(claim.lease));
    await object.putOff(put.item_id, until);
    return answer(context, { until });
  });
