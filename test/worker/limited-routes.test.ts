import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, makeKey, PASSWORD, person, scanOf, signedInUser } from './client.ts';
import { LIMITS } from './clocked-limit.ts';
import { CALLS, nameOf, pathOf } from './routes.ts';

/**
 * The limits that each route checks, and their keys. Finds any route that lost its limit or uses one key for all
 * callers, because the list of routes is the app's own.
 */

/** One of many addresses in its network, so limits must use the network as key. */
const ADDRESS = '2001:db8:7::7';
const NETWORK = '2001:db8:7:0::/64';
const asked: string[] = [];
let user: Awaited<ReturnType<typeof signedInUser>>;

/** Replaces the caller's ids by words. */
const inWords = (limit: string): string =>
  limit
    .replace(user.id, '<user>')
    .replace(NETWORK, '<network>')
    .replace(/session:.+/, 'session:<session>');

/** The limits checked since the last call. */
const counted = (): string[] => asked.splice(0).map(inWords);

/** The attempts counted in the database since the last call. */
const tried = async (): Promise<string[]> => {
  const { results } = await env.DB.prepare('DELETE FROM tries RETURNING key').all<{ key: string }>();
  return results.map(({ key }) => inWords(key)).sort();
};

beforeAll(async () => {
  user = await signedInUser();
  for (const name of Object.keys(LIMITS))
    Reflect.set(env, name, {
      limit: async ({ key }: RateLimitOptions) => {
        asked.push(`${name} ${key}`);
        return { success: true };
      },
    });
});

const from = { 'cf-connecting-ip': ADDRESS };
const ROUTES = CALLS.map((call) => ({ route: nameOf(call), method: call.method, path: pathOf(call.path) }));

/** Checked before the call is read. Bots are counted by group, before all of their routes (limits.test.ts). */
const FIRST: Readonly<Record<string, string[]>> = {
  'COMPARE_USER <user>': [
    'GET /v1/compare',
    'GET /v1/compare/export',
    'GET /v1/compare/line',
    'GET /v1/compare/table',
    'GET /v1/reports/:report_id/export',
    'GET /v1/scans/search',
  ],
  'COMPARE_USER shared <network>': [
    'GET /v1/reports/shared/:token',
    'GET /v1/reports/shared/:token/card.png',
    'GET /v1/reports/shared/:token/export',
  ],
  'DOWNLOAD_USER <network>': ['GET /v1/shared/:token/card.png', 'GET /v1/shared/:token/download'],
  'DOWNLOAD_USER <user>': [
    'GET /v1/order/:id/combined',
    'GET /v1/order/:id/download',
    'GET /v1/scans/:scan_id/download',
  ],
  'IMPORT_USER <user>': [
    'POST /v1/scans/import',
    'POST /v1/scans/import/:import_id/preview',
    'POST /v1/scans/import/:import_id/save',
  ],
  'LOGIN_ADDRESS <network>': ['POST /v1/login'],
  'NOTIFY_USER <user>': ['POST /v1/account/notifications/test'],
  'ORDER_USER <user>': ['GET /v1/products/:product_id/kingdoms', 'POST /v1/order/:id/repair', 'POST /v1/order/create'],
  'PAYMENT_USER <user>': [
    'GET /v1/payment/portal',
    'GET /v1/payment/receipt/:payment_id',
    'POST /v1/payment/checkout',
    'POST /v1/payment/status',
  ],
  'DASHBOARD_ADDRESS <network>': [
    'GET /v1/leaderboard/alliance/:kingdom/:tag',
    'GET /v1/leaderboard/alliance/:kingdom/:tag/card.png',
    'GET /v1/leaderboard/governor/:id',
    'GET /v1/leaderboard/governor/:id/card.png',
    'GET /v1/leaderboard/kingdom/:id',
    'GET /v1/leaderboard/kingdom/:id/card.png',
  ],
  'REGISTER_ADDRESS <network>': [
    'POST /v1/account/create',
    'POST /v1/email-change/stop',
    'POST /v1/password-reset',
    'POST /v1/password-reset/confirm',
    'POST /v1/removals',
    'POST /v1/verify-email',
  ],
  'REPORT_USER <user>': ['POST /v1/order/:id/report'],
  'REPORT_USER export <user>': ['GET /v1/account/export'],
  'SCHEDULE_USER <user>': [
    'POST /v1/orders/scheduled/:schedule_id/edit',
    'POST /v1/orders/scheduled/:schedule_id/end',
    'POST /v1/orders/scheduled/:schedule_id/pause',
    'POST /v1/orders/scheduled/:schedule_id/resume',
  ],
  'SEARCH_ADDRESS <network>': ['GET /v1/leaderboard/search', 'GET /v1/search'],
  'SHARE_USER <user>': [
    'POST /v1/order/:id/shares',
    'POST /v1/reports/:report_id/links',
    'POST /v1/teams',
    'POST /v1/teams/:team_id/invites',
    'POST /v1/teams/:team_id/library',
    'POST /v1/teams/invites/:token',
  ],
};

