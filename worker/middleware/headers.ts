import type { MiddlewareHandler } from 'hono';

/**
 * Headers of every API response: data that must not load, run or be framed. Headers of pages are in
 * web/public/_headers, except their policy, which depends on the settings (worker/configuration/page-settings.ts).
 */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cross-origin-resource-policy': 'same-site',
};

/** Sets the headers. Responses are not stored unless their route declares them cacheable. */
export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  // The headers of a WebSocket upgrade are immutable, and no browser renders it.
  if (context.res.status === 101) return;
  for (const [name, value] of Object.entries(HEADERS)) if (!context.res.headers.has(name)) context.header(name, value);
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
};
