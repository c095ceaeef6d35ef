import { env } from 'cloudflare:workers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readToken, seal, signToken, unseal } from '../../worker/configuration/signing.ts';
import { createUser } from '../../worker/models/accounts/accounts.ts';
import { TRIES } from '../../worker/models/accounts/tries.ts';
import { eventually } from '../support/eventually.ts';
import {
  bot,
  caller,
  db,
  insertUser,
  json,
  PASSWORD,
  person,
  production,
  send,
  signedInAdmin,
  signedInUser,
} from './client.ts';
import { newcomer } from './people.ts';
import { CALLS, pathOf } from './routes.ts';

/**
 * Finds any route that lost its guard, because the list of routes is the app's own. Also checks what
 * holds for every answer: headers, cookies, sizes and origins.
 */

const ROUTES = CALLS.map(({ method, path }) => ({ method, path: pathOf(path) }));

/** What anybody may call without signing in. */
const PUBLIC =
  /^\/v1\/(health|login|logout|account\/create|verify-email|password-reset|email-change|eula$|products|openapi|payment\/webhook|shared|share|reports\/shared|stats|leaderboard|(alliance|governor|kingdom)\/rankings|dashboards|cod-dashboards|cards|search|removals|texts|fleet|admin|config)/;

describe('every guarded route', () => {
  const guarded = ROUTES.filter(({ path }) => !PUBLIC.test(path));

  it('comes from a list of more than 25', () => {
    expect(guarded.length).toBeGreaterThan(25);
  });

  it.each(guarded)('$method $path needs a valid session', async ({ method, path }) => {
    const person = caller();
    const dead = await signToken(env, 'session', crypto.randomUUID(), Date.now() + 60_000);
    const mail = await signToken(env, 'reset', crypto.randomUUID(), Date.now() + 60_000);
    const none = `${btoa('{"alg":"none","kid":"test"}')}.${btoa('{"jti":"x","aud":"session"}')}.`;
    for (const token of [null, dead, mail, none, `${dead}x`]) {
      const headers = token === null ? {} : { cookie: `muster_session=${token}` };
      const body = method === 'POST' ? {} : undefined;
      const { status, success, msg } = await person.call(method, path, body, headers as Record<string, string>);
      expect({ status, success, msg }).toEqual({ status: 401, success: 0, msg: 'Please sign in first.' });
    }
  });

  it.each(ROUTES.filter(({ path }) => path.startsWith('/v1/fleet')))(
    '$method $path needs the token of a bot group',
    async ({ method, path }) => {
      const user = await signedInUser(0);
      for (const one of [caller(), user, caller({ authorization: 'Bearer not-a-token-of-any-group' })])
        expect((await one.call(method, path, method === 'POST' ? {} : undefined)).status).toBe(401);
    },
  );
});

