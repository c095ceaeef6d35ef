import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { RETURN_AFTER_MS } from '../../domain/orders/order.ts';
import { users } from '../../worker/db/schema.ts';
import { openSession } from '../../worker/models/accounts/sessions.ts';
import { recordComparison } from '../../worker/models/money/reconciliation.ts';
import { giveUpItem } from '../../worker/models/orders/undelivered.ts';
import { noteTroubles } from '../../worker/models/service/alerts.ts';
import {
  caller,
  db,
  fireCron,
  makeKey,
  PASSWORD,
  type Person,
  person,
  scanOf,
  signedInAdmin,
  signedInUser,
} from './client.ts';
import { cell, mailsTo } from './people.ts';

/** How admins find accounts, what they see and what they can do. */

const HOUR_MS = 3_600_000;

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});

const act = (user: Person, name: string, body: object = {}) =>
  admin.call('POST', `/v1/admin/accounts/${user.id}/${name}`, { reason: 'told us by mail', ...body });
const whole = async (user: Person) => (await admin.call('GET', `/v1/admin/accounts/${user.id}`)).data;
const found = async (query: string) =>
  (await admin.call('GET', `/v1/admin/accounts?${query}`)).data.accounts.map(({ username }: Person) => username);

describe('a search for accounts', () => {
  it('finds accounts by part of name or e-mail, by id, role and state', async () => {
    const user = await signedInUser();
    expect(await found(`search=${user.username.slice(2).toUpperCase()}`)).toEqual([user.username]);
    expect(await found(`search=${encodeURIComponent(user.email)}`)).toEqual([user.username]);
    expect(await found(`search=${user.id}`)).toEqual([user.username]);
    expect(await found('search=%25')).toEqual([]);
    expect(await found(`role=user&search=${user.username}`)).toEqual([user.username]);
    expect(await found(`state=locked&search=${user.username}`)).toEqual([]);
    expect(await admin.call('GET', '/v1/admin/accounts?role=king')).toMatchObject({ status: 400 });
  });

  it('pages by 50, newest first, without gaps', async () => {
    const insert = (at: number) =>
      env.DB.prepare(
        `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at)
         VALUES (?1, ?1, ?1, ?1, ?1, 'x', 5)`,
      ).bind(`paged-${String(at).padStart(3, '0')}`);
    await env.DB.batch(Array.from({ length: 60 }, (_, at) => insert(at)));
    const { accounts, next } = (await admin.call('GET', '/v1/admin/accounts?search=paged-')).data;
    expect(accounts).toHaveLength(50);
    const rest = await found(`search=paged-&before=${next}`);
    expect(rest).toHaveLength(10);
    expect(new Set([...accounts.map(({ username }: Person) => username), ...rest]).size).toBe(60);
  });
});

describe('one account', () => {
  it('shows balance, statement, orders, keys, sessions and log, and no secret', async () => {
    const user = await signedInUser(2500);
    await makeKey(user, ['read'], { name: 'script' });
    const shown = await whole(user);
    expect(shown).toMatchObject({
      ...{ username: user.username, balance: 25, role: 'user', two_factor: false, uncovered: 0 },
      statement: [{ kind: 'top_up', amount: 25, balance: 25 }],
      api_keys: [{ name: 'script', scopes: 'read' }],
      sessions: [{ two_factor: false }],
    });
    expect(shown.activity.map(({ action }: { action: string }) => action)).toContain('session.opened');
    expect(JSON.stringify(shown)).not.toMatch(/scrypt|hash/);
    expect((await admin.call('GET', '/v1/admin/accounts/nobody')).status).toBe(404);
  });
});

describe('the teams of an account', () => {
  it('are listed with the role in each, its balance and what was spent', async () => {
    const owner = await signedInUser(2500);
    const { team_id } = (await owner.call('POST', '/v1/teams', { name: 'War council' })).data;
    await owner.call('POST', `/v1/teams/${team_id}/transfers`, { amount: 20 });
    await owner.call('PATCH', `/v1/teams/${team_id}`, { monthly_limit: 5 });
    const viewer = await signedInUser();
    const { path } = (await owner.call('POST', `/v1/teams/${team_id}/invites`, { role: 'viewer' })).data;
    await viewer.call('POST', `/v1${path}`);
    const team = { team_id, name: 'War council', owner: owner.username, members: 2, balance: 20, monthly_limit: 5 };
    expect((await whole(owner)).teams).toEqual([{ ...team, role: 'owner', spendable: 20, spent: 0 }]);
    expect((await whole(viewer)).teams).toEqual([{ ...team, role: 'viewer', spendable: 0, spent: 0 }]);
    await owner.call('DELETE', `/v1/teams/${team_id}`);
    expect([(await whole(owner)).teams, (await whole(viewer)).teams]).toEqual([[], []]);
  });
});

