import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';

/** Which pages may call with a user's cookie: our own, and those of configured origins. */

interface Bound {
  Bindings: Env;
}

const allowedOrigins = ({ ALLOWED_ORIGINS }: Env): string[] =>
  ALLOWED_ORIGINS.split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);

/** CORS for the configured origins, and no header at all for others. */
export const crossOrigin: MiddlewareHandler<Bound> = cors({
  origin: (origin, context) => (allowedOrigins(context.env as Env).includes(origin) ? origin : null),
  credentials: true,
  allowMethods: ['GET', 'POST', 'DELETE'],
  allowHeaders: ['content-type', 'authorization', 'idempotency-key'],
  maxAge: 3600,
});

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site makes a browser send: writes, and WebSockets, which no same-origin policy holds back.
 * Browsers name the origin of both; a caller that names none is no browser and has nobody's cookie.
 */
export const sameOrigin: MiddlewareHandler<Bound> = async (context, next) => {
  const changes = !SAFE.has(context.req.method) || context.req.header('upgrade') !== undefined;
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  const foreign =
    origin === undefined
      ? site !== undefined && site !== 'same-origin' && site !== 'none'
      : origin !== new URL(context.req.url).origin && !allowedOrigins(context.env).includes(origin);
  if (changes && foreign)
    throw new Refusal('forbidden', 'This call came from another site. Please use the service on its own pages.');
  await next();
};