const LIMITED_READS = ROUTES.filter(
  ({ route, method }) =>
    method === 'GET' &&
    Object.entries(FIRST).some(([limit, routes]) => /_USER (export )?<user>/.test(limit) && routes.includes(route)),
);

describe('a route', () => {
  it('checks its expected limits, each with its own key', async () => {
    const found = new Map<string, string[]>();
    for (const { route, method, path } of ROUTES) {
      if (path === '/v1/logout' || path.startsWith('/v1/fleet')) continue;
      asked.length = 0;
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
      const response = await user.fetch(path, {
        method,
        headers: { ...from, 'content-type': 'application/json' },
        ...(body ? { body } : {}),
      });
      await response.body?.cancel();
      for (const limit of counted()) found.set(limit, [...(found.get(limit) ?? []), route].sort());
    }
    expect(Object.fromEntries([...found].sort())).toEqual(FIRST);
  });
});

it('no route counts a cookie whose session has ended, or a revoked key, for its former user', async () => {
  const gone = await signedInUser();
  const { id, key } = (await makeKey(gone, ['read', 'compare'])).data;
  const byKey = caller({ authorization: `Bearer ${key}` });
  expect((await byKey.call('GET', '/v1/orders/')).status).toBe(200);
  await gone.call('DELETE', `/v1/account/keys/${id}`);
  await env.DB.prepare('DELETE FROM sessions WHERE user_id = ?').bind(gone.id).run();
  asked.length = 0;
  const statuses = new Set<number>();
  for (const { method, path } of LIMITED_READS)
    for (const who of [gone, byKey]) statuses.add((await who.call(method, path, undefined, from)).status);
  expect(asked).toEqual([]);
  expect([...statuses].sort()).toEqual([401]);
});

describe('proof of identity', () => {
  const signedIn = (path: string, body: object) => async () => {
    await user.call('POST', path, { current_password: 'wrong', ...body }, from);
  };
  it.each<[string, () => Promise<unknown>, string[]]>([
    [
      'for a change of password',
      signedIn('/v1/account/password', { password: `${PASSWORD} too` }),
      ['password session:<session>'],
    ],
    [
      'for a change of address',
      signedIn('/v1/account/email', { email: 'new@example.com' }),
      ['password session:<session>'],
    ],
    ['for deletion of the account', signedIn('/v1/account/delete', { username: 'x' }), ['password session:<session>']],
    [
      'for a new API key',
      signedIn('/v1/account/keys', { name: 'x', scopes: ['read'] }),
      ['password session:<session>'],
    ],
    ['to start a second factor', signedIn('/v1/account/two-factor/start', {}), ['password session:<session>']],
    [
      'to end a second factor',
      signedIn('/v1/account/two-factor/end', { code: '123456' }),
      ['password session:<session>'],
    ],
    [
      'to confirm a second factor',
      () => user.call('POST', '/v1/account/two-factor/confirm', { code: '123456' }, from),
      ['password session:<session>'],
    ],
    [
      'at sign-in',
      () => caller().call('POST', '/v1/login', { username: 'SomeBody', password: 'wrong' }, from),
      ['LOGIN_ADDRESS <network>', 'password name:somebody'],
    ],
    [
      'for a password reset',
      () => caller().call('POST', '/v1/password-reset', { email: 'Some@Body.example' }, from),
      ['REGISTER_ADDRESS <network>', 'mail to:some@body.example'],
    ],
  ])('%s', async (_, act, limits) => {
    asked.length = 0;
    await tried();
    await act();
    expect([...counted(), ...(await tried())]).toEqual(limits);
  });

  it('for a change of address counts for the user and for the new address', async () => {
    const other = await person();
    await tried();
    await other.call('POST', '/v1/account/email', { current_password: PASSWORD, email: 'New@Example.com' }, from);
    expect(await tried()).toEqual([`mail from:${other.id}`, 'mail to:new@example.com', 'password session:<session>']);
  });
});

it('visitors of a link are limited even if the platform gives no address', async () => {
  asked.length = 0;
  for (const path of ['/v1/shared/x/download?type=csv', '/v1/reports/shared/x']) await caller().call('GET', path);
  expect(counted()).toEqual(['DOWNLOAD_USER nobody', 'COMPARE_USER shared ']);
});

it('an order counts towards its limit before it is priced', async () => {
  asked.length = 0;
  await user.call('POST', '/v1/order/create', { orders: [scanOf([1])] }, from);
  expect(counted()).toEqual(['ORDER_USER <user>']);
});
