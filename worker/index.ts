import { app } from './app.ts';
import { runCron } from './cron.ts';
import type { Env } from './env.ts';

export { OrderProgress } from '../durable-objects/order-progress.ts';

export default {
  fetch: app.fetch,
  scheduled: ({ cron }, env) => runCron(cron, env),
} satisfies ExportedHandler<Env>;
