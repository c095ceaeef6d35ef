import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkSecondFactor } from '../../worker/models/accounts/two-factor.ts';
import {
  bot,
  type Caller,
  caller,
  db,
  makeKey,
  PASSWORD,
  type Person,
  person,
  scanOf,
  signedInAdmin,
  signedInUser,
} from './client.ts';
import { cell, codeOf } from './people.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function switchOnFactor(me: Person): Promise<string> {
  const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
  expect((await me.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret) })).status).toBe(200);
  return secret;
}

const isThere = async (me: Person) => (await cell('SELECT deleted_at FROM users WHERE id = ?', me.id)) === null;

describe('deletion of an account', () => {
  const ask = (me: Person, about: object = {}) =>
    me.call('POST', '/v1/account/delete', { current_password: PASSWORD, username: me.username, ...about });

  it('requires the second factor if there is one', async () => {
    const me = await person();
    const secret = await switchOnFactor(me);
    for (const about of [{}, { code: '000000' }, { code: codeOf(secret) }]) {
      expect((await ask(me, about)).status).toBe(403);
      expect(await isThere(me)).toBe(true);
      expect((await me.call('GET', '/v1/account')).status).toBe(200);
    }
    expect((await ask(me, { code: codeOf(secret, Date.now() + 30_000) })).status).toBe(200);
    expect(await isThere(me)).toBe(false);
  });

  it('is refused to admins', async () => {
    const admin = await signedInAdmin();
    expect(await ask(admin)).toMatchObject({
      status: 409,
      msg: 'Admins cannot delete their own account. Ask another admin.',
    });
    expect(await isThere(admin)).toBe(true);
  });

  it('deletes only the user’s own data', async () => {
    const [me, other] = [await signedInUser(), await signedInUser()];
    for (const each of [me, other]) {
      await makeKey(each);
      await each.call('POST', '/v1/account/email', { current_password: PASSWORD, email: `new-${each.email}` });
      const schedule = { start: new Date(Date.now() + 86_400_000).toISOString(), interval: 1, period: 'week' };
      await each.call('POST', '/v1/order/create', { orders: [scanOf([5])], scheduleInfo: schedule });
    }
    await switchOnFactor(other);
    const held = async (id: string) =>
      Promise.all(
        [
          'SELECT count(*) FROM sessions WHERE user_id = ?',
          'SELECT count(*) FROM mail_tokens WHERE user_id = ?',
          'SELECT count(*) FROM api_keys WHERE user_id = ? AND revoked_at IS NULL',
          'SELECT count(*) FROM recovery_codes WHERE user_id = ?',
          'SELECT count(*) FROM two_factor WHERE user_id = ?',
          `SELECT count(*) FROM schedules WHERE user_id = ? AND state = 'active'`,
        ].map((sql) => cell<number>(sql, id)),
      );
    const before = await held(other.id);
    expect(before).toEqual([1, 1, 1, 10, 1, 1]);
    expect((await ask(me)).status).toBe(200);
    expect(await held(me.id)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await held(other.id)).toEqual(before);
  });
});

describe('the second factor', () => {
  it('ends the user’s sessions that lack it when it is switched on', async () => {
    const [me, other] = [await person(), await person()];
    const elsewhere = caller();
    await elsewhere.call('POST', '/v1/login', { username: me.username, password: PASSWORD });
    await switchOnFactor(me);
    expect((await elsewhere.call('GET', '/v1/account')).status).toBe(401);
    expect((await me.call('GET', '/v1/account')).data.two_factor).toBe(true);
    expect(await cell('SELECT two_factor FROM sessions WHERE user_id = ?', me.id)).toBe(1);
    expect((await other.call('GET', '/v1/account')).status).toBe(200);
  });

  it('is blocked for exactly 15 minutes after five wrong codes, for this user only', async () => {
    const [me, other] = [await person(), await person()];
    const [secret, others] = [await switchOnFactor(me), await switchOnFactor(other)];
    const now = Date.now() + 60_000;
    const check = (code: string, at: number, who = me) => checkSecondFactor(db, env, who.id, code, at);
    for (let wrong = 0; wrong < 4; wrong++) expect(await check('000000', now)).toBe('wrong');
    expect(await check(codeOf(secret, now), now)).toBe('right');
    for (let wrong = 0; wrong < 5; wrong++) expect(await check('000000', now)).toBe('wrong');
    const almost = now + 15 * 60_000 - 1;
    expect(await check(codeOf(secret, almost), almost)).toBe('blocked');
    expect(await check(codeOf(others, almost), almost, other)).toBe('right');
    const then = now + 15 * 60_000;
    for (let wrong = 0; wrong < 4; wrong++) expect(await check('000000', then)).toBe('wrong');
    expect(await check(codeOf(secret, then), then)).toBe('right');
  });

  it('accepts each code once, within one step of 30 seconds either way', async () => {
    const me = await person();
    const secret = await switchOnFactor(me);
    const step = 30_000;
    const now = (Math.floor(Date.now() / step) + 100) * step;
    const check = (at: number) => checkSecondFactor(db, env, me.id, codeOf(secret, at), now);
    expect(await check(now - 2 * step)).toBe('wrong');
    expect(await check(now + 2 * step)).toBe('wrong');
    expect(await check(now - step)).toBe('right');
    expect(await check(now)).toBe('right');
    expect(await check(now - step)).toBe('wrong');
    expect(await check(now + step)).toBe('right');
  });

  it('accepts no recovery code of another user', async () => {
    const [me, other] = [await person(), await person()];
    await switchOnFactor(other);
    const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
    const { data } = await me.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret) });
    const [mine] = data.recovery_codes;
    expect(await checkSecondFactor(db, env, other.id, mine)).toBe('wrong');
    expect(await checkSecondFactor(db, env, me.id, mine.toUpperCase())).toBe('right');
  });

  it('accepts a recovery code even after its key was removed', async () => {
    const me = await person();
    const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
    const { data } = await me.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret) });
    const keys = { SESSION_KEYS: JSON.stringify({ current: 'n', keys: { n: 'n'.repeat(43) } }) };
    const next = codeOf(secret, Date.now() + 30_000);
    expect(await checkSecondFactor(db, keys, me.id, next)).toBe('wrong');
    expect(await checkSecondFactor(db, keys, me.id, data.recovery_codes[0])).toBe('right');
  });
});

