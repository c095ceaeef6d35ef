import type { MiddlewareHandler } from 'hono';
import { openDb } from '../db/open.ts';
import { type Env, isLocal } from '../env.ts';
import { mailer } from '../gateways/mail.ts';
import { sendDue } from '../models/outbox.ts';

/** After a write has been answered, sends the mails that it caused; what fails here the minute's cron tries again. */
export const sendMailsAfter: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  await next();
  // Bots write all the time and mail nobody.
  if (context.req.method === 'GET' || context.req.path.startsWith('/v1/fleet/')) return;
  const { env } = context;
  context.executionCtx.waitUntil(sendDue(openDb(env.DB), mailer(env), isLocal(env)));
};
