import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signToken } from '../../worker/configuration/signing.ts';
import type { Env } from '../../worker/env.ts';
import { SESSION_DAYS } from '../../worker/models/accounts/sessions.ts';
import { json, makeKey, PASSWORD, type Person, send, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** Cookies: their owner, lifetime and validation. */

const DAY = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

/** The cookies that an answer sets, each with its attributes in lower case. */
const cookiesOf = (response: Response): Record<string, { value: string; about: string[] }> =>
  Object.fromEntries(
    response.headers.getSetCookie().map((line) => {
      const [pair = '', ...about] = line.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return [name, { value, about: about.map((each) => each.toLowerCase()).sort() }];
    }),
  );
const signIn = ({ username }: Pick<Person, 'username'>, cookie = '', bindings: Env = env) =>
  send('/v1/login', json({ username, password: PASSWORD }, { cookie }), bindings);
const sessionOf = (id: string) => cell<string>('SELECT id FROM sessions WHERE user_id = ? LIMIT 1', id);

describe('the session cookie', () => {
  it('is bound to the host over TLS, hidden from scripts, and lasts as long as a session', async () => {
    const user = await signedInUser();
    const secure = cookiesOf(await signIn(user));
    expect(secure['__Host-muster_session']?.about).toEqual([
      'httponly',
      `max-age=${SESSION_DAYS * 86_400}`,
      'path=/',
      'samesite=lax',
      'secure',
    ]);
    const plain = await user.fetch('/v1/login', json({ username: user.username, password: PASSWORD }));
    expect(cookiesOf(plain).muster_session?.about).toEqual([
      'httponly',
      `max-age=${SESSION_DAYS * 86_400}`,
      'path=/',
      'samesite=lax',
    ]);
  });

  it('works only under its own name and until its token expires', async () => {
    const user = await signedInUser();
    const now = Date.now();
    const token = await signToken(env, 'session', await sessionOf(user.id), now + 5000);
    const status = async (cookie: string) => (await send('/v1/account', { headers: { cookie } }, env)).status;
    expect(await status(`__Host-muster_session=${token}`)).toBe(200);
    for (const cookie of [
      `muster_session=${token}`,
      `__Host-muster_device=${token}`,
      `__Host-muster_session=${token}x`,
    ])
      expect(await status(cookie)).toBe(401);
    const device = await signToken(env, 'device', await sessionOf(user.id), now + 5000);
    expect(await status(`__Host-muster_session=${device}`)).toBe(401);
    vi.useFakeTimers({ toFake: ['Date'], now: now + 6000 });
    expect(await status(`__Host-muster_session=${token}`)).toBe(401);
  });

  it('is cleared at logout', async () => {
    const user = await signedInUser();
    const token = await signToken(env, 'session', await sessionOf(user.id), Date.now() + 5000);
    const answer = await send('/v1/logout', json({}, { cookie: `__Host-muster_session=${token}` }), env);
    expect(cookiesOf(answer)['__Host-muster_session']?.about).toEqual(['max-age=0', 'path=/', 'secure']);
  });
});

describe('the device cookie', () => {
  const DEVICE = '__Host-muster_device';
  const marked = async (user: Pick<Person, 'username'>, cookie = '') => {
    const mark = cookiesOf(await signIn(user, cookie))[DEVICE];
    const [, claims = ''] = (mark?.value ?? '').split('.');
    return { value: mark?.value ?? '', about: mark?.about, id: String(JSON.parse(atob(claims)).jti) };
  };

  it('belongs to one user for a year, and is kept at their next sign-in', async () => {
    const [user, other] = [await signedInUser(), await signedInUser()];
    const first = await marked(user);
    expect(first.about).toContain(`max-age=${365 * 86_400}`);
    expect(first.id).toMatch(new RegExp(`^${user.id}\\.[0-9a-f-]{36}$`));
    expect((await marked(user, `${DEVICE}=${first.value}`)).id).toBe(first.id);
    const another = await marked(other, `${DEVICE}=${first.value}`);
    expect(another.id).toMatch(new RegExp(`^${other.id}\\.`));
    expect(another.id.split('.')[1]).not.toBe(first.id.split('.')[1]);
  });

  it('is replaced if it is expired or malformed', async () => {
    const user = await signedInUser();
    const now = Date.now();
    for (const [id, until] of [
      [`${user.id}.old`, now - 1000],
      [user.id, now + DAY],
      [`${user.id}.`, now + DAY],
    ] as const) {
      const mark = await signToken(env, 'device', id, until);
      expect((await marked(user, `${DEVICE}=${mark}`)).id).toMatch(/\.[0-9a-f-]{36}$/);
    }
  });
});

describe('a database session', () => {
  const BOOKMARK = '00000001-00000002-00004e8f-0123456789abcdef0123456789abcdef';
  /** The database, with a record of how each request opened it. */
  function noted() {
    const asked: unknown[] = [];
    const DB = new Proxy(env.DB, {
      get(target, name) {
        if (name === 'withSession')
          return (from: string) => {
            asked.push(from);
            return target.withSession(from.startsWith('first') ? (from as 'first-primary') : undefined);
          };
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { asked, bindings: { ...env, DB } as Env };
  }

  it('starts at the bookmark, else at any replica for reads and at the primary for writes', async () => {
    const { asked, bindings } = noted();
    const read = (cookie: string) => send('/v1/catalogue', { headers: { cookie } }, bindings);
    await read('');
    await read(`__Host-muster_bookmark=${BOOKMARK}`);
    await read(`muster_bookmark=${BOOKMARK}`);
    for (const wrong of ['first-primary', `${BOOKMARK}0`, `0${BOOKMARK}`, BOOKMARK.toUpperCase()])
      await read(`__Host-muster_bookmark=${wrong}`);
    await send('/v1/catalogue', { method: 'HEAD' }, bindings);
    await send('/v1/logout', json({}), bindings);
    await send('/v1/logout', json({}, { cookie: `__Host-muster_bookmark=${BOOKMARK}` }), bindings);
    expect(asked).toEqual([
      'first-unconstrained',
      BOOKMARK,
      ...Array(6).fill('first-unconstrained'),
      'first-primary',
      BOOKMARK,
    ]);
  });

  it.each(['/v1/eula', '/v1/products/list'])('is not asked for %s, because caches keep the answer', async (path) => {
    const lagging = { getBookmark: () => null, prepare: null, batch: null };
    const DB = {
      withSession: () => lagging,
      prepare: env.DB.prepare.bind(env.DB),
      batch: env.DB.batch.bind(env.DB),
    };
    expect((await send(path, {}, { ...env, DB } as never)).status).toBe(200);
  });

  it('sets the bookmark cookie only after a write by a signed-in user', async () => {
    const user = await signedInUser();
    const token = await signToken(env, 'session', await sessionOf(user.id), Date.now() + DAY);
    const cookie = `__Host-muster_session=${token}`;
    const told = async (path: string, init: RequestInit) =>
      '__Host-muster_bookmark' in cookiesOf(await send(path, init, env));
    const write = { method: 'PUT', body: JSON.stringify({ rok: [1], cod: [] }) };
    const asUser = { cookie, 'content-type': 'application/json' };
    expect(await told('/v1/account/governors', { ...write, headers: asUser })).toBe(true);
    expect(await told('/v1/account/governors', { headers: { cookie } })).toBe(false);
    expect(await told('/v1/logout', json({}))).toBe(false);
    const { data } = await makeKey(user);
    const order = json({ orders: [], scheduleInfo: null }, { authorization: `Bearer ${data.key}` });
    expect(await told('/v1/order/create', order)).toBe(false);
  });

  it('gives programs the bookmark in a header, and accepts it back', async () => {
    const user = await signedInUser();
    const { data } = await makeKey(user);
    const authorization = `Bearer ${data.key}`;
    const response = await send('/v1/order/1/repair', json({}, { authorization }), env);
    const bookmark = response.headers.get('x-bookmark') ?? '';
    expect(bookmark).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/);
    const { asked, bindings } = noted();
    const read = (headers: Record<string, string>) => send('/v1/orders', { headers }, bindings);
    await read({ authorization, 'x-bookmark': bookmark });
    await read({ authorization, 'x-bookmark': 'first-primary' });
    const later = `f${bookmark.slice(1)}`;
    await read({ cookie: `__Host-muster_bookmark=${BOOKMARK}`, 'x-bookmark': later });
    await read({ cookie: `__Host-muster_bookmark=${later}`, 'x-bookmark': BOOKMARK });
    await read({ authorization });
    expect(asked).toEqual([bookmark, 'first-primary', later, later, 'first-primary']);
    expect((await send('/v1/orders', { headers: { authorization } }, env)).headers.has('x-bookmark')).toBe(false);
  });
});