describe('an admin action on an account', () => {
  it('adjusts a balance once per key, with a reason shown to the user', async () => {
    const user = await signedInUser(100);
    const adjust = (body: object, key: string) =>
      admin.call('POST', `/v1/admin/accounts/${user.id}/adjust`, body, { 'idempotency-key': key });
    const body = { amount: 2.5, reason: 'for the long wait' };
    expect((await adjust(body, 'a')).status).toBe(200);
    expect((await adjust(body, 'a')).data.msg).toBe('This adjustment was made before.');
    expect(await adjust({ ...body, amount: -9 }, 'b')).toMatchObject({
      status: 409,
      msg: expect.stringMatching(/^amount: /),
    });
    expect(await adjust({ ...body, reason: 'x' }, 'c')).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/^reason: /),
    });
    expect((await user.call('GET', '/v1/account/statement')).data.lines[0]).toMatchObject({
      ...{ note: 'for the long wait', balance: 3.5 },
    });
  });

  it('tells the user that an admin acted, but not which one or from which address', async () => {
    const user = await signedInUser();
    const from = { 'cf-connecting-ip': '203.0.113.9', 'idempotency-key': 'shown' };
    const body = { amount: 2.5, reason: 'for the long wait' };
    expect((await admin.call('POST', `/v1/admin/accounts/${user.id}/adjust`, body, from)).status).toBe(200);
    const { data: exported } = await user.call('GET', '/v1/account/export');
    const { data: activity } = await user.call('GET', '/v1/account/activity');
    const adjusted = { action: 'balance.adjusted', address: '' };
    expect(activity[0]).toMatchObject({ ...adjusted, by: 'admin' });
    expect(exported.activity.at(-1)).toMatchObject({ ...adjusted, actor: 'admin', subject: 'adjustment:shown' });
    expect(exported.ledger).toContainEqual(expect.objectContaining({ reference: 'adjustment:shown' }));
    for (const answer of [exported, activity])
      for (const secret of [admin.id, '203.0.113.9']) expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it('of a locked admin ends the mails to admins', async () => {
    const locked = await signedInAdmin();
    const user = await signedInUser(1000);
    expect((await act(locked, 'lock')).status).toBe(200);
    const order = (await user.call('POST', '/v1/order/create', { orders: [scanOf([9401])] })).data.order_id;
    const [{ item_id }] = (await user.call('GET', '/v1/orders/')).data.orders[0].items;
    const now = Date.now() + RETURN_AFTER_MS;
    const undelivered = { item_id, order_id: order, user_id: user.id, username: user.username, language: null };
    await giveUpItem(db, { ...undelivered, version: 1, has_results: 0, got: 0 }, env.SITE_ORIGIN, now);
    await noteTroubles(db, [{ kind: 'made up', text: 'Nothing works.' }], env.SITE_ORIGIN, now);
    await recordComparison(db, { day: '2020-01-01', stripe_cents: 1, ledger_cents: 2, differences: ['one'] });
    const subjects = async ({ email }: Person) => (await mailsTo(email)).map(({ subject }) => subject);
    expect(await subjects(admin)).toEqual([
      'Muster: 1 differences between ledger and Stripe on 2020-01-01',
      'Trouble: made up',
      'Trouble: items not delivered',
    ]);
    expect(await subjects(locked)).toEqual([]);
  });

  it('locks out a sign-in that had begun', async () => {
    const user = await signedInUser();
    const [before] = await db.select().from(users).where(eq(users.id, user.id));
    if (!before) throw new Error('no user');
    expect((await act(user, 'lock')).status).toBe(200);
    const session = { user: before, userAgent: '', address: '', twoFactor: false };
    await expect(openSession(db, session)).rejects.toThrow('Your account was changed just now.');
    expect((await whole(user)).sessions).toEqual([]);
  });

  it('locks out sessions, sign-in and keys until it is unlocked', async () => {
    const user = await signedInUser();
    const key = caller({ authorization: `Bearer ${(await makeKey(user)).data.key}` });
    expect((await key.call('GET', '/v1/orders')).status).toBe(200);
    expect((await act(user, 'lock')).status).toBe(200);
    expect((await user.call('GET', '/v1/account')).status).toBe(401);
    expect((await key.call('GET', '/v1/orders')).status).toBe(401);
    expect(await user.signIn()).toMatchObject({ status: 403, msg: 'This account is locked. Please write to support.' });
    // Without the password, the answer does not reveal the lock.
    const guess = { username: user.username, password: `${PASSWORD}?` };
    expect((await caller().call('POST', '/v1/login', guess)).status).toBe(401);
    expect((await act(user, 'lock')).status).toBe(409);
    expect(await whole(user)).toMatchObject({ locked_reason: 'told us by mail', sessions: [] });
    expect(await found(`state=locked&search=${user.username}`)).toEqual([user.username]);
    expect((await act(user, 'unlock')).status).toBe(200);
    expect((await act(user, 'unlock')).status).toBe(409);
    expect((await user.signIn()).status).toBe(200);
    const actions = (await whole(user)).activity.filter(
      ({ actor }: { actor: string }) => actor === `admin ${admin.username}`,
    );
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(['account.unlocked', 'account.locked']);
  });

  it('pauses schedules and says so, until they are resumed and paused by their user', async () => {
    const user = await signedInUser();
    const scheduled = { orders: [scanOf([1014])], scheduleInfo: { period: 'day', interval: 1 } };
    const { schedule_id } = (await user.call('POST', '/v1/order/create', scheduled)).data;
    const shown = async () => (await user.call('GET', '/v1/orders/scheduled')).data.scheduled[0];
    expect((await act(user, 'lock')).status).toBe(200);
    expect((await act(user, 'unlock')).status).toBe(200);
    await user.signIn();
    expect(await shown()).toMatchObject({ state: 'paused', paused_by: 'admin' });
    for (const step of ['resume', 'pause'])
      expect((await user.call('POST', `/v1/orders/scheduled/${schedule_id}/${step}`, {})).status).toBe(200);
    expect(await shown()).toMatchObject({ state: 'paused', paused_by: 'user' });
  });

  it.each(['locked', 'resumed'])('charges no run that was in backoff before it was %s', async (which) => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const { schedule_id } = (
      await user.call('POST', '/v1/order/create', {
        orders: [scanOf([1013])],
        scheduleInfo: { period: 'day', interval: 1, start: new Date(start).toISOString() },
      })
    ).data;
    const inBackoff = () =>
      env.DB.prepare('UPDATE schedules SET trying_for = ?, tries = 2, try_at = 1 WHERE id = ?')
        .bind(Date.now() - HOUR_MS, schedule_id)
        .run();
    await inBackoff();
    expect((await act(user, 'lock')).status).toBe(200);
    expect(await cell('SELECT tries FROM schedules WHERE id = ?', schedule_id)).toBe(0);
    expect((await act(user, 'unlock')).status).toBe(200);
    await user.signIn();
    // As an earlier release left it.
    if (which === 'resumed') await inBackoff();
    expect((await user.call('POST', `/v1/orders/scheduled/${schedule_id}/resume`, {})).status).toBe(200);
    await fireCron('* * * * *');
    expect(await cell<number>('SELECT count(*) FROM orders WHERE user_id = ?', user.id)).toBe(0);
  });

  it('ends sessions, and resets a second factor only if there is one', async () => {
    const user = await signedInUser();
    expect((await act(user, 'end-sessions')).data.msg).toBe('1 session ended.');
    expect((await user.call('GET', '/v1/account')).status).toBe(401);
    expect(await act(user, 'reset-two-factor')).toMatchObject({
      status: 409,
      msg: 'This account has no second factor.',
    });
    await user.signIn();
    await user.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD });
    expect((await act(user, 'reset-two-factor')).status).toBe(409);
    expect((await user.call('GET', '/v1/account')).status).toBe(200);
    await env.DB.prepare('UPDATE two_factor SET confirmed_at = 1 WHERE user_id = ?').bind(user.id).run();
    expect((await act(user, 'reset-two-factor')).status).toBe(200);
    expect((await whole(user)).two_factor).toBe(false);
    expect(await cell('SELECT subject FROM outbox WHERE recipient = ?', user.email)).toBe(
      'Two-factor sign-in was switched off',
    );
  });

  it('changes a role unless it changed meanwhile, is one’s own or the last admin’s', async () => {
    const user = await signedInUser();
    const role = (of: Person, before: string, wanted: string, by: Person = admin) =>
      by.call('POST', `/v1/admin/accounts/${of.id}/role`, { before, role: wanted, reason: 'joins the team' });
    expect((await role(user, 'user', 'support')).status).toBe(200);
    expect(await role(user, 'user', 'admin')).toMatchObject({
      ...{ status: 409, msg: 'role: was changed meanwhile: it is support now.' },
    });
    expect(await role(admin, 'admin', 'user')).toMatchObject({
      ...{ status: 409, msg: 'role: nobody changes their own role.' },
    });
    // Support cannot promote anybody, not even itself.
    expect((await role(user, 'support', 'admin', user)).status).toBe(403);
    expect((await role(user, 'support', 'admin')).status).toBe(200);
    expect((await user.call('GET', '/v1/account')).status).toBe(401);
    await user.signIn();
    expect((await role(user, 'admin', 'user')).status).toBe(200);
    const second = await person({ role: 'admin' });
    await env.DB.prepare(`UPDATE users SET locked_at = 1 WHERE role = 'admin' AND id NOT IN (?, ?)`)
      .bind(admin.id, second.id)
      .run();
    // If two admins demote each other at once, one remains.
    const both = await Promise.all([role(second, 'admin', 'user'), role(admin, 'admin', 'user', second)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await cell<number>(`SELECT count(*) FROM users WHERE role = 'admin' AND locked_at IS NULL`)).toBe(1);
  });
});