describe('the admin area', () => {
  it('shows support the waiting mails without their links', async () => {
    const [support, admin] = [await person({ role: 'support' }), await signedInAdmin()];
    const { email } = await insertUser();
    expect((await caller().call('POST', '/v1/password-reset', { email })).status).toBe(200);
    const mailOf = async (who: typeof admin) =>
      (await who.call('GET', '/v1/admin/outbox')).data.mails.find(
        (mail: { recipient: string }) => mail.recipient === email,
      );
    expect((await mailOf(admin)).text).toContain('/password_reset');
    expect((await mailOf(support)).text).toBe('Only admins read what mails say.');
  });

  it('shows admins bots, orders, figures, the outbox and access codes', async () => {
    const admin = await signedInAdmin();
    const worker = await bot();
    await worker.call('POST', '/v1/fleet/heartbeat', { bot_id: 'b-1', account_game: 'rok' });
    const { data } = await admin.call('GET', '/v1/admin/bots/');
    expect(data.bots['test group'][0]).toMatchObject({ bot_id: 'b-1', account_game: 'rok', error: null });
    expect(data.summary['test group']).toEqual({ unknown: 1 });
    expect((await admin.call('GET', '/v1/admin/bots/b-1/')).data['test group']).toHaveLength(1);
    expect((await admin.call('GET', '/v1/admin/bots/b-9/')).status).toBe(404);
    await env.DB.prepare('UPDATE bots SET last_connected_at = 1').run();
    const offline = (await admin.call('GET', '/v1/admin/bots/')).data.bots.null;
    expect(offline[0]).toMatchObject({ bot_id: 'b-1', last_connected: null });

    const made = await admin.call('POST', '/v1/admin/access-codes', { max_uses: 2, note: 'friends' });
    expect(made.data.code).toMatch(/^MUSTER-[0-9A-F]{10}$/);
    const form = await newcomer({ access_code: made.data.code.toLowerCase() });
    expect((await caller().call('POST', '/v1/account/create', form)).status).toBe(200);
    const [code] = (await admin.call('GET', '/v1/admin/access-codes')).data;
    expect(code).toMatchObject({ code: made.data.code, uses: 1, max_uses: 2, note: 'friends' });
    expect((await admin.call('DELETE', `/v1/admin/access-codes/${code.id}`)).status).toBe(200);
    expect((await admin.call('DELETE', `/v1/admin/access-codes/${code.id}`)).status).toBe(404);
    const { mails } = (await admin.call('GET', '/v1/admin/outbox')).data;
    expect(mails[0]).toMatchObject({ recipient: form.email, subject: 'Verify your e-mail address' });
    expect((await admin.call('GET', '/v1/admin/orders/')).data).toEqual({ orders: [], next: null });
    expect((await admin.call('GET', '/v1/admin/figures')).data).toMatchObject({ orders_last_day: 0, bots_online: 0 });
  });

  it('ends the sessions of a user', async () => {
    const [admin, user] = [await signedInAdmin(), await signedInUser(0)];
    const end = (username: string) => admin.call('POST', '/v1/admin/sign-out', { username });
    expect((await end('nobody-of-that-name')).status).toBe(404);
    expect((await end(user.username)).data).toEqual({ ended: 1 });
    expect((await user.call('GET', '/v1/account')).status).toBe(401);
    expect((await admin.call('GET', '/v1/account')).status).toBe(200);
  });

  it('ends the sessions of everybody', async () => {
    const [admin, user] = [await signedInAdmin(), await signedInUser(0)];
    expect((await admin.call('POST', '/v1/admin/sign-out', { username: null })).data.ended).toBeGreaterThan(1);
    for (const one of [admin, user]) expect((await one.call('GET', '/v1/account')).status).toBe(401);
  });
});

describe('guessing', () => {
  it('is stopped by the limit even with 300 passwords', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { username } = await insertUser();
    const guess = (tries: number) => caller().call('POST', '/v1/login', { username, password: `wrong ${tries}` });
    const statuses: number[] = [];
    for (let from = 0; from < 300; from += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(from + index)));
      statuses.push(...answers.map(({ status }) => status));
    }
    const answered = statuses.filter((status) => status === 401).length;
    expect(answered).toBeLessThanOrEqual(TRIES.password);
    expect(statuses.filter((status) => status === 429)).toHaveLength(300 - answered);
    expect((await caller().call('POST', '/v1/login', { username, password: PASSWORD })).status).toBe(429);
  }, 60_000);

  it('from one address is limited too, with a Retry-After header', async () => {
    const headers = { 'cf-connecting-ip': '192.0.2.1' };
    let last = new Response();
    for (let tries = 0; tries < 140 && last.status !== 429; tries++)
      last = await send('/v1/login', json({ username: `n-${tries}` }, headers), production());
    expect(last.status).toBe(429);
    expect(last.headers.get('retry-after')).toBe('60');
  });

  it('takes as long for a known name as for an unknown one', async () => {
    const time = async (username: string) => {
      const start = performance.now();
      expect((await caller().call('POST', '/v1/login', { username, password: 'wrong' })).status).toBe(401);
      return performance.now() - start;
    };
    // Other work on the machine may lengthen one side in one try, but a real difference shows in each.
    await eventually(async () => {
      const username = `known-${crypto.randomUUID().slice(0, 8)}`;
      await createUser(db, { username, email: `${username}@mail.example`, password: PASSWORD });
      const [known, unknown]: [number[], number[]] = [[], []];
      for (let round = 0; round < 3; round++) {
        known.push(await time(username));
        unknown.push(await time(`no-${username}`));
      }
      const ratio = Math.min(...known) / Math.min(...unknown);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    });
  });
});

