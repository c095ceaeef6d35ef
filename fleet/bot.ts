import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BotKingdoms,
  type LeaseWish,
  MAX_PREPARING_MINUTES,
  MAX_SUBTASKS_PER_LEASE,
  type Task,
} from '../domain/fleet/contract.ts';
import { GAME_IDS, type GameId } from '../domain/games/games.ts';
import { CallError, type FleetClient, type HandedIn, type LeaseAnswer, retryAfterMs } from './client.ts';
import { batchesOf, type Result, resultOf } from './hand-in.ts';
import type { Scans } from './scans.ts';
import type { Source } from './sources/source.ts';
import type { SourceTrouble } from './trouble.ts';

/** One bot: leases subtasks, scans, hands in rows and sends heartbeats. */

interface BotOptions {
  /** Starts at 1; part of the bot's id. */
  number: number;
  /** Prefix of the ids of this process's bots. */
  name: string;
  client: FleetClient;
  scans: Scans;
  /** Duration of a subtask in ms, so that progress is visible. */
  paceMs: number;
  /** Longest wait of a bot without work before it asks again, in ms. */
  pollMs: number;
  trouble: SourceTrouble;
  /** Returns what the bot can scan at the moment. */
  canScan: Source['canScan'];
  /** Receives how far this machine's clock is ahead of the service's, in ms. */
  onClock(aheadMs: number): void;
  /** Called if the service refuses the token; all bots then stop. */
  refused(): void;
}

/** Heartbeat interval of a bot at work, in ms. */
const HEARTBEAT_MS = 60_000;
/** How often a bot checks whether it has something to report, in ms. */
const LOOK_MS = 3000;
/** A bot that still works on a task after this part of its lease sends a heartbeat, which extends the lease. */
const EXTENDED_AFTER = 1 / 3;
/** A hand-in that takes longer than this part of a lease shows that the service is overloaded. */
const SLOW = 0.1;
/** Wait after the first empty answer or failed call, in ms. It doubles each time. */
const FIRST_WAIT_MS = 1000;
/** Longest wait after failed calls that name no time themselves, in ms. */
const LONGEST_WAIT_MS = 30_000;
/** Longest wait that the service can ask for, in ms. */
const LONGEST_ASKED_MS = 10 * 60_000;

interface State {
  packets: number;
  done: number;
  failed: number;
  game: GameId;
  kingdom: number | null;
  error: string | null;
  /** Subtasks in progress; each heartbeat extends their leases. */
  tasks: readonly Task[];
  /** Length of a lease, in ms. */
  leaseMs: number;
  /** Duration of the last hand-in, in ms. */
  handInMs: number;
}

/** Works until `signal` aborts, then hands in what is in progress. */
export async function runBot(options: BotOptions, signal: AbortSignal): Promise<void> {
  const state: State = {
    packets: 0,
    done: 0,
    failed: 0,
    game: GAME_IDS[(options.number - 1) % GAME_IDS.length] as GameId,
    kingdom: null,
    error: null,
    tasks: [],
    leaseMs: Number.POSITIVE_INFINITY,
    handInMs: 0,
  };
  const declared = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => declared.resolve(), { once: true });
  const beating = beat(options, state, signal, declared.resolve);
  // Waits for the first heartbeat, because the service leases by what it declares.
  await declared.promise;
  await work(options, state, signal);
  await beating;
}

const isTokenRefused = (error: unknown): boolean => error instanceof CallError && error.status === 401;

/** Returns whether the service refused this call, but not the bot itself. */
const isAnswer = (error: unknown): error is CallError =>
  error instanceof CallError && error.refused && !isTokenRefused(error);

const idOf = ({ name, number }: BotOptions): string => `${name}-${number}`;

/** Sleeps, but returns at once on abort. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/**
 * Sends a heartbeat at once if the kingdoms it can scan have changed, in time to extend leases, and once a minute if its
 * figures have changed. For a bot without work, its calls for work are enough.
 */
