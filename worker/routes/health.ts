import { Hono } from 'hono';
import { healthAnswer } from '../../domain/service/health.ts';
import { answer } from '../answer.ts';
import { answers } from '../middleware/answers.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { checkHealth } from '../services/service/check-health.ts';

/** Answers once the service can work. */
export const health = new Hono<AppEnv>().get(
  '/health',
  anyone,
  answers('Whether the service can work', healthAnswer),
  async (context) => answer(context, await checkHealth(context.get('db'))),
);
