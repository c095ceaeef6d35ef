import {
  type HandIn,
  type HandInOutcome,
  MAX_ROWS_PER_HAND_IN,
  SIMULATED,
  type Task,
} from '../../../domain/fleet/contract.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import { isFuture } from '../../../domain/moments.ts';
import { checkColumns } from '../../../domain/scans/rows.ts';
import { packColumns } from '../../../domain/scans/staged.ts';
import type { Db } from '../../db/open.ts';
import { type Env, isLocal } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { handOver, hearEmpty, type LeasedSubtask, leasedBy, type Wish } from '../../models/fleet/subtasks.ts';
import { leaseId, readLease, tasksFor } from './leases.ts';

type Result = HandIn['results'][number];

const rowsIn = (result: Result): number => Math.max(0, ...Object.values(result.columns).map(({ length }) => length));

/** Checks a result's rows and packs them for the order object. Refuses with the row at fault. */
function checked(result: Result, index: number, task: LeasedSubtask, env: Env): Uint8Array<ArrayBuffer> {
  const refuse = (message: string) => new Refusal('invalid', { message, at: `results[${index}]` });
  if (isFuture(result.captured_at, Date.now())) throw refuse('captured_at: is in the future.');
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

/**
 * Returns the subtasks that the bot holds, by its leases. D1 confirms and extends leases that have expired or are in
 * their second half, so that they outlast this call.
 */
async function heldBy(db: Db, env: Env, bot: string, results: readonly Result[]): Promise<Map<number, LeasedSubtask>> {
  const length = Number(env.LEASE_SECONDS) * 1000;
  const now = Date.now();
  const shown = results.flatMap((result) => readLease(env, bot, result) ?? []);
  const late = shown.filter(({ lease_until }) => lease_until <= now + length / 2);
  const inTime = shown.filter((task) => !late.includes(task));
  return new Map([...inTime, ...(await leasedBy(db, bot, late, now + length))].map((task) => [task.id, task]));
}

/** Refuses a hand-in that is too large or names a subtask twice. */
function checkSize(results: readonly Result[]): void {
  const rows = results.reduce((sum, result) => sum + rowsIn(result), 0);
  if (rows > MAX_ROWS_PER_HAND_IN)
    throw new Refusal(
      'too_large',
      sentence('{rows} rows are more than {most} in one call.', { rows, most: MAX_ROWS_PER_HAND_IN }),
    );
  if (new Set(results.map(({ subtask_id }) => subtask_id)).size !== results.length)
    throw new Refusal('invalid', 'results: a subtask appears twice.');
}

/** The outcome of each result in order, and newly leased tasks. */
interface Accepted {
  results: { subtask_id: number; outcome: HandInOutcome }[];
  tasks: Task[];
}

/**
 * Stores rows delivered by a bot: checks all, stages them in their orders' objects, marks their subtasks as done and
 * leases the bot's next tasks. A refused call changes nothing; a repeat changes nothing.
 * @throws Refusal invalid or too_large with the row at fault.
 */
export async function acceptRows(
  db: Db,
  env: Env,
  { bot, results, next }: { bot: string; results: readonly Result[]; next: Wish | null },
): Promise<Accepted> {
  checkSize(results);
  const held = await heldBy(db, env, bot, results);
  const deliveries = results.flatMap((result, index) => {
    const task = held.get(result.subtask_id);
    if (!task) return [];
    const { subtask_id, captured_at, source } = result;
    const columns = checked(result, index, task, env);
    const { item_id, version } = task;
    const lease = leaseId(result.lease);
    const delivery = { subtask_id, bot, lease, item_id, version, captured_at, source, columns };
    return [{ task, delivery, rows: rowsIn(result) }];
  });
  const outcomes = await hearEmptyWords(db, env, bot, deliveries);
  const standing = deliveries.filter(({ task }) => !outcomes.has(task.id));
  const staged = [...Map.groupBy(standing, ({ task }) => task.order_id)].map(async ([orderId, group]) => {
    const answers = await callOrder(env, orderId, (object) => object.stage(group.map(({ delivery }) => delivery)));
    group.forEach(({ task }, index) => {
      outcomes.set(task.id, answers[index] ?? 'lost');
    });
  });
  await Promise.all(staged);
  // Last, so that after an earlier crash the lease expires and the repeated rows are ignored as duplicates.
  const isLost = ({ task }: HandedIn) => outcomes.get(task.id) === 'lost';
  const ofLease = ({ task, delivery: { lease, version } }: HandedIn) => ({ id: task.id, lease, version });
  const here = standing.filter((each) => !isLost(each)).map(ofLease);
  const lost = standing.filter(isLost).map(ofLease);
  const tasks = tasksFor(env, bot, await handOver(db, bot, here, next, Date.now(), lost));
  return {
    tasks,
    results: results.map(({ subtask_id }) => ({ subtask_id, outcome: outcomes.get(subtask_id) ?? 'lost' })),
  };
}

/** The relevant part of a delivered result. */
interface HandedIn {
  task: LeasedSubtask;
  delivery: { subtask_id: number; lease: string; version: number };
  rows: number;
}

const saysNobody = ({ task, rows }: HandedIn): boolean => rows === 0 && task.from_rank === 1;

/**
 * Handles bots' reports that a kingdom's first ranks are empty. The subtask ends, and is refunded, once a second bot
 * reports the same. Returns the outcomes of results that are not to be staged (yet).
 */
async function hearEmptyWords(
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
