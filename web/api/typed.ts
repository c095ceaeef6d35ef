import { hc } from 'hono/client';
import type { AppType } from '../../worker/app.ts';
import { API_BASE } from './client.ts';

/** The typed client of all routes. A separate file, because a visitor's first page needs no typed call. */
export const api = hc<AppType>(API_BASE || location.origin, {
  headers: { accept: 'application/json' },
  init: { credentials: 'include' },
}).v1;
