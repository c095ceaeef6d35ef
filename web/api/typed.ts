import { hc } from 'hono/client';
import type { AppType } from '../../worker/app.ts';
import { apiBase, callHeaders } from './client.ts';

// Pages that the Worker renders import it, but call nothing by it.
const origin = typeof document === 'undefined' ? '' : apiBase() || location.origin;

/** The typed client of all routes. A separate file, because a visitor's first page needs no typed call. */
export const api = hc<AppType>(origin, {
  headers: () => ({ accept: 'application/json', ...callHeaders() }),
  init: { credentials: 'include' },
}).v1;
