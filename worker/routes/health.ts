import { Hono } from 'hono';
import { healthAnswer } from '../../domain/service/health.ts';
import { answer } from '../answer.ts';
import { lacksTable, Refusal } from '../errors.ts';
import { answers } from '../middleware/answers.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { onlineBots } from '../models/fleet/bots.ts';
import { isMigrated } from '../models/service/database.ts';

const starting = () => new Refusal('unavailable', 'The service is starting.');

/** Answers once the service can work; 503 until the database is migrated to what this version needs. */
export const health = new Hono<AppEnv>({ strict: false }).get(
  '/health',
  anyone,
  answers(healthAnswer),
  async (context) => {
    const db = context.get('db');
    const [migrated, bots_online] = await Promise.all([isMigrated(db), onlineBots(db)]).catch((error: unknown) => {
      throw lacksTable(error) ? starting() : error;
    });
    if (!migrated) throw starting();
    return answer(context, { database: 'ready' as const, bots_online });
  },
);
