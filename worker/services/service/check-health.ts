import type * as z from 'zod';
import type { fleetHealth, healthAnswer } from '../../../domain/service/health.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { lacksTable, Refusal } from '../../errors.ts';
import { onlineBots } from '../../models/fleet/bots.ts';
import { readSale } from '../../models/orders/sale.ts';
import { isMigrated } from '../../models/service/database.ts';
import { finishingTroubles, queuesOf, queueTroubles } from '../../models/service/fleet-troubles.ts';
import { gamesOnSale } from './watch-service.ts';

const starting = () => new Refusal('unavailable', 'The service is starting.');

/** How long a result is cached, in ms, because anyone may ask as often as they like. */
const KEPT_MS = 15_000;
let healthy: { until: number; answer: z.infer<typeof healthAnswer> } | undefined;

/**
 * Returns the state of the service.
 * @throws Refusal unavailable until the database has the migrations that this version needs.
 */
export async function checkHealth(db: Db, now = Date.now()): Promise<z.infer<typeof healthAnswer>> {
  if (healthy && healthy.until > now) return healthy.answer;
  const [migrated, bots_online] = await Promise.all([isMigrated(db), onlineBots(db)]).catch((error: unknown) => {
    throw lacksTable(error) ? starting() : error;
  });
  if (!migrated) throw starting();
  healthy = { until: now + KEPT_MS, answer: { database: 'ready', bots_online } };
  return healthy.answer;
}

interface Checked {
  until: number;
  answer: z.infer<typeof fleetHealth>;
  sentences: string[];
}

let checked: Checked | undefined;

async function look(db: Db, env: Env, now: number): Promise<Checked> {
  const [queues, finishing] = await Promise.all([
    readSale(db, env).then((sale) => queuesOf(db, gamesOnSale(sale, now), now)),
    finishingTroubles(db, now),
  ]);
  const troubles = [...queueTroubles(queues, now), ...finishing];
  return {
    until: now + KEPT_MS,
    answer: { games: queues.map(({ heard_at: _, ...queue }) => queue) },
    sentences: troubles.map(({ text }) => text),
  };
}

/** Clears the caches, for tests. */
export const forgetHealth = (): void => {
  healthy = undefined;
  checked = undefined;
};

/** Returns the state of the fleet. @throws Refusal unavailable, with the reasons, if customers would wait. */
export async function checkFleet(db: Db, env: Env, now = Date.now()): Promise<z.infer<typeof fleetHealth>> {
  if (!checked || checked.until <= now) checked = await look(db, env, now);
  if (checked.sentences.length > 0) throw new Refusal('unavailable', checked.sentences.join(' '));
  return checked.answer;
}
