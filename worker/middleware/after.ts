import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { sendOutbox } from '../services/messages/send-outbox.ts';
import { isRead } from './origin.ts';

/** Sends the mails that a write caused, after its response. The minute's cron retries failures. */
export const sendMailsAfter: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  await next();
  // Fleet calls are frequent and cause no mail.
  if (isRead(context) || context.req.path.startsWith('/v1/fleet/')) return;
  context.executionCtx.waitUntil(sendOutbox(context.env));
};
