import type { MiddlewareHandler } from 'hono';
import { isFit } from '../configuration.ts';
import type { Env } from '../env.ts';
import { NOT_SET_UP, Refusal } from '../errors.ts';
import { HEADERS } from './headers.ts';

/** Serves nothing at all, no call and no page, where the configuration is not fit for its environment. */
export const configured: MiddlewareHandler<{ Bindings: Env }> = async (context, next) => {
  if (!isFit(context.env)) {
    if (context.req.path.startsWith('/v1/')) throw new Refusal('unavailable', NOT_SET_UP);
    return context.text(NOT_SET_UP, 503, { ...HEADERS, 'cache-control': 'no-store' });
  }
  return next();
};
