import { timingSafeEqual } from 'node:crypto';
import type { Heartbeat, Task } from '../../../domain/fleet/contract.ts';
import { askAgainMs } from '../../../domain/fleet/idle.ts';
import { currentKey, macOf } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { recordHeartbeat } from '../../models/fleet/bots.ts';
import {
  extendStatement,
  type LeasedRow,
  type LeasedSubtask,
  leaseSubtasks,
  type Wish,
} from '../../models/fleet/subtasks.ts';

/**
 * A lease as bots present it with their rows: `id.claims.mac`. The signed claims describe the subtask, so rows are
 * accepted without a query to D1: until the lease expires, no other bot holds the subtask. D1 stores the id.
 */

interface Claims extends LeasedSubtask, Pick<Task, 'lease_until'> {
  /** Id of the signing key. */
  key: string;
}

const SEPARATOR = '.';

/** Returns a lease's id in D1. */
export const leaseId = (lease: string): string => lease.split(SEPARATOR, 1)[0] ?? '';

/** Returns leased rows as a bot's tasks, with signed leases. */
export function tasksFor(env: Env, bot: string, rows: readonly LeasedRow[]): Task[] {
  const key = currentKey(env);
  return rows.map(({ version, lease, ...task }) => {
    const { subtask_id: id, item_id, order_id, game, kingdom_id, from_rank, to_rank, lease_until } = task;
    const ranks = to_rank - from_rank + 1;
    const claims: Claims = { id, item_id, order_id, game, kingdom_id, version, from_rank, ranks, key, lease_until };
    const signed = lease + SEPARATOR + Buffer.from(JSON.stringify(claims)).toString('base64url');
    const mac = macOf(env, key, textOf(bot, signed)).toString('base64url');
    return { ...task, full_profile: task.full_profile === 1, lease: signed + SEPARATOR + mac };
  });
}

/** A bot's name contains no line break, so the parts of the signed text are unambiguous. */
const textOf = (bot: string, signed: string): string => `lease\n${bot}\n${signed}`;

/**
 * Returns the subtask of a lease, expired or not, with the lease's id in D1. Null if the lease belongs to another subtask
 * or bot, or is forged.
 */
export function readLease(
  env: Env,
  bot: string,
  { subtask_id, lease }: { subtask_id: number; lease: string },
): (Claims & { lease: string }) | null {
  const [id = '', text = '', mac = ''] = lease.split(SEPARATOR);
  const claims = parsed(text);
  if (claims?.id !== subtask_id) return null;
  const right = macOf(env, claims.key, textOf(bot, id + SEPARATOR + text));
  const shown = Buffer.from(mac, 'base64url');
  return right.length === shown.length && timingSafeEqual(right, shown) ? { ...claims, lease: id } : null;
}

/** Maximum extension of a lease, in multiples of its length, so that a bot cannot keep a subtask forever. */
const MOST_EXTENSIONS = 10;

/** Returns the new expiry of valid leases that a bot is working on: `seconds` from now, up to the maximum. */
function extended(
  env: Env,
  bot: string,
  shown: readonly { subtask_id: number; lease: string }[],
  { seconds, now }: { seconds: number; now: number },
): { id: number; lease: string; until: number }[] {
  const length = seconds * 1000;
  return shown.flatMap((each) => {
    const held = readLease(env, bot, each);
    if (!held) return [];
    const { id, lease, lease_until } = held;
    return [{ id, lease, until: Math.min(now + length, lease_until + MOST_EXTENSIONS * length) }];
  });
}

function parsed(text: string): Claims | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // Malformed: not one of our leases.
    return null;
  }
}

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

/** Stores a bot's heartbeat and extends the leases that it is working on. */
export async function hearHeartbeat(
  db: Db,
  env: Env,
  { group, address, now, beat }: { group: string; address: string; now: number; beat: Heartbeat },
): Promise<void> {
  const { working_on, ...said } = beat;
  await recordHeartbeat(db, group, said, address, now);
  const bot = `${group}/${beat.bot_id}`;
  const held = extended(env, bot, working_on, { seconds: Number(env.LEASE_SECONDS), now });
  if (held.length > 0) await extendStatement(db, bot, held).run();
}
