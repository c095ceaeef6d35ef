import { Hono } from 'hono';
import { answer } from '../answer.ts';
import { lacksTable, Refusal } from '../errors.ts';
import type { AppEnv } from '../middleware/session.ts';
import { onlineBots } from '../models/fleet.ts';

/** Answers once the service can work; 503 until the database is migrated. */
export const health = new Hono<AppEnv>({ strict: false }).get('/health', async (context) => {
  const bots_online = await onlineBots(context.get('db')).catch((error: unknown) => {
    throw lacksTable(error) ? new Refusal('unavailable', 'The service is starting.') : error;
  });
  return answer(context, { database: 'ready' as const, bots_online });
});
