import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { json, PASSWORD, type Person, scanOf, send, signedInUser } from './client.ts';
import { fileOf, keep } from './own-scans.ts';
import { cell } from './people.ts';

/** A call that storage fails gets a 503 with a Retry-After, changes nothing, and works later. */

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

/** The object, with some of its methods failing. */
const failing = <Thing extends object>(thing: Thing, methods: readonly string[], message: string): Thing =>
  new Proxy(thing, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (methods.includes(String(name))) return () => Promise.reject(new Error(message));
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const answer: unknown = value.apply(target, given);
        // Statements and sessions fail like their database; their results are data.
        const isPart = ['prepare', 'bind', 'withSession'].includes(String(name));
        return isPart ? failing(answer as object, methods, message) : answer;
      };
    },
  });

const cookieOf = async ({ username }: Person): Promise<string> => {
  const answer = await send('/v1/login', json({ username, password: PASSWORD }), env);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
};

const FULL = 'D1_ERROR: database or disk is full: SQLITE_FULL';
const WRITES = ['run', 'batch', 'exec'];
const fullDatabase = () => ({ ...env, DB: failing(env.DB, WRITES, FULL) });
const awayStore = () => ({
  ...env,
  STORE: failing(env.STORE, ['get', 'head'], 'get: We encountered an internal error. Please try again. (10001)'),
});
const fullStore = (message: string) => ({ ...env, STORE: failing(env.STORE, ['put'], message) });
const order = json({ orders: [scanOf([9777])] });
const FILE = fileOf([{ id: 1 }]);
const upload = { method: 'POST', body: FILE, headers: { 'content-length': String(FILE.length) } };
const IMPORT = '/v1/scans/import?name=4001_2026-02-01.csv';

it.each<[string, () => typeof env, string, RequestInit, string]>([
  ['an order, the database full', fullDatabase, '/v1/order/create', order, 'orders'],
  [
    'an order, the database away',
    () => ({ ...env, DB: failing(env.DB, WRITES, 'D1_ERROR: Network connection lost.') }),
    '/v1/order/create',
    order,
    'orders',
  ],
  [
    'an order, the database read-only',
    () => ({ ...env, DB: failing(env.DB, WRITES, 'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY') }),
    '/v1/order/create',
    order,
    'orders',
  ],
  ['a file, a local disk full', () => fullStore('put: Unspecified error (0)'), IMPORT, upload, 'imports'],
  [
    'a file, the bucket failing',
    () => fullStore('put: We encountered an internal error. Please try again. (10001)'),
    IMPORT,
    upload,
    'imports',
  ],
])('%s', async (_, bindings, path, init, table) => {
  const user = await signedInUser();
  const headers = { ...(init.headers as Record<string, string>), cookie: await cookieOf(user) };
  const rows = () => cell<number>(`SELECT count(*) FROM ${table} WHERE user_id = ?`, user.id);
  const refused = await send(path, { ...init, headers }, bindings());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await refused.json()).toMatchObject({ success: 0, msg: expect.stringContaining('try again in a minute') });
  expect(await rows()).toBe(0);
  expect((await send(path, { ...init, headers }, env)).status).toBe(200);
  expect(await rows()).toBe(1);
});

it('a download, the bucket failing, sends no part of a file', async () => {
  const user = await signedInUser();
  const headers = { cookie: await cookieOf(user) };
  const [scan] = await keep(user, '4001_2026-02-01.csv', FILE);
  const path = `/v1/scans/${scan}/download?type=csv`;
  const refused = await send(path, { headers }, awayStore());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await refused.json()).toMatchObject({ success: 0, msg: expect.stringContaining('try again in a minute') });
  expect((await send(path, { headers }, env)).status).toBe(200);
});

it('a public search, the bucket failing, is kept by no cache', async () => {
  const { status, headers } = await send('/v1/leaderboard/search?q=iron', {}, awayStore());
  const caching = ['cache-control', 'cloudflare-cdn-cache-control', 'cache-tag'].map((name) => headers.get(name));
  expect([status, ...caching]).toEqual([503, 'no-store', null, null]);
});

it('a bug of ours does not count as a storage failure', async () => {
  const user = await signedInUser();
  const headers = { ...(order.headers as Record<string, string>), cookie: await cookieOf(user) };
  const bindings = { ...env, DB: failing(env.DB, WRITES, 'D1_ERROR: near "SELEC": syntax error: SQLITE_ERROR') };
  expect((await send('/v1/order/create', { ...order, headers }, bindings)).status).toBe(500);
});