async function beat(options: BotOptions, state: State, signal: AbortSignal, onHeard: () => void): Promise<void> {
  const said = { kingdoms: '', figures: '', before: 0 };
  let held = { tasks: state.tasks, ms: 0 };
  while (!signal.aborted) {
    try {
      const kingdoms = await options.canScan();
      const [saying, figures] = [JSON.stringify(kingdoms), figuresOf(state)];
      if (held.tasks !== state.tasks) held = { tasks: state.tasks, ms: LOOK_MS };
      const isNews = said.before >= HEARTBEAT_MS && figures !== said.figures;
      if (saying !== said.kingdoms || isNews || (held.tasks.length > 0 && held.ms >= state.leaseMs * EXTENDED_AFTER)) {
        await say(options, state, kingdoms);
        Object.assign(said, { kingdoms: saying, figures, before: 0 });
        held.ms = 0;
        onHeard();
      }
    } catch (error) {
      if (isTokenRefused(error)) options.refused();
      if (!signal.aborted) options.trouble.tell((error as Error).message);
    }
    await pause(LOOK_MS, signal);
    said.before += LOOK_MS;
    held.ms += LOOK_MS;
  }
}

/** Returns the figures whose change is worth a heartbeat. */
const figuresOf = ({ game, kingdom, done, failed, error }: State): string =>
  JSON.stringify([game, kingdom, done, failed, error]);

async function say(options: BotOptions, state: State, kingdoms: BotKingdoms): Promise<void> {
  state.packets++;
  const answer = await options.client.heartbeat({
    bot_id: idOf(options),
    account_game: state.game,
    kingdom_id: state.kingdom,
    governor_id: 990_000_000 + options.number,
    packets_count: state.packets,
    tasking_count: state.done,
    tasking_count_failed: state.failed,
    error: state.error,
    kingdoms,
    working_on: state.tasks.map(({ subtask_id, lease: held }) => ({ subtask_id, lease: held })),
  });
  options.onClock(Date.now() - answer.now);
  state.leaseMs = answer.lease_seconds * 1000;
}