describe('a revoked credential', () => {
  it('of a bot group works for ten more seconds, and no longer', async () => {
    const worker = await bot();
    const lease = () => worker.call('POST', '/v1/fleet/lease', { bot_id: 'b', games: ['rok'], count: 1 });
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    expect((await lease()).status).toBe(200);
    await env.DB.prepare('UPDATE bot_groups SET revoked_at = ?').bind(now).run();
    vi.setSystemTime(now + 9_999);
    expect((await lease()).status).toBe(200);
    vi.setSystemTime(now + 10_000);
    expect((await lease()).status).toBe(401);
  });

  it('of a deleted account opens nothing', async () => {
    const me = await signedInUser();
    const key = caller({ authorization: `Bearer ${(await makeKey(me)).data.key}` });
    expect((await key.call('GET', '/v1/orders/')).status).toBe(200);
    await env.DB.prepare('UPDATE users SET deleted_at = 1 WHERE id = ?').bind(me.id).run();
    expect((await key.call('GET', '/v1/orders/')).status).toBe(401);
  });
});

describe('an API key', () => {
  it('with the read scope cannot place, repair or cancel orders', async () => {
    const me = await signedInUser();
    const placed = (await me.call('POST', '/v1/order/create', { orders: [scanOf([3])] })).data;
    const reader: Caller = caller({ authorization: `Bearer ${(await makeKey(me, ['read'])).data.key}` });
    for (const [path, body] of [
      ['/v1/order/create', { orders: [scanOf([4])] }],
      [`/v1/order/${placed.order_id}/repair`, undefined],
      [`/v1/order/${placed.order_id}/cancel`, undefined],
    ] as const)
      expect(await reader.call('POST', path, body)).toMatchObject({
        status: 403,
        msg: "This API key lacks the scope 'order'.",
      });
    expect(await cell(`SELECT count(*) FROM items WHERE state = 'cancelled'`)).toBe(0);
  });
});

it('limits a mailbox to three resets a minute, in any spelling', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const email = `mixed-${crypto.randomUUID()}@mail.example`;
  const statuses: number[] = [];
  for (const written of [email, email.toUpperCase(), ` ${email}`, email.replace('mixed', 'Mixed'), email]) {
    statuses.push((await caller().call('POST', '/v1/password-reset', { email: written })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  vi.setSystemTime(Date.now() + 60_000);
  expect((await caller().call('POST', '/v1/password-reset', { email })).status).toBe(200);
});

it('sessions end one by one, and only the user’s own', async () => {
  const [me, other] = [await person(), await person()];
  const second = caller();
  await second.call('POST', '/v1/login', { username: me.username, password: PASSWORD });
  expect((await other.call('POST', '/v1/account/sessions/end-others')).data).toEqual({ ended: 0 });
  expect((await second.call('GET', '/v1/account')).status).toBe(200);
  await second.call('POST', '/v1/logout');
  expect((await second.call('GET', '/v1/account')).status).toBe(401);
  expect((await me.call('GET', '/v1/account')).status).toBe(200);
  expect((await me.call('GET', '/v1/account/sessions')).data).toHaveLength(1);
});
