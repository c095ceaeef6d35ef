import { app } from './app.ts';
import { runCron } from './cron.ts';
import type { Env } from './env.ts';
import { boardAtHand } from './routes/leaderboards.ts';

export { OrderProgress } from '../durable-objects/order-progress.ts';

export default {
  fetch: (request, env, context) => boardAtHand(request) ?? app.fetch(request, env, context),
  scheduled: ({ cron, scheduledTime }, env) => runCron(cron, env, scheduledTime),
} satisfies ExportedHandler<Env>;