async function work(options: BotOptions, state: State, signal: AbortSignal): Promise<void> {
  let next: LeaseWish = { games: [...GAME_IDS], count: 1 };
  const firstWait = Math.min(FIRST_WAIT_MS, options.pollMs);
  let wait = firstWait;
  let handedIn: HandedIn | null = null;
  while (!signal.aborted) {
    try {
      // The service had no time to look for work.
      if (handedIn?.ask_again_ms !== undefined) {
        await pause(handedIn.ask_again_ms * (1 + Math.random() / 4), signal);
        handedIn = null;
        continue;
      }
      const answer: LeaseAnswer = handedIn
        ? { tasks: handedIn.tasks, ask_again_ms: FIRST_WAIT_MS }
        : await lease(options, state, next);
      const { tasks } = answer;
      handedIn = null;
      options.trouble.over();
      // A full answer means a long queue, so the bot leases more at once. A short one leaves work to other bots.
      next = { ...next, count: tasks.length < next.count ? 1 : Math.min(MAX_SUBTASKS_PER_LEASE, next.count + 1) };
      if (isSlow(state)) next.count = Math.ceil(next.count / 3);
      state.tasks = tasks;
      handedIn = await perform(options, state, tasks, isSlow(state) ? undefined : next, signal);
      state.tasks = [];
      const isDone = tasks.length > 0 && !handedIn?.tasks.length;
      if (isDone && isSlow(state)) await pause(Math.min(LONGEST_WAIT_MS, 2 * state.handInMs), signal);
      if (tasks.length > 0) wait = firstWait;
      else {
        // Jitter keeps bots that became idle together from asking together.
        const most = Math.min(answer.ask_again_ms, options.pollMs);
        await pause(Math.min(wait, most) * (0.75 + Math.random() / 4), signal);
        wait = Math.min(wait * 2, most);
      }
    } catch (error) {
      handedIn = null;
      state.tasks = [];
      if (isTokenRefused(error)) options.refused();
      if (signal.aborted) return;
      state.error = (error as Error).message.slice(0, 500);
      options.trouble.tell(state.error);
      await pause(Math.max(wait, askedBy(error)), signal);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }
}

/** Returns whether the service stores rows so slowly that leases may expire meanwhile. Then bots take less work. */
const isSlow = ({ handInMs, leaseMs }: State): boolean => handInMs > leaseMs * SLOW;

/** Returns the wait that a failed call's answer asked for, in ms. */
const askedBy = (error: unknown): number =>
  error instanceof CallError ? Math.min(LONGEST_ASKED_MS, retryAfterMs(error.retryAfter, Date.now()) ?? 0) : 0;

function lease(options: BotOptions, state: State, next: LeaseWish): Promise<LeaseAnswer> {
  state.packets++;
  return options.client.lease({ bot_id: idOf(options), ...next });
}

/** Scans and hands in. Returns the last call's answer, or null if it asked for no more work. */
async function perform(
  options: BotOptions,
  state: State,
  tasks: readonly Task[],
  next: LeaseWish | undefined,
  signal: AbortSignal,
): Promise<HandedIn | null> {
  const results: Result[] = [];
  for (const task of [...tasks].sort((a, b) => a.subtask_id - b.subtask_id)) {
    state.game = task.game;
    state.kingdom = task.kingdom_id;
    await pause(options.paceMs, signal);
    const scan = await options.scans(task);
    if ('unknown' in scan) await giveUp(options, state, task, scan.unknown, true);
    else if ('preparing' in scan) await putOff(options, state, task, scan.preparing);
    else results.push(resultOf(task, scan));
  }
  const batches = batchesOf(results);
  const last = batches.pop();
  for (const batch of batches) await deliver(options, state, batch, tasks);
  // A stopping bot leases no more.
  return last ? deliver(options, state, last, tasks, signal.aborted ? undefined : next) : null;
}

async function deliver(
  options: BotOptions,
  state: State,
  batch: Result[],
  tasks: readonly Task[],
  next?: LeaseWish,
): Promise<HandedIn | null> {
  try {
    state.packets++;
    const begun = performance.now();
    const answer = await options.client.handIn({ bot_id: idOf(options), results: batch, next });
    state.handInMs = performance.now() - begun;
    state.done += batch.length;
    state.error = null;
    return next ? answer : null;
  } catch (error) {
    if (!isAnswer(error)) throw error;
    // One bad row refuses the whole call, so the results are handed in one by one.
    if (batch.length > 1) for (const result of batch) await deliver(options, state, [result], tasks);
    else await refused(options, state, batch, tasks, error);
    return null;
  }
}

async function refused(
  options: BotOptions,
  state: State,
  batch: readonly Result[],
  tasks: readonly Task[],
  error: CallError,
): Promise<void> {
  state.error = error.message.slice(0, 500);
  options.trouble.tell(`rows refused: ${error.message}`);
  const task = tasks.find(({ subtask_id }) => subtask_id === batch[0]?.subtask_id);
  if (task) await giveUp(options, state, task, `The rows that were read were refused: ${error.message}`, false);
}

async function putOff(options: BotOptions, state: State, task: Task, minutes: number): Promise<void> {
  state.packets++;
  const { subtask_id, lease } = task;
  await options.client
    .prepare({ bot_id: idOf(options), subtask_id, lease, minutes: Math.min(MAX_PREPARING_MINUTES, minutes) })
    .catch(forgetRefused);
}

/** Ignores a refusal: the lease ran out meanwhile, and another bot has the subtask. */
function forgetRefused(error: unknown): void {
  if (!isAnswer(error)) throw error;
}

async function giveUp(options: BotOptions, state: State, task: Task, why: string, permanent: boolean): Promise<void> {
  state.packets++;
  state.failed++;
  const { subtask_id, lease } = task;
  await options.client
    .fail({ bot_id: idOf(options), subtask_id, lease, reason: why.slice(0, 300), permanent })
    .catch(forgetRefused);
}
