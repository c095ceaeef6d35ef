import type { Scope } from '../../domain/accounts/account.ts';

/**
 * What API keys open, and with which scope; everything else (accounts, keys, money, admin, the fleet) takes a session
 * or another credential. A new route is closed to keys until it stands here.
 */
const OPEN: readonly { method: 'GET' | 'POST'; path: RegExp; scope: Scope }[] = [
  { method: 'GET', path: /^\/v1\/orders(\/|$)/, scope: 'read' },
  { method: 'GET', path: /^\/v1\/order\//, scope: 'read' },
  { method: 'GET', path: /^\/v1\/products\/[^/]+\/kingdoms\/?$/, scope: 'read' },
  { method: 'GET', path: /^\/v1\/monitored\//, scope: 'read' },
  { method: 'GET', path: /^\/v1\/governors?\//, scope: 'read' },
  { method: 'GET', path: /^\/v1\/lords?\//, scope: 'read' },
  { method: 'GET', path: /^\/v1\/kingdoms?\//, scope: 'read' },
  { method: 'GET', path: /^\/v1\/servers?\//, scope: 'read' },
  { method: 'GET', path: /^\/v1\/history\//, scope: 'read' },
  { method: 'POST', path: /^\/v1\/order\/create\/?$/, scope: 'order' },
  { method: 'POST', path: /^\/v1\/order\/[^/]+\/(repair|cancel)\/?$/, scope: 'order' },
];

/** The scope that a key needs for a call, or null where no key opens it. */
export const scopeFor = (method: string, path: string): Scope | null =>
  OPEN.find((row) => row.method === method && row.path.test(path))?.scope ?? null;
