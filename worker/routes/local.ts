import { Hono } from 'hono';
import * as z from 'zod';
import { runCron } from '../cron.ts';
import { type Env, isLocal } from '../env.ts';
import { Refusal } from '../errors.ts';
import { isForeign } from '../middleware/origin.ts';
import { validate } from '../middleware/validate.ts';

const scheduledQuery = z.object({ cron: z.string('must be a cron expression of wrangler.toml') });

/**
 * The clock of a local copy (scripts/clock.ts) calls its crons here, by the address at which the platform's own tools
 * have them. Nothing is here anywhere else, nor for pages of another site that make a browser call.
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
    return new Response('ok');
  },
);
