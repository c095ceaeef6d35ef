import { Hono } from 'hono';
import * as z from 'zod';
import { runCron } from '../cron.ts';
import { type Env, isLocal } from '../env.ts';
import { Refusal } from '../errors.ts';
import { isForeign } from '../middleware/origin.ts';
import { validate } from '../middleware/validate.ts';

const scheduledQuery = z.object({ cron: z.string('must be a cron expression of wrangler.toml') });

/**
 * Runs the crons of a local copy for its clock (scripts/clock.ts), under the path used by Cloudflare's own tools. Not
 * available elsewhere or to pages of other sites.
 */
export const local = new Hono<{ Bindings: Env }>().get(
  '/cdn-cgi/local/scheduled',
  async (context, next) => {
    if (!isLocal(context.env)) return context.notFound();
    if (isForeign(context)) throw new Refusal('forbidden', 'Only this copy itself can call its crons.');
    return next();
  },
  validate('query', scheduledQuery),
  async (context) => {
    await runCron(context.req.valid('query').cron, context.env, Date.now());
    return new Response('ok', { headers: { 'cache-control': 'no-store' } });
  },
);
