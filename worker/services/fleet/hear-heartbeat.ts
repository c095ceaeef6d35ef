import type { Heartbeat } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { recordHeartbeat } from '../../models/fleet/bots.ts';
import { extendStatement } from '../../models/fleet/subtasks.ts';
import { extended } from './leases.ts';

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
