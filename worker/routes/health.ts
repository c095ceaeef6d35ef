import { Hono } from 'hono';
import { fleetHealth, healthAnswer } from '../../domain/service/health.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { checkFleet, checkHealth } from '../services/service/check-health.ts';

/** For uptime monitors: whether the service works and whether customers wait. */
export const health = new Hono<AppEnv>()
  .get('/health', anyone, answers('Health of the service', healthAnswer), async (context) =>
    answer(context, await checkHealth(context.get('db'))),
  )
  .get(
    '/health/fleet',
    anyone,
    answers('Health of the bot fleet: 503 while customers would wait', fleetHealth),
    async (context) => answer(context, await checkFleet(context.get('db'), context.env)),
  );
