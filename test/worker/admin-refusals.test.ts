import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../domain/accounts/scopes.ts';
import { signToken } from '../../worker/configuration/signing.ts';
import { NOTHING_HERE } from '../../worker/errors.ts';
import { scopeOf } from '../../worker/middleware/session.ts';
import { bot, type Caller, caller, makeKey, type Person, person, production, send, signedInAdmin } from './client.ts';
import { cell, withSecondFactor } from './people.ts';
import { CALLS, pathsOf } from './routes.ts';

/** Refusals of every route of the admin area. The list of routes is the app's own, so a new route is in it. */

interface Route {
  method: string;
  path: string;
  /** True if a key with the right scope may call it. */
  forKeys: boolean;
}

const ROUTES: Route[] = CALLS.filter(({ path }) => path.startsWith('/v1/admin/')).flatMap(
  ({ method, path, handlers }) =>
    pathsOf(path).map((filled) => ({ method, path: filled, forKeys: handlers.some(scopeOf) })),
);
const ACTS = ROUTES.filter(({ method }) => method !== 'GET');

const keyOf = async (whose: Person, scopes: readonly string[]): Promise<Caller> =>
  caller({ authorization: `Bearer ${(await makeKey(whose, scopes)).data.key}` });

/** Calls a route without fields. Files have no sentence. */
async function called(who: Caller, { method, path }: Route): Promise<{ status: number; msg: string }> {
  const sent = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
  const response = await who.fetch(path, { method, ...sent });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, msg: isJson ? (JSON.parse(text).msg ?? '') : '' };
}

/** Calls each of these routes and returns its answer by name. */
async function answersTo(who: Caller, routes: readonly Route[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const route of routes) {
    const { status, msg } = await called(who, route);
    answers[`${route.method} ${route.path}`] = `${status} ${msg}`;
  }
  return answers;
}

const all = (routes: readonly Route[], answer: string): Record<string, string> =>
  Object.fromEntries(routes.map(({ method, path }) => [`${method} ${path}`, answer]));

/** Returns the routes that the guard did not let this caller through to. */
const closedTo = async (who: Caller, routes: readonly Route[]): Promise<string[]> =>
  Object.entries(await answersTo(who, routes)).flatMap(([name, answer]) =>
    /^(401|403) /.test(answer) || answer.endsWith(NOTHING_HERE) ? [`${name}: ${answer}`] : [],
  );

let admin: Person;
let support: Person;
let user: Person;
beforeAll(async () => {
  [admin, support, user] = [await signedInAdmin(), await person({ role: 'support' }), await person()];
});

it('the list has reads and acts, each act of a path by itself', () => {
  expect(ROUTES.length - ACTS.length).toBeGreaterThan(25);
  expect(ACTS.length).toBeGreaterThan(30);
  expect(ACTS.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/admin/accounts/1/reset-two-factor']));
  expect(ROUTES.filter(({ forKeys }) => forKeys).map(({ path }) => path)).toEqual(['/v1/admin/metrics']);
});

describe('every route of the admin area', () => {
  it('seems not to exist to anonymous callers, users, their keys and bots', async () => {
    const outsiders = [caller(), user, await keyOf(user, SCOPES), await bot()];
    const unknown = { method: 'GET', path: '/v1/admin/no-such-thing', forKeys: false };
    for (const who of outsiders)
      expect(await answersTo(who, [...ROUTES, unknown])).toEqual(all([...ROUTES, unknown], `404 ${NOTHING_HERE}`));
  });

  it('seems not to exist to keys of staff, apart from those for keys, which need their scope', async () => {
    const closed = ROUTES.filter(({ forKeys }) => !forKeys);
    const open = ROUTES.filter(({ forKeys }) => forKeys);
    for (const whose of [admin, support]) {
      const [every, without] = [
        await keyOf(whose, SCOPES),
        await keyOf(
          whose,
          SCOPES.filter((scope) => scope !== 'metrics'),
        ),
      ];
      expect(await answersTo(every, closed)).toEqual(all(closed, `404 ${NOTHING_HERE}`));
      expect(await answersTo(without, ROUTES)).toEqual(all(ROUTES, `404 ${NOTHING_HERE}`));
      expect(await answersTo(every, open)).toEqual(all(open, '200 '));
    }
  });

  it('lets support read, and refuses every act with a sentence', async () => {
    const sentence = 'Your account may look at the admin pages, but not change anything there.';
    expect(await answersTo(support, ACTS)).toEqual(all(ACTS, `403 ${sentence}`));
    const reads = ROUTES.filter(({ method }) => method === 'GET');
    expect(await closedTo(support, reads)).toEqual([]);
    for (const { path } of reads) expect((await support.fetch(path, { method: 'HEAD' })).status, path).not.toBe(403);
  });

  it('opens to admins, and needs the second factor in production', async () => {
    expect(await closedTo(admin, ROUTES)).toEqual([]);
    const id = await cell<string>('SELECT id FROM sessions WHERE user_id = ?', admin.id);
    const cookie = `__Host-muster_session=${await signToken(env, 'session', id, Date.now() + 60_000)}`;
    const weak = caller();
    weak.fetch = (path, init = {}) => {
      const headers = { ...(init.headers as Record<string, string>), cookie, 'content-length': '2' };
      return send(path, { ...init, headers }, production());
    };
    const sentence = 'Admin pages require two-factor sign-in. Set it up under My Account.';
    expect(await answersTo(weak, ROUTES)).toEqual(all(ROUTES, `403 ${sentence}`));
  });

  it.each(['news/1', 'access-codes/1', 'events/1/snapshots/1'])(
    'asks for the second factor before it removes %s, because that cannot be undone',
    async (path) => {
      const careful = await person({ role: 'admin' });
      const remove = (body?: object) => careful.call('DELETE', `/v1/admin/${path}`, body);
      expect((await remove()).status).toBe(404);
      await withSecondFactor(careful);
      for (const body of [undefined, {}, { code: '000000' }])
        expect(await remove(body)).toMatchObject({ status: 403, msg: 'code: is wrong or was used before.' });
    },
  );
});
