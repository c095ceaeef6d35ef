import { Hono } from 'hono';
import { answer } from '../answer.ts';
import type { AppEnv } from '../middleware/session.ts';
import { onlineBots } from '../models/fleet.ts';

/** Answers once the service can work: the query fails until the database is migrated. */
export const health = new Hono<AppEnv>({ strict: false }).get('/health', async (context) =>
  answer(context, { database: 'ready' as const, bots_online: await onlineBots(context.get('db')) }),
);
