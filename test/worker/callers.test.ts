import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import { signToken } from '../../worker/configuration/signing.ts';
import type { Env } from '../../worker/env.ts';
import { userById } from '../../worker/models/accounts/accounts.ts';
import { openSession } from '../../worker/models/accounts/sessions.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import {
  caller,
  db,
  insertUser,
  makeKey,
  PASSWORD,
  person,
  production,
  scanOf,
  send,
  signedInAdmin,
} from './client.ts';
import { cell, withSecondFactor } from './people.ts';

/** What callers must have: a second factor, a licence, a token or an active session. */

const HOUR = 3_600_000;

/** A session of a new user, and the cookie that names it. */
async function session(about: Parameters<typeof insertUser>[0], twoFactor = false) {
  const user = await userById(db, (await insertUser(about)).id);
  if (!user) throw new Error('a user expected');
  const id = await openSession(db, { user, userAgent: 'test', address: '', twoFactor });
  const cookie = `__Host-muster_session=${await signToken(env, 'session', `${id}.${user.id}`, Date.now() + HOUR)}`;
  return { id, cookie };
}

describe('the admin area of a deployment', () => {
  const asked = async ({ cookie }: { cookie: string }, bindings: Env) => {
    const response = await send('/v1/admin/figures', { headers: { cookie } }, bindings);
    const { msg } = (await response.json()) as { msg?: string };
    return [response.status, msg];
  };
  const local: Env = { ...env };

  it('needs a second factor at this sign-in, except in a local copy', async () => {
    const without = await session({ role: 'admin' });
    expect(await asked(without, production())).toEqual([
      403,
      'Admin pages require two-factor sign-in. Set it up under My Account.',
    ]);
    expect((await asked(without, local))[0]).toBe(200);
    expect((await asked(await session({ role: 'admin' }, true), production()))[0]).toBe(200);
  });

  it('opens its metrics to a key only while its owner has a second factor, except in a local copy', async () => {
    const admin = await signedInAdmin();
    const { key } = (await makeKey(admin, ['metrics'])).data;
    const status = async (bindings: Env) =>
      (await send('/v1/admin/metrics', { headers: { authorization: `Bearer ${key}` } }, bindings)).status;
    // Twice, because a known key is looked up while its call is answered.
    expect([await status(production()), await status(production()), await status(local)]).toEqual([403, 403, 200]);
    await withSecondFactor(admin);
    expect([await status(production()), await status(production())]).toEqual([200, 200]);
  });

  it('does not exist for other users', async () => {
    for (const other of [await session({}), await session({}, true)])
      for (const bindings of [production(), local]) expect((await asked(other, bindings))[0]).toBe(404);
    expect((await asked({ cookie: '' }, production()))[0]).toBe(404);
  });
});

it('an order needs the current version of the licence', async () => {
  const status = async (eula_version: number) => {
    const user = await person({ eula_version });
    return (await user.call('POST', '/v1/order/create', { orders: [scanOf([1])], scheduleInfo: null })).status;
  };
  expect([await status(FIRST_LICENCE_VERSION - 1), await status(FIRST_LICENCE_VERSION)]).toEqual([403, 402]);
});

describe('an active session', () => {
  it('is extended at most once an hour, in the database and in the browser', async () => {
    const { id, cookie } = await session({});
    const use = async () => {
      const response = await send('/v1/account', { headers: { cookie } }, env);
      expect(response.status).toBe(200);
      return response.headers.getSetCookie().filter((line) => line.startsWith('__Host-muster_session=')).length;
    };
    const seen = () => cell<number>('SELECT last_seen_at FROM sessions WHERE id = ?', id);
    const opened = await seen();
    expect([await use(), await seen()]).toEqual([0, opened]);
    const before = Date.now() - HOUR - 1000;
    await env.DB.prepare('UPDATE sessions SET last_seen_at = ? WHERE id = ?').bind(before, id).run();
    expect(await use()).toBe(1);
    expect(await seen()).toBeGreaterThanOrEqual(opened);
    expect(await use()).toBe(0);
  });
});

