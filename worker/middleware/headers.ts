import type { MiddlewareHandler } from 'hono';

/**
 * Headers of every answer of the API: it is data, so nothing in it may load, run or be framed. Those of pages stand in
 * web/public/_headers, but for their policy, which follows the settings (worker/page-settings.ts).
 */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cross-origin-resource-policy': 'same-site',
};

/** Sets the headers; what a route has not declared cacheable is not stored anywhere. */
export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  // An upgrade's headers cannot be written to, and nothing of it is shown.
  if (context.res.status === 101) return;
  for (const [name, value] of Object.entries(HEADERS)) if (!context.res.headers.has(name)) context.header(name, value);
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
};
