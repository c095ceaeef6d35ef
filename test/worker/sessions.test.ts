import { env } from 'cloudflare:workers';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import { createUser } from '../../worker/models/accounts/accounts.ts';
import { caller, db, PASSWORD, person, signedInUser } from './client.ts';

describe('sign-in', () => {
  it('returns the user and keeps them signed in until they sign out on the server', async () => {
    await createUser(db, { username: 'Ada', email: 'ada@example.com', password: 'correct horse', full_name: 'Ada L.' });
    const ada = caller();
    const login = await ada.call('POST', '/v1/login', { username: 'ADA', password: 'correct horse' });
    expect(login).toMatchObject({ status: 200, data: { user: 'Ada', role: 'user', eula_accepted: false, balance: 0 } });
    const account = await ada.call('GET', '/v1/account');
    expect(account.data).toMatchObject({ email: 'ada@example.com', stripe_customer_url: null });
    // After a second sign-in the browser still has one session.
    await ada.call('POST', '/v1/login', { username: 'Ada', password: 'correct horse' });
    expect((await ada.call('GET', '/v1/account/sessions')).data).toEqual([expect.objectContaining({ current: true })]);
    await ada.call('POST', '/v1/logout');
    expect((await ada.call('GET', '/v1/account')).status).toBe(401);
  });

  it('tells whether the current licence is accepted, ignoring older ones', async () => {
    const user = await person({ eula_version: FIRST_LICENCE_VERSION - 1 });
    expect((await user.signIn()).data).toMatchObject({ eula_accepted: false });
    expect((await (await signedInUser()).signIn()).data).toMatchObject({ eula_accepted: true });
  });

  it('sets a cookie that scripts cannot read, and copies of it die with the session', async () => {
    const username = 'Bob';
    await createUser(db, { username, email: 'bob@example.com', password: 'correct horse' });
    const response = await caller().fetch('/v1/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse' }),
    });
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('muster_session')) ?? '';
    expect(line).toMatch(/HttpOnly/);
    expect(line).toMatch(/SameSite=Lax/);
    // A new caller each time, so that none keeps or loses a cookie by an answer.
    const stolen = () => caller({ cookie: line.split(';')[0] ?? '' });
    expect((await stolen().call('GET', '/v1/account')).status).toBe(200);
    await stolen().call('POST', '/v1/logout');
    expect((await stolen().call('GET', '/v1/account')).status).toBe(401);
  });

  it('is listed with the browser and address that it was opened with', async () => {
    const { username } = await person();
    const from = { 'user-agent': 'Made-up browser 7', 'cf-connecting-ip': '203.0.113.44' };
    const browser = caller(from);
    await browser.call('POST', '/v1/login', { username, password: PASSWORD });
    const [listed] = (await browser.call('GET', '/v1/account/sessions')).data.filter(
      ({ current }: { current: boolean }) => current,
    );
    expect(listed).toMatchObject({ user_agent: 'Made-up browser 7', address: '203.0.113.44', two_factor: false });
  });

  it('ends the least recently used of more than a hundred sessions, so that all are listed', async () => {
    const user = await person();
    await env.DB.prepare(
      `INSERT INTO sessions (id, user_id, created_at, last_seen_at, expires_at, user_agent, address, two_factor)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
       SELECT ?1 || i, ?1, ?2 - i, ?2 - i, ?2 + 1000000, '', '', 0 FROM n`,
    )
      .bind(user.id, Date.now() - 60_000)
      .run();
    const browser = caller();
    await browser.call('POST', '/v1/login', { username: user.username, password: PASSWORD });
    const { results } = await env.DB.prepare('SELECT id FROM sessions WHERE user_id = ?').bind(user.id).all();
    expect(results.map(({ id }) => id)).not.toContain(`${user.id}100`);
    expect((await browser.call('GET', '/v1/account/sessions')).data).toHaveLength(results.length);
    expect(results).toHaveLength(100);
  });

  it.each([
    ['a wrong password', { username: 'Carol', password: 'wrong' }, 401, 'The username or password is wrong.'],
    ['an unknown name', { username: 'nobody', password: 'wrong' }, 401, 'The username or password is wrong.'],
    ['no password', { username: 'Carol' }, 400, /^password: /],
    ['a password that is no text', { username: 'Carol', password: 7 }, 400, /^password: /],
    ['half a body', '{"username":', 400, /json/i],
  ])('refuses %s', async (_, body, status, msg) => {
    const answer = await caller().call('POST', '/v1/login', body);
    expect(answer).toMatchObject({
      status,
      success: 0,
      msg: typeof msg === 'string' ? msg : expect.stringMatching(msg),
    });
  });

  it('refuses tokens of another key, of no algorithm, or tampered with', async () => {
    const person = await signedInUser();
    const { id: session } = (await env.DB.prepare(`SELECT id FROM sessions WHERE user_id = ?`)
      .bind(person.id)
      .first()) as { id: string };
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', kid: 'test' })
      .setJti(session)
      .sign(new Uint8Array(32));
    const none = `${btoa('{"alg":"none","kid":"test"}')}.${btoa(JSON.stringify({ jti: session }))}.`;
    const inherited = `${btoa('{"alg":"HS256","kid":"constructor"}')}.${btoa(JSON.stringify({ jti: session }))}.AAAA`;
    for (const token of [forged, none, inherited, 'nonsense', '']) {
      const { status } = await caller({ cookie: `muster_session=${token}` }).call('GET', '/v1/account');
      expect(status).toBe(401);
    }
  });
});

describe('every answer', () => {
  it('is in the envelope, also for an unknown address', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/orders/nothing/at/all'],
      ['POST', '/v1/nothing'],
    ] as const) {
      const { status, success, msg } = await caller().call(method, path);
      expect({ status, success, msg }).toEqual({ status: 404, success: 0, msg: 'There is nothing at this address.' });
    }
  });

  it.each([
    '/v1/orders/',
    '/v1/account',
    '/v1/order/item/x/',
    '/v1/order/x/download?type=csv',
    '/v1/orders/live?orders=1',
  ])('of %s needs a session', async (path) => {
    const { status, success, msg } = await caller().call('GET', path);
    expect({ status, success, msg }).toEqual({ status: 401, success: 0, msg: 'Please sign in first.' });
  });

  it('of the catalogue has the fields of the specification', async () => {
    const { data } = await caller().call('GET', '/v1/products/list');
    expect(data.map((group: { name: string }) => group.name)).toEqual([
      'Rise of Kingdoms',
      'Call of Dragons',
      'History',
    ]);
    expect(data[0].items[0]).toMatchObject({
      item_id: 1,
      id: 'rok-kingdom-scan',
      price: 0.5,
      price_field: 'governors',
      price_chunk: 100,
      ready: true,
    });
    expect(data[1].items[0].ready).toBe(false);
  });
});
