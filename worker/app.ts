import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { NOTHING_HERE, Refusal, UNEXPECTED } from './errors.ts';
import { type AppEnv, database, session } from './middleware/session.ts';
import { downloads } from './routes/downloads.ts';
import { fleet } from './routes/fleet.ts';
import { health } from './routes/health.ts';
import { ordering } from './routes/ordering.ts';
import { orders } from './routes/orders.ts';
import { products } from './routes/products.ts';
import { schedules } from './routes/schedules.ts';
import { sessions } from './routes/sessions.ts';

const base = new Hono<AppEnv>({ strict: false });

base.use('/v1/*', requestId(), database, session);

base.notFound((context) => context.json({ success: 0 as const, msg: NOTHING_HERE }, 404));

base.onError((error, context) => {
  const refuse = (msg: string, status: Refusal['status']) => context.json({ success: 0 as const, msg }, status);
  if (error instanceof Refusal) return refuse(error.message, error.status);
  // Hono's own refusals (malformed JSON and the like) carry a sentence and a status of 4xx.
  if (error instanceof HTTPException && error.status < 500)
    return refuse(error.message || 'The request is not valid.', error.status as Refusal['status']);
  console.error(JSON.stringify({ request: context.get('requestId'), path: context.req.path, error: error.stack }));
  return refuse(UNEXPECTED, 500);
});

export const app = base
  .route('/v1', health)
  .route('/v1', sessions)
  .route('/v1', products)
  .route('/v1', orders)
  .route('/v1', ordering)
  .route('/v1', schedules)
  .route('/v1', downloads)
  .route('/v1/fleet', fleet);

/** What the typed client of the web is made from. */
export type AppType = typeof app;
