import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { sendOutbox } from '../services/messages/send-outbox.ts';

/** After a write has been answered, sends the mails that it caused; what fails here the minute's cron tries again. */
export const sendMailsAfter: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  await next();
  // Bots write all the time and mail nobody.
  if (context.req.method === 'GET' || context.req.path.startsWith('/v1/fleet/')) return;
  context.executionCtx.waitUntil(sendOutbox(context.env));
};
