import type { MiddlewareHandler } from 'hono';
import { isFit } from '../configuration/checks.ts';
import type { Env } from '../env.ts';
import { NOT_SET_UP, Refusal } from '../errors.ts';

/** Refuses every call and page while the configuration is invalid or the service is closed. */
export const configured: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  const closed = isFit(context.env) ? context.env.CLOSED : NOT_SET_UP;
  if (closed) throw new Refusal('unavailable', closed);
  await next();
};
