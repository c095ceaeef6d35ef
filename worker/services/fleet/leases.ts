import { timingSafeEqual } from 'node:crypto';
import type { Task } from '../../../domain/orders/contract.ts';
import type { Env } from '../../env.ts';
import type { LeasedRow, LeasedSubtask } from '../../models/fleet/subtasks.ts';
import { currentKey, macOf } from '../../signing.ts';

/**
 * What a bot shows with its rows. A lease carries what has to be known of its subtask, signed, so that rows are taken
 * in without a question to D1: until it runs out, nobody else is leased the subtask. `id.claims.mac`; D1 keeps the id.
 */

interface Claims extends LeasedSubtask {
  /** Epoch milliseconds. */
  lease_until: number;
  /** The key that it is signed with. */
  key: string;
}

/** A subtask that a bot has shown a lease of. */
export interface HeldSubtask extends Claims {
  /** The id under which D1 knows the lease. */
  lease: string;
}

const SEPARATOR = '.';

/** The id under which D1 knows a lease. */
export const leaseId = (lease: string): string => lease.split(SEPARATOR, 1)[0] ?? '';

/** The tasks of a bot as it is told of them. */
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

/** A bot's name has neither line breaks nor anything else that could move the border between the parts. */
const textOf = (bot: string, signed: string): string => `lease\n${bot}\n${signed}`;

/** The subtask of a lease, run out or not; null where it is not of this subtask and bot, or was not made here. */
export function readLease(
  env: Env,
  bot: string,
  { subtask_id, lease }: { subtask_id: number; lease: string },
): HeldSubtask | null {
  const [id = '', text = '', mac = ''] = lease.split(SEPARATOR);
  const claims = parsed(text);
  if (claims?.id !== subtask_id) return null;
  const right = macOf(env, claims.key, textOf(bot, id + SEPARATOR + text));
  const shown = Buffer.from(mac, 'base64url');
  return right.length === shown.length && timingSafeEqual(right, shown) ? { ...claims, lease: id } : null;
}

/** How often its own length a lease is extended at most: a bot that says so for ever does not keep a subtask from others. */
const MOST_EXTENSIONS = 10;

/** Until when leases that a bot works on hold, each by its length of `seconds` from now on. */
export function extended(
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
    // What is no lease of ours is nobody's lease.
    return null;
  }
}
