import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { BOOKMARK_HEADER } from '../../domain/bookmark.ts';
import { type Env, isLocal } from '../env.ts';
import { Refusal } from '../errors.ts';

/** Rules for pages that may call with a user's cookie: our own pages and those of configured origins. */

export interface Bound {
  Bindings: Env;
}

const allowedOrigins = ({ ALLOWED_ORIGINS }: Env): string[] =>
  ALLOWED_ORIGINS.split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);

/** Headers of answers that pages of configured origins may read, beside those that browsers always let them read. */
const EXPOSED = [
  BOOKMARK_HEADER,
  'accept-ranges',
  'content-disposition',
  'content-range',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
];

/** Sends CORS headers to configured origins only. */
export const crossOrigin: MiddlewareHandler<Bound> = cors({
  origin: (origin, context) => (allowedOrigins(context.env as Env).includes(origin) ? origin : null),
  credentials: true,
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-none-match',
    'if-range',
    'range',
    BOOKMARK_HEADER,
  ],
  exposeHeaders: EXPOSED,
  maxAge: 3600,
});

/**
 * Like `crossOrigin`, for public responses that are the same for everyone, and for refusals. Changes the headers in
 * place, because copying the response would compress a compressed body again.
 */
export const publicCrossOrigin: MiddlewareHandler<Bound> = async (context, next) => {
  await next();
  const allowed = allowedOrigins(context.env);
  const { headers } = context.res;
  // `crossOrigin` has already set these headers, unless its answer was dropped for a refusal.
  if (allowed.length === 0 || headers.has('access-control-allow-origin')) return;
  if (!headers.get('vary')?.includes('Origin')) headers.append('vary', 'Origin');
  const origin = context.req.header('origin');
  if (origin === undefined || !allowed.includes(origin)) return;
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-credentials', 'true');
  headers.set('access-control-expose-headers', EXPOSED.join(','));
};

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the service's public origin: SITE_ORIGIN, whatever the request's host. A local copy may be opened under any
 * loopback name; there the request's own origin counts, because browsers tie cookies to the name.
 */
export function siteOrigin<E extends Bound>({ req, env }: Pick<Context<E>, 'req' | 'env'>): string {
  const asked = new URL(req.url);
  return isLocal(env) && LOOPBACK.has(asked.hostname) ? asked.origin : env.SITE_ORIGIN;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for a request that only reads. HEAD runs the routes of GET. */
export const isRead = ({ req }: Pick<Context, 'req'>): boolean => SAFE.has(req.method);

/** True if a page of another site made a browser send this request. Callers without an Origin are not browsers. */
export function isForeign({ req, env }: Context<Bound>): boolean {
  const origin = req.header('origin');
  const site = req.header('sec-fetch-site');
  return origin === undefined
    ? site !== undefined && site !== 'same-origin' && site !== 'none'
    : origin !== new URL(req.url).origin && !allowedOrigins(env).includes(origin);
}

/**
 * Refuses requests that another site makes a browser send: writes, and WebSockets, which the same-origin policy does
 * not block. Browsers send Origin with both; callers without it carry no user's cookie.
 */
export const sameOrigin: MiddlewareHandler<Bound> = async (context, next) => {
  const changes = !isRead(context) || context.req.header('upgrade') !== undefined;
  if (changes && isForeign(context))
    throw new Refusal('forbidden', 'This call came from another site. Please use the service on its own pages.');
  await next();
};
