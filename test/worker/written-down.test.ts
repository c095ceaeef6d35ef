import { expect, it } from 'vitest';
import { caller, insertUser, PASSWORD, person } from './client.ts';
import { eventOf } from './events/war.ts';
import { rowsWhere } from './payments-client.ts';
import { cell, codeOf, newcomer, tokenFor } from './people.ts';

/** The audit log of users and admins: each act, by whom, and from which address. */

const ADDRESS = '203.0.113.71';
const writtenOf = (sql: string, ...values: unknown[]) =>
  rowsWhere<{ action: string; address: string; actor: string }>(
    `SELECT action, address, actor FROM audit_entries WHERE ${sql} ORDER BY id`,
    ...values,
  );

it('logs every act of an account with its address', async () => {
  const from = { 'cf-connecting-ip': ADDRESS };
  const me = caller(from);
  const call = async (path: string, body: object = {}, method = 'POST', status = 200) => {
    const answer = await me.call(method, `/v1${path}`, body);
    expect({ path, status: answer.status, msg: answer.msg }).toMatchObject({ path, status });
    return answer.data;
  };
  const { id: user, username, email } = await insertUser();
  const next = 'quite different words again';
  const known = { current_password: PASSWORD };
  const login = (more: object, status = 200) =>
    call('/login', { username, password: PASSWORD, ...more }, 'POST', status);
  await login({ password: 'wrong' }, 401);
  await login({});
  await call('/eula/accept', { accepted: true });
  await call('/account/notifications', { by_mail: false });
  const { secret } = await call('/account/two-factor/start', known);
  await call('/account/two-factor/confirm', { code: codeOf(secret) });
  await login({ code: '000000' }, 401);
  await call('/account/two-factor/end', { ...known, code: codeOf(secret, Date.now() + 30_000) });
  const { id } = await call('/account/keys', { ...known, name: 'mine', scopes: ['read'] });
  await call(`/account/keys/${id}`, undefined, 'DELETE');
  await call('/account/email', { ...known, email: `stopped-${email}` });
  await call('/email-change/stop', { token: await tokenFor(email, 'change_asked') });
  await call('/account/email', { ...known, email: `moved-${email}` });
  await call('/verify-email', { token: await tokenFor(`moved-${email}`, 'change_email') });
  await caller(from).call('POST', '/v1/login', { username, password: PASSWORD });
  await call('/account/sessions/end-others');
  await call('/account/password', { ...known, password: next });
  await call('/password-reset', { email: `moved-${email}` });
  await call('/password-reset/confirm', { token: await tokenFor(`moved-${email}`, 'reset'), password: PASSWORD });
  const written = await writtenOf('user_id = ?', user);
  expect(written.filter(({ address }) => address !== ADDRESS)).toEqual([]);
  expect(new Set(written.map(({ actor }) => actor))).toEqual(new Set(['user']));
  expect(written.map(({ action }) => action)).toEqual([
    'session.refused',
    'session.opened',
    'eula.accepted',
    'notifications.changed',
    'two_factor.on',
    'two_factor.refused',
    'two_factor.off',
    'key.created',
    'key.revoked',
    'change_email.requested',
    'change_email.stopped',
    'change_email.requested',
    'email.changed',
    'session.opened',
    'session.others_ended',
    'password.changed',
    'reset.requested',
    'password.reset',
  ]);
  const gone = await insertUser();
  await login({ username: gone.username });
  await call('/account/delete', { ...known, username: gone.username });
  expect(await writtenOf('user_id = ?', gone.id)).toEqual(
    ['session.opened', 'account.deleted'].map((action) => ({ action, address: ADDRESS, actor: 'user' })),
  );
});

it('logs every act of a new account with its address', async () => {
  const form = await newcomer();
  const from = { 'cf-connecting-ip': ADDRESS };
  expect((await caller(from).call('POST', '/v1/account/create', form)).status).toBe(200);
  const token = await tokenFor(form.email, 'verify');
  expect((await caller(from).call('POST', '/v1/verify-email', { token })).status).toBe(200);
  const user = await cell<string>('SELECT id FROM users WHERE email = ?', form.email);
  expect(await writtenOf('user_id = ?', user)).toEqual(
    ['account.created', 'email.verified'].map((action) => ({ action, address: ADDRESS, actor: 'user' })),
  );
});

it('logs every act of an admin with address and name', async () => {
  const admin = await person({ role: 'admin' });
  const from = { 'cf-connecting-ip': ADDRESS };
  const user = await person();
  const call = async (path: string, body?: object, method = 'POST') => {
    const answer = await admin.call(method, `/v1/admin${path}`, body, from);
    expect({ path, status: answer.status, msg: answer.msg }).toMatchObject({ path, status: 200 });
    return answer.data;
  };
  await call('/sign-out', { username: user.username });
  await call('/adjustments', { username: user.username, amount: 5, reason: 'For a test' });
  await call('/access-codes', { code: 'WRITTEN-DOWN', max_uses: 1, note: '' });
  const [{ id }] = (await call('/access-codes', undefined, 'GET')).filter(
    ({ code }: { code: string }) => code === 'WRITTEN-DOWN',
  );
  await call(`/access-codes/${id}`, undefined, 'DELETE');
  const news = await call('/news', { title: 'News', body: 'Something is new.' });
  await call(`/news/${news.id}`, { title: 'News', body: 'Newer.', version: 1 }, 'PUT');
  await call(`/news/${news.id}`, undefined, 'DELETE');
  const { dashboard_id } = await call('/events', eventOf());
  await call(`/events/${dashboard_id}/publish`);
  await call(`/events/${dashboard_id}/close`);
  const written = await writtenOf('actor = ?', `admin:${admin.id}`);
  expect(written.filter(({ address }) => address !== ADDRESS)).toEqual([]);
  expect(written.map(({ action }) => action)).toEqual([
    'session.ended_by_admin',
    'balance.adjusted',
    'access_code.created',
    'access_code.revoked',
    'news.published',
    'news.edited',
    'news.removed',
    'event.created',
    'event.published',
    'event.closed',
  ]);
});
