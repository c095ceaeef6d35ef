import type * as z from 'zod';
import type { fleetHealth } from '../../../domain/service/health.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { finishingTroubles, queuesOf, queueTroubles } from '../../models/service/fleet-troubles.ts';
import { gamesOnSale } from './watch-service.ts';

interface Checked {
  until: number;
  answer: z.infer<typeof fleetHealth>;
  sentences: string[];
}

/** How long a result is cached, in ms, because anyone may call this as often as they like. */
const KEPT_MS = 15_000;
let checked: Checked | undefined;

async function look(db: Db, env: Env, now: number): Promise<Checked> {
  const queues = await queuesOf(db, gamesOnSale(env), now);
  const troubles = [...queueTroubles(queues, now), ...(await finishingTroubles(db, now))];
  return {
    until: now + KEPT_MS,
    answer: { games: queues.map(({ heard_at: _, ...queue }) => queue) },
    sentences: troubles.map(({ text }) => text),
  };
}

/** Clears the cache, for tests. */
export const forgetFleet = (): void => {
  checked = undefined;
};

/** Returns the state of the fleet. @throws Refusal unavailable, with the reasons, if customers would wait. */
export async function checkFleet(db: Db, env: Env, now = Date.now()): Promise<z.infer<typeof fleetHealth>> {
  if (!checked || checked.until <= now) checked = await look(db, env, now);
  if (checked.sentences.length > 0) throw new Refusal('unavailable', checked.sentences.join(' '));
  return checked.answer;
}
