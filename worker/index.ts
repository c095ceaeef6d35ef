import { app } from './app.ts';
import { isFit, isOpen } from './configuration/checks.ts';
import { runCron } from './cron.ts';
import type { Env } from './env.ts';
import { cachedBoard } from './routes/leaderboards.ts';
import { speakByAddress } from './services/service/speak.ts';

export { DashboardCache } from '../durable-objects/dashboard-cache.ts';
export { OrderProgress } from '../durable-objects/order-progress.ts';
export { UserSockets } from '../durable-objects/user-sockets.ts';

export default {
  fetch: (request, env, context) =>
    (isOpen(env) ? cachedBoard(request, env) : undefined) ??
    speakByAddress(env, request, (request) => app.fetch(request, env, context)),
  scheduled: async ({ cron, scheduledTime }, env) => {
    if (!isFit(env)) throw new Error('No cron runs: the configuration is not valid.');
    if (isOpen(env)) await runCron(cron, env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
