import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { signToken } from '../../worker/configuration/signing.ts';
import { tidyAccounts } from '../../worker/services/accounts/delete-accounts.ts';
import { caller, db, PASSWORD, signedInUser } from './client.ts';
import { accessCode, cell, mailsTo, newcomer, tokenFor } from './people.ts';

const signIn = (username: string, password: string) => caller().call('POST', '/v1/login', { username, password });

/**
 * Registration with codes and links that are used, expired or another user's. The only file that starts without an
 * account.
 */

describe('a newcomer', () => {
  it('registers, verifies an address, accepts the licence and orders', async () => {
    const form = await newcomer();
    const person = caller();
    expect((await person.call('POST', '/v1/account/create', form)).status).toBe(200);
    const early = await signIn(form.username, form.password);
    expect(early).toMatchObject({ status: 403, msg: expect.stringMatching(/verify your e-mail/) });

    const token = await tokenFor(form.email, 'verify');
    const verified = await person.call('POST', '/v1/verify-email', { token });
    expect(verified).toMatchObject({
      status: 200,
      data: { message: 'Your email address has been verified successfully! Please login to get started.' },
    });
    const login = await person.call('POST', '/v1/login', { username: form.username, password: form.password });
    expect(login).toMatchObject({ status: 200, data: { eula_accepted: false, full_name: 'New Comer' } });

    const order = { orders: [{ type: 'rok-kingdom-scan', params: { kingdoms: ['1'], governors: 100 }, price: 0.5 }] };
    expect(await person.call('POST', '/v1/order/create', order)).toMatchObject({ status: 403, reason: 'eula' });
    expect((await person.call('GET', '/v1/eula')).data.eula).toMatch(/No refunds are given/);
    expect((await person.call('POST', '/v1/eula/accept', { accepted: false })).status).toBe(400);
    expect((await person.call('POST', '/v1/eula/accept', { accepted: true })).status).toBe(200);
    expect((await person.call('GET', '/v1/account')).data.eula_accepted).toBe(true);
    expect((await person.call('POST', '/v1/order/create', order)).status).toBe(402);
  });

  it('needs a code that exists and is not used up, expired or revoked', async () => {
    const used = await accessCode(1);
    expect((await caller().call('POST', '/v1/account/create', await newcomer({ access_code: used }))).status).toBe(200);
    const past = await accessCode(1, Date.now() - 1000);
    const revoked = await accessCode(1);
    await env.DB.prepare('UPDATE access_codes SET revoked_at = 1 WHERE code = ?').bind(revoked).run();
    for (const access_code of [used, past, revoked, 'NO-SUCH-CODE']) {
      const form = await newcomer({ access_code });
      const { status, msg } = await caller().call('POST', '/v1/account/create', form);
      expect({ status, msg }).toEqual({
        status: 400,
        msg: 'access_code: is not valid, has expired or was used up.',
      });
      expect(await cell('SELECT count(*) FROM users WHERE username = ?', form.username)).toBe(0);
      expect(await mailsTo(form.email)).toEqual([]);
    }
  });

  it('gets the last use of a code once, however many try at the same time', async () => {
    const access_code = await accessCode(3);
    const forms = await Promise.all(Array.from({ length: 8 }, () => newcomer({ access_code })));
    const answers = await Promise.all(forms.map((form) => caller().call('POST', '/v1/account/create', form)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await cell('SELECT uses FROM access_codes WHERE code = ?', access_code)).toBe(3);
  });

  it('cannot take a username that differs only in case', async () => {
    const first = await newcomer();
    await caller().call('POST', '/v1/account/create', first);
    const second = await newcomer({ username: first.username.toUpperCase() });
    const { status, msg } = await caller().call('POST', '/v1/account/create', second);
    expect({ status, msg }).toEqual({ status: 409, msg: 'username: is taken. Please choose another.' });
  });

  it('does not learn that an address has an account, but its owner does', async () => {
    const owner = await signedInUser();
    const { email } = (await owner.call('GET', '/v1/account')).data;
    const [taken, free] = [await newcomer({ email: email.toUpperCase() }), await newcomer()];
    const answers = await Promise.all([taken, free].map((form) => caller().call('POST', '/v1/account/create', form)));
    expect(answers[0]).toEqual(answers[1]);
    // A repeat looks the same too, and so does signing in.
    const again = await Promise.all(
      [taken, free].map(async (form) =>
        caller().call('POST', '/v1/account/create', { ...form, access_code: await accessCode() }),
      ),
    );
    expect(again[0]).toEqual(again[1]);
    const logins = await Promise.all([taken, free].map((form) => signIn(form.username, form.password)));
    expect(logins[0]).toEqual(logins[1]);
    const [mail] = await mailsTo(email.toUpperCase());
    expect(mail?.subject).toBe('You have an account with Muster already');
    expect(mail?.text).not.toMatch(/token=/);
  });

  it.each([
    ['a short password', { password: 'short' }, /^password: must be at least 10/],
    ['a common password', { password: 'password123456' }, /^password: is too easy/],
    ['a common password with signs', { password: 'Passw0rd!123' }, /^password: is too easy/],
    ['the name of the game', { password: 'rise of kingdoms' }, /^password: is too easy/],
    ['a row of keys', { password: 'qwertyuiop' }, /^password: is too easy/],
    ['a name of markup', { username: '<b>bold</b>' }, /^username: /],
    ['no address', { email: 'nowhere' }, /^email: /],
    ['no code', { access_code: '' }, /^access_code: /],
  ])('is refused with %s', async (_, changes, msg) => {
    const answer = await caller().call('POST', '/v1/account/create', await newcomer(changes));
    expect(answer).toMatchObject({ status: 400, success: 0, msg: expect.stringMatching(msg) });
  });

  it('is refused with a password made from their own name', async () => {
    const form = await newcomer();
    const password = `${form.username}-is-my-name`;
    const { status, msg } = await caller().call('POST', '/v1/account/create', { ...form, password });
    expect({ status, msg }).toEqual({
      status: 400,
      msg: 'password: must not contain your own name or e-mail address.',
    });
    // A name of three characters is part of many words.
    const short = { ...form, username: 'Ann', password: 'planner kettle orbit' };
    expect((await caller().call('POST', '/v1/account/create', short)).status).toBe(200);
  });

  it('is dropped after a week without verification, and the username is free', async () => {
    const form = await newcomer();
    await caller().call('POST', '/v1/account/create', form);
    await tidyAccounts(db, Date.now() + 6 * 86_400_000);
    expect(await cell('SELECT count(*) FROM users WHERE username = ?', form.username)).toBe(1);
    await tidyAccounts(db, Date.now() + 8 * 86_400_000);
    expect(await cell('SELECT count(*) FROM users WHERE username = ?', form.username)).toBe(0);
  });
});

describe('a verification link', () => {
  it('works once', async () => {
    const form = await newcomer();
    await caller().call('POST', '/v1/account/create', form);
    const token = await tokenFor(form.email, 'verify');
    expect((await caller().call('POST', '/v1/verify-email', { token })).status).toBe(200);
    expect(await caller().call('POST', '/v1/verify-email', { token })).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/used already/),
    });
  });

  it('that expired is answered with a new one', async () => {
    const form = await newcomer();
    await caller().call('POST', '/v1/account/create', form);
    const id = await cell<string>(
      'SELECT t.id FROM mail_tokens t JOIN users u ON u.id = t.user_id WHERE u.username = ?',
      form.username,
    );
    await env.DB.prepare('UPDATE mail_tokens SET expires_at = 1, created_at = 1 WHERE id = ?').bind(id).run();
    const token = await signToken(env, 'verify', id, Date.now() - 1000);
    expect(await caller().call('POST', '/v1/verify-email', { token })).toMatchObject({
      status: 400,
      msg: 'The link has expired.',
    });
    expect((await mailsTo(form.email)).length).toBe(2);
    const fresh = await tokenFor(form.email, 'verify');
    expect((await caller().call('POST', '/v1/verify-email', { token: fresh })).status).toBe(200);
  });

  it('of another purpose or of nobody is refused', async () => {
    const reset = await signToken(env, 'reset', crypto.randomUUID(), Date.now() + 60_000);
    const unknown = await signToken(env, 'verify', crypto.randomUUID(), Date.now() + 60_000);
    for (const token of [reset, unknown, 'nonsense', `${unknown}x`])
      expect((await caller().call('POST', '/v1/verify-email', { token })).status).toBe(400);
  });
});

