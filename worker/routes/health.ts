import { Hono } from 'hono';
import { fleetHealth, healthAnswer } from '../../domain/service/health.ts';
import { answer } from '../answer.ts';
import { answers } from '../middleware/answers.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { checkFleet } from '../services/service/check-fleet.ts';
import { checkHealth } from '../services/service/check-health.ts';

/** What uptime monitors ask: whether the service can work, and whether customers wait. */
export const health = new Hono<AppEnv>()
  .get('/health', anyone, answers('Whether the service can work', healthAnswer), async (context) =>
    answer(context, await checkHealth(context.get('db'))),
  )
  .get(
    '/health/fleet',
    anyone,
    answers('Whether customers would wait for bots: 503 while they would', fleetHealth),
    async (context) => answer(context, await checkFleet(context.get('db'), context.env)),
  );
