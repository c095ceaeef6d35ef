import type { MiddlewareHandler } from 'hono';
import { isFit } from '../configuration.ts';
import type { Env } from '../env.ts';
import { NOT_SET_UP, Refusal } from '../errors.ts';

/** Serves nothing at all, no call and no page, where the configuration is not fit for its environment or says closed. */
export const configured: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  const closed = isFit(context.env) ? context.env.CLOSED : NOT_SET_UP;
  if (closed) throw new Refusal('unavailable', closed);
  await next();
};
