import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { type Env, isLocal } from '../env.ts';
import { Refusal } from '../errors.ts';

/** Which pages may call with a user's cookie: our own, and those of configured origins. */

export interface Bound {
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
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['content-type', 'authorization', 'idempotency-key'],
  maxAge: 3600,
});

/**
 * The same for what everybody gets alike. Its headers are written to where they stand: a copy of the answer would pack
 * again what is packed already.
 */
export const publicCrossOrigin: MiddlewareHandler<Bound> = async (context, next) => {
  await next();
  const allowed = allowedOrigins(context.env);
  const { headers } = context.res;
  // What passed by `crossOrigin` says all of it.
  if (allowed.length === 0 || headers.get('vary')?.includes('Origin')) return;
  headers.append('vary', 'Origin');
  const origin = context.req.header('origin');
  if (origin === undefined || !allowed.includes(origin)) return;
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-credentials', 'true');
};

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Where a user of this service finds it: SITE_ORIGIN, whatever the request calls its host. A local copy may be opened
 * by any name of this machine, and a browser that comes back keeps its cookies only under the same name.
 */
export function siteOrigin<E extends Bound>({ req, env }: Pick<Context<E>, 'req' | 'env'>): string {
  const asked = new URL(req.url);
  return isLocal(env) && LOOPBACK.has(asked.hostname) ? asked.origin : env.SITE_ORIGIN;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for what a page of another site made a browser send; a caller that names no origin is no browser. */
export function isForeign({ req, env }: Context<Bound>): boolean {
  const origin = req.header('origin');
  const site = req.header('sec-fetch-site');
  return origin === undefined
    ? site !== undefined && site !== 'same-origin' && site !== 'none'
    : origin !== new URL(req.url).origin && !allowedOrigins(env).includes(origin);
}

/**
 * Refuses what another site makes a browser send: writes, and WebSockets, which no same-origin policy holds back.
 * Browsers name the origin of both; a caller that names none has nobody's cookie.
 */
export const sameOrigin: MiddlewareHandler<Bound> = async (context, next) => {
  const changes = !SAFE.has(context.req.method) || context.req.header('upgrade') !== undefined;
  if (changes && isForeign(context))
    throw new Refusal('forbidden', 'This call came from another site. Please use the service on its own pages.');
  await next();
};