describe('the token of a bot group', () => {
  const lease = (token: string, scheme = 'Bearer') =>
    caller({ authorization: `${scheme} ${token}` }).call('POST', '/v1/fleet/lease', {
      bot_id: 'b',
      games: ['rok'],
      count: 1,
    });
  const group = (token: string) => createGroup(db, crypto.randomUUID(), 'test group', token);

  it('has 16 to 200 characters', async () => {
    const statuses: number[] = [];
    for (const length of [15, 16, 200, 201]) {
      const token = crypto.randomUUID().replaceAll('-', '').repeat(7).slice(0, length);
      await group(token);
      statuses.push((await lease(token)).status);
    }
    expect(statuses).toEqual([401, 200, 200, 401]);
  });

  it('works as soon as it exists, even after a refusal', async () => {
    const token = crypto.randomUUID();
    expect(await lease(token)).toMatchObject({ status: 401, msg: 'This call needs the bearer token of a bot group.' });
    await group(token);
    expect((await lease(token)).status).toBe(200);
    expect((await lease(token, 'Basic')).status).toBe(401);
    expect((await lease(` ${token}`)).status).toBe(401);
  });
});

it('an allowed origin may send our headers, and caches the preflight for an hour', async () => {
  const { headers } = await send(
    '/v1/order/create',
    {
      method: 'OPTIONS',
      headers: { origin: 'https://app.test', 'access-control-request-method': 'POST' },
    },
    production({ ALLOWED_ORIGINS: 'https://app.test' }),
  );
  expect(headers.get('access-control-allow-headers')?.split(',').sort()).toEqual([
    'authorization',
    'content-type',
    'idempotency-key',
    'if-none-match',
    'if-range',
    'range',
    'x-bookmark',
  ]);
  expect(headers.get('access-control-max-age')).toBe('3600');
});

it.each([
  ['an answer', '/v1/account', 200],
  ['a public answer', '/v1/stats/global', 200],
  ['a refusal', '/v1/nothing', 404],
])('pages of an allowed origin can read the headers of %s that its body lacks', async (_, path, expected) => {
  const { cookie } = await session({});
  const asked = { headers: { cookie, origin: 'https://app.test' } };
  const answer = await send(path, asked, production({ ALLOWED_ORIGINS: 'https://app.test' }));
  await answer.body?.cancel();
  expect(answer.status).toBe(expected);
  expect(answer.headers.get('access-control-expose-headers')?.split(',')).toEqual(
    expect.arrayContaining(['content-disposition', 'etag', 'ratelimit', 'retry-after', 'x-bookmark', 'x-request-id']),
  );
});

it('pages of an allowed origin can read that their session has ended', async () => {
  const { id, cookie } = await session({});
  await env.DB.prepare('DELETE FROM sessions WHERE id = ?').bind(id).run();
  const asked = { headers: { cookie, origin: 'https://app.test' } };
  const { status, headers } = await send('/v1/orders', asked, production({ ALLOWED_ORIGINS: 'https://app.test' }));
  expect([status, headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.test']);
  expect([headers.get('access-control-allow-credentials'), headers.get('vary')]).toEqual(['true', 'Origin']);
});

it('an API key needs the scheme Bearer in any case, and other tokens are not keys', async () => {
  const user = await person();
  const { data } = await user.call('POST', '/v1/account/keys', {
    name: 'k',
    scopes: ['read'],
    current_password: PASSWORD,
  });
  const status = async (authorization: string) => (await caller({ authorization }).call('GET', '/v1/orders/')).status;
  expect([await status(`Bearer ${data.key}`), await status(`bearer ${data.key}`)]).toEqual([200, 200]);
  for (const other of [`Basic ${data.key}`, `Bearer x${data.key}`, 'Bearer', `Bearer ${data.key} x`])
    expect(await status(other)).toBe(401);
  // A token that does not look like a key is ignored, and the cookie counts.
  expect((await user.call('GET', '/v1/account', undefined, { authorization: 'Bearer other' })).status).toBe(200);
  expect((await user.call('GET', '/v1/account', undefined, { authorization: `Bearer ${data.key}x` })).status).toBe(401);
});