describe('other sites', () => {
  it('cannot write with a user’s cookie or open their sockets', async () => {
    const user = await signedInUser();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      const { status } = await user.call('POST', '/v1/account/sessions/end-others', undefined, headers);
      expect(status).toBe(403);
    }
    const socket = { upgrade: 'websocket', origin: 'https://evil.example' };
    expect((await user.fetch('/v1/orders/live?orders=1', { headers: socket })).status).toBe(403);
    const own = { origin: 'http://muster.test' };
    expect((await user.call('POST', '/v1/account/sessions/end-others', undefined, own)).status).toBe(200);
  });

  it('get CORS headers only if they are configured', async () => {
    const bindings = production({ ALLOWED_ORIGINS: 'https://app.test, https://two.test' });
    const preflight = (origin: string) =>
      send(
        '/v1/order/create',
        { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } },
        bindings,
      );
    const allowed = await preflight('https://two.test');
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://two.test');
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    const methods = new Set(ROUTES.map(({ method }) => method));
    expect(allowed.headers.get('access-control-allow-methods')?.split(',').sort()).toEqual([...methods].sort());
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const call = await send('/v1/logout', json({}, { origin: 'https://two.test' }), bindings);
    expect([call.status, call.headers.get('vary')]).toEqual([200, 'Origin']);
  });

  it.each([
    '/v1/stats/global',
    '/v1/dashboards',
    '/v1/governor/rankings/rok?type=power',
    '/v1/governor/rankings/rok?type=x',
  ])('may read the public %s if they are configured', async (path) => {
    const bindings = production({ ALLOWED_ORIGINS: 'https://app.test, https://two.test' });
    const read = async (headers: Record<string, string>) => {
      const answer = await send(path, { headers }, bindings);
      await answer.body?.cancel();
      return [
        answer.headers.get('access-control-allow-origin'),
        answer.headers.get('access-control-allow-credentials'),
        answer.headers.get('vary'),
      ];
    };
    const plain = await send(path, {}, production());
    await plain.body?.cancel();
    const before = plain.headers.get('vary');
    const vary = before === null ? 'Origin' : `${before}, Origin`;
    expect(await read({ origin: 'https://two.test' })).toEqual(['https://two.test', 'true', vary]);
    expect(await read({ origin: 'https://two.test.evil.example' })).toEqual([null, null, vary]);
    expect(await read({})).toEqual([null, null, vary]);
    const unset = await send(path, { headers: { origin: 'https://two.test' } }, production({ ALLOWED_ORIGINS: '' }));
    expect(unset.headers.get('access-control-allow-origin')).toBeNull();
    expect(unset.headers.get('vary')).toBe(before);
    await unset.body?.cancel();
  });
});

describe('every answer', () => {
  it.each([
    '/v1/health',
    '/v1/account',
    '/v1/nothing',
    '/v1/stats/global',
    '/v1/governor/rankings',
    '/v1/governor/rankings?type=honour',
    '/v1/kingdom/rankings/chess',
  ])('of %s has the security headers', async (path) => {
    const { headers } = await caller().fetch(path);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* frame-ancestors 'none'$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=63072000/);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('to a user is never cached', async () => {
    const user = await signedInUser(0);
    expect((await user.fetch('/v1/account')).headers.get('cache-control')).toBe('no-store');
  });

  it('over TLS binds its cookies to the host', async () => {
    const { username } = await insertUser();
    const response = await send('/v1/login', json({ username, password: PASSWORD }), production());
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-muster_session=.*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const plain = cookie.split(';')[0]?.replace('__Host-', '') ?? '';
    expect((await send('/v1/account', { headers: { cookie: plain } }, production())).status).toBe(401);
  });

  it('to a body of more than 1 MB is a refusal, even without a declared length', async () => {
    const big = JSON.stringify({ username: 'x'.repeat(1_100_000) });
    expect((await caller().call('POST', '/v1/login', big)).status).toBe(413);
    const stream = new Blob([big]).stream();
    const response = await send('/v1/login', { method: 'POST', body: stream }, production());
    expect(response.status).toBe(413);
  });
});

describe('configuration', () => {
  it('keeps tokens of an old key valid until the key is removed', async () => {
    const keys = (current: string, ...ids: string[]) => ({
      SESSION_KEYS: JSON.stringify({
        current,
        keys: Object.fromEntries(ids.map((id) => [id, id.repeat(43).slice(0, 43)])),
      }),
    });
    const token = await signToken(keys('a', 'a'), 'session', 'row', Date.now() + 60_000);
    expect(await readToken(keys('b', 'a', 'b'), 'session', token)).toEqual({ id: 'row', expired: false });
    expect(await readToken(keys('b', 'b'), 'session', token)).toBeNull();
    const sealed = await seal(keys('a', 'a'), 'owner', 'secret');
    expect(await unseal(keys('b', 'a', 'b'), 'owner', sealed)).toBe('secret');
    await expect(unseal(keys('b', 'a', 'b'), 'another', sealed)).rejects.toThrow();
  });
});