describe('a forgotten password', () => {
  it('is reset by a mailed link, once, which ends every session', async () => {
    const form = await newcomer();
    const person = caller();
    await person.call('POST', '/v1/account/create', form);
    await person.call('POST', '/v1/verify-email', { token: await tokenFor(form.email, 'verify') });
    await person.call('POST', '/v1/login', { username: form.username, password: PASSWORD });
    const stranger = await caller().call('POST', '/v1/password-reset', { email: 'nobody@mail.example' });
    const asked = await caller().call('POST', '/v1/password-reset', { email: form.email });
    expect(asked).toEqual(stranger);

    const token = await tokenFor(form.email, 'reset');
    const weak = await caller().call('POST', '/v1/password-reset/confirm', { token, password: 'password123456' });
    expect(weak.status).toBe(400);
    const password = 'another set of words entirely';
    expect((await caller().call('POST', '/v1/password-reset/confirm', { token, password })).status).toBe(200);
    expect((await caller().call('POST', '/v1/password-reset/confirm', { token, password })).status).toBe(400);
    expect((await person.call('GET', '/v1/account')).status).toBe(401);
    expect((await signIn(form.username, PASSWORD)).status).toBe(401);
    expect((await signIn(form.username, password)).status).toBe(200);
    expect((await mailsTo(form.email))[0]?.subject).toBe('Your password was changed');
  });

  it('is not reset by an expired link, or by an older one after a newer was used', async () => {
    const form = await newcomer();
    await caller().call('POST', '/v1/account/create', form);
    await caller().call('POST', '/v1/password-reset', { email: form.email });
    const first = await tokenFor(form.email, 'reset');
    const id = await cell<string>(`SELECT id FROM mail_tokens WHERE kind = 'reset' ORDER BY created_at DESC`);
    const stale = await signToken(env, 'reset', id, Date.now() - 1000);
    const password = 'another set of words entirely';
    expect((await caller().call('POST', '/v1/password-reset/confirm', { token: stale, password })).status).toBe(400);
    await caller().call('POST', '/v1/password-reset', { email: form.email });
    let second = first;
    while (second === first) second = await tokenFor(form.email, 'reset');
    expect((await caller().call('POST', '/v1/password-reset/confirm', { token: second, password })).status).toBe(200);
    expect((await caller().call('POST', '/v1/password-reset/confirm', { token: first, password })).status).toBe(400);
  });
});
