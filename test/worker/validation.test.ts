import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { app } from '../../worker/app.ts';
import { checkOf } from '../../worker/middleware/validate.ts';
import { caller, json, PASSWORD, person } from './client.ts';
import { cell, tokenFor } from './people.ts';

/** Writes without a body, or with bytes that their own reader checks (a scan file, a roster, a signed webhook). */
const WITHOUT_SCHEMA =
  /(logout|end-others|account\/visit|notifications\/test|\/(publish|close|reopen|archive|refresh|cancel|repair|pause|resume|end))$|\/(scans|:kingdom)\/import$|\/payment\/webhook$|\/teams\/invites\/:token$|\/snapshots$/;

const writes = Map.groupBy(
  app.routes.filter(({ method, path }) => ['POST', 'PUT', 'PATCH'].includes(method) && path.startsWith('/v1/')),
  ({ method, path }) => `${method} ${path}`,
);

it.each([...writes.keys()])('the body of %s has a schema, or takes no body', (call) => {
  const checked = writes.get(call)?.some(({ handler }) => checkOf(handler)?.target === 'json');
  expect({ call, checked: Boolean(checked) || WITHOUT_SCHEMA.test(call) }).toEqual({ call, checked: true });
});

it('no body of another type passes a schema', async () => {
  const checked = [...writes].filter(([, routes]) =>
    routes.some(({ handler, path }) => checkOf(handler)?.target === 'json' && !path.includes(':')),
  );
  expect(checked.length).toBeGreaterThan(15);
  const user = await person({ role: 'admin' });
  for (const [call] of checked.filter(([name]) => !name.includes('/fleet/')))
    for (const body of ['null', '[]', '7', '"text"', '{', '']) {
      const [method = '', path = ''] = call.split(' ');
      const { status } = await user.call(method, path, body);
      expect({ call, body, refused: [400, 429].includes(status) }).toEqual({ call, body, refused: true });
    }
});

/** A database whose writes wait for a promise, but for the first one, which counts the attempt of any address. */
const held = (database: D1Database, until: Promise<unknown>): D1Database => {
  let isCounted = false;
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'withSession') return typeof value === 'function' ? value.bind(target) : value;
      return (...given: []) =>
        new Proxy(target.withSession(...given), {
          get(session, key) {
            const inner = Reflect.get(session, key);
            if (typeof inner !== 'function') return inner;
            if (key !== 'batch') return inner.bind(session);
            return async (statements: D1PreparedStatement[]) => {
              if (isCounted) await until;
              isCounted = true;
              return session.batch(statements);
            };
          },
        });
    },
  });
};

it('a reset answers before it writes, so that its timing does not reveal accounts', async () => {
  const { email, id } = await person();
  const context = createExecutionContext();
  const request = new Request('https://muster.test/v1/password-reset', json({ email }));
  const { promise: answered, resolve: release } = Promise.withResolvers<void>();
  const response = await app.fetch(request, { ...env, DB: held(env.DB, answered) }, context);
  expect(response.status).toBe(200);
  expect(await cell('SELECT count(*) FROM mail_tokens WHERE user_id = ?', id)).toBe(0);
  release();
  await waitOnExecutionContext(context);
  expect(await cell('SELECT count(*) FROM mail_tokens WHERE user_id = ?', id)).toBe(1);
});

it('a reset leaves the second factor on', async () => {
  const me = await person();
  const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await me.call('POST', '/v1/account/two-factor/confirm', { code });
  await caller().call('POST', '/v1/password-reset', { email: me.email });
  const token = await tokenFor(me.email, 'reset');
  const password = 'quite different words again';
  expect((await caller().call('POST', '/v1/password-reset/confirm', { token, password })).status).toBe(200);
  const signIn = await caller().call('POST', '/v1/login', { username: me.username, password });
  expect(signIn).toMatchObject({ status: 401, reason: 'two_factor' });
});
