import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { signToken } from '../../worker/configuration/signing.ts';
import { userById } from '../../worker/models/accounts/accounts.ts';
import { createKey } from '../../worker/models/accounts/api-keys.ts';
import { openSession } from '../../worker/models/accounts/sessions.ts';
import { sendToken } from '../../worker/models/accounts/verification.ts';
import {
  type Answer,
  caller,
  db,
  makeKey,
  PASSWORD,
  type Person,
  person,
  signedInAdmin,
  signedInUser,
} from './client.ts';
import { cell, codeOf, mailsTo, tokenFor } from './people.ts';

const NEW_PASSWORD = 'quite different words again';

const askChange = (me: Person, email: string) =>
  me.call('POST', '/v1/account/email', { current_password: PASSWORD, email });
const askReset = async (email: string): Promise<string> => {
  await caller().call('POST', '/v1/password-reset', { email });
  return tokenFor(email, 'reset');
};
const confirmChange = (token: string) => caller().call('POST', '/v1/verify-email', { token });
const confirmReset = (token: string) =>
  caller().call('POST', '/v1/password-reset/confirm', { token, password: NEW_PASSWORD });
const stopChange = (token: string) => caller().call('POST', '/v1/email-change/stop', { token });
const emailOf = (me: Person) => cell<string>('SELECT email FROM users WHERE id = ?', me.id);

/** Sets up the second factor and returns its secret. */
async function secondFactorOf(me: Person): Promise<string> {
  const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
  const { status } = await me.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret) });
  expect(status).toBe(200);
  return secret;
}

/** Each change of an account's credentials. */
const CHANGES: readonly [string, (me: Person) => Promise<unknown>][] = [
  [
    'a change of password',
    (me) => me.call('POST', '/v1/account/password', { current_password: PASSWORD, password: NEW_PASSWORD }),
  ],
  ['a reset', async (me) => confirmReset(await askReset(me.email))],
  [
    'a change of address',
    async (me) => {
      await askChange(me, `second-${me.email}`);
      return confirmChange(await tokenFor(`second-${me.email}`, 'change_email'));
    },
  ],
  ['a second factor', secondFactorOf],
  ['deletion', (me) => me.call('POST', '/v1/account/delete', { current_password: PASSWORD, username: me.username })],
];

describe('pending links', () => {
  it.each(CHANGES)('stop working after %s', async (what, change) => {
    const me = await person();
    const thief = `thief-${me.email}`;
    await askChange(me, thief);
    const [address, reset] = [await tokenFor(thief, 'change_email'), await askReset(me.email)];
    await change(me);
    expect((await confirmChange(address)).status).toBe(400);
    expect(await emailOf(me)).not.toBe(thief);
    expect((await confirmReset(reset)).status).toBe(400);
    const signIn = await caller().call('POST', '/v1/login', { username: me.username, password: NEW_PASSWORD });
    expect(signIn.status).toBe(['a change of password', 'a reset'].includes(what) ? 200 : 401);
  });

  it.each<[string, (me: Person, secret: string) => Promise<Answer>]>([
    [
      'its user',
      (me, secret) => {
        const code = codeOf(secret, Date.now() + 30_000);
        return me.call('POST', '/v1/account/two-factor/end', { current_password: PASSWORD, code });
      },
    ],
    [
      'an admin',
      async ({ id }) =>
        (await signedInAdmin()).call('POST', `/v1/admin/accounts/${id}/reset-two-factor`, { reason: 'lost phone' }),
    ],
  ])('stop working after the second factor is removed by %s, as does a sign-in that had begun', async (_, remove) => {
    const me = await person();
    const secret = await secondFactorOf(me);
    await askChange(me, `thief-${me.email}`);
    const address = await tokenFor(`thief-${me.email}`, 'change_email');
    const user = await userById(db, me.id);
    if (!user) throw new Error('no user');
    expect((await remove(me, secret)).status).toBe(200);
    expect((await confirmChange(address)).status).toBe(400);
    const session = { user, userAgent: '', address: '', twoFactor: true };
    await expect(openSession(db, session)).rejects.toThrow('Your account was changed just now.');
  });

  it('keep working when another account changes', async () => {
    const [me, other] = [await person(), await person()];
    await askChange(me, `moved-${me.email}`);
    await other.call('POST', '/v1/account/password', { current_password: PASSWORD, password: NEW_PASSWORD });
    expect((await confirmChange(await tokenFor(`moved-${me.email}`, 'change_email'))).status).toBe(200);
  });

  it('to reset a password work for an hour, those to change an address for a day', async () => {
    const me = await person();
    await askReset(me.email);
    await askChange(me, `moved-${me.email}`);
    const { results } = await env.DB.prepare(
      'SELECT kind, (expires_at - created_at) / 60000 AS minutes FROM mail_tokens WHERE user_id = ? ORDER BY kind',
    )
      .bind(me.id)
      .all();
    expect(results).toEqual([
      { kind: 'change_email', minutes: 24 * 60 },
      { kind: 'reset', minutes: 60 },
    ]);
    // The database row decides, not the token.
    const reset = await tokenFor(me.email, 'reset');
    await env.DB.prepare(`UPDATE mail_tokens SET expires_at = ? WHERE user_id = ?`)
      .bind(Date.now() - 1, me.id)
      .run();
    expect((await confirmReset(reset)).status).toBe(400);
    expect((await confirmChange(await tokenFor(`moved-${me.email}`, 'change_email'))).status).toBe(400);
  });

  it('used several times at once work once', async () => {
    const me = await person();
    const token = await askReset(me.email);
    const answers = await Promise.all(
      ['one set of words here', 'two sets of words here', 'three sets of words here'].map((password) =>
        caller().call('POST', '/v1/password-reset/confirm', { token, password }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await mailsTo(me.email)).filter(({ subject }) => subject === 'Your password was changed')).toHaveLength(1);
  });
});

describe('a change of address', () => {
  it('is announced to the old address, which can stop it', async () => {
    const me = await person();
    const thief = `thief-${me.email}`;
    await askChange(me, thief);
    const [told] = await mailsTo(me.email);
    expect(told?.subject).toBe('Your e-mail address is about to change');
    expect(told?.text).toContain(thief);
    expect(told?.text).toContain('http://muster.test/stop-change?token=');
    const stop = await tokenFor(me.email, 'change_asked');
    const stopped = await stopChange(stop);
    expect(stopped.data.message).toMatch(/^The change was stopped, and your e-mail address stays as it is\./);
    expect((await confirmChange(await tokenFor(thief, 'change_email'))).status).toBe(400);
    expect(await emailOf(me)).toBe(me.email);
    expect(await stopChange(stop)).toMatchObject({
      status: 400,
      msg: 'There is nothing to stop: the change was confirmed or stopped, or the link has expired.',
    });
    expect(await cell(`SELECT count(*) FROM audit_entries WHERE action = 'change_email.stopped'`)).toBe(1);
  });

  it('needs separate links to be confirmed and to be stopped', async () => {
    const me = await person();
    await askChange(me, `moved-${me.email}`);
    const confirm = await tokenFor(`moved-${me.email}`, 'change_email');
    expect((await stopChange(confirm)).status).toBe(400);
    expect((await confirmChange(await tokenFor(me.email, 'change_asked'))).status).toBe(400);
    expect((await confirmChange(confirm)).status).toBe(200);
  });

  it('looks the same in the log and in the old mailbox, whether or not the address is taken', async () => {
    const owner = await person();
    const traces: string[] = [];
    for (const email of [owner.email, `free-${owner.email}`]) {
      const me = await person();
      await askChange(me, email);
      const activity = (await me.call('GET', '/v1/account/activity')).data as { action: string; by: string }[];
      const mails = (await mailsTo(me.email)).map(({ subject }) => subject);
      traces.push(JSON.stringify([activity.map(({ action, by }) => [action, by]), mails]));
    }
    expect(traces[0]).toBe(traces[1]);
    expect(traces[0]).toContain('change_email.requested');
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual([
      'You have an account with Muster already',
    ]);
  });
});

describe('an API key', () => {
  const opens = async (key: string) =>
    (await caller({ authorization: `Bearer ${key}` }).call('GET', '/v1/orders/')).status === 200;

  it('is created only with the password, and is announced by mail', async () => {
    const me = await signedInUser();
    expect(await me.call('POST', '/v1/account/keys', { name: 'k', scopes: ['read'] })).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/^current_password: /),
    });
    const wrong = await makeKey(me, ['read'], { current_password: 'not it' });
    expect(wrong).toMatchObject({ status: 403, msg: 'current_password: is wrong.' });
    expect(await mailsTo(me.email)).toEqual([]);
    expect(await opens((await makeKey(me, ['read'], { name: 'My bot' })).data.key)).toBe(true);
    const [mail] = await mailsTo(me.email);
    expect(mail?.subject).toBe('A new API key was created');
    expect(mail?.text).toContain("'My bot'");
    expect(mail?.text).not.toMatch(/mk_/);
  });

  it('needs the second factor if one is set', async () => {
    const me = await signedInUser();
    const secret = await secondFactorOf(me);
    expect((await makeKey(me)).status).toBe(403);
    expect((await makeKey(me, ['read'], { code: '000000' })).status).toBe(403);
    expect((await makeKey(me, ['read'], { code: codeOf(secret, Date.now() + 30_000) })).status).toBe(200);
    expect(await cell('SELECT count(*) FROM api_keys WHERE user_id = ?', me.id)).toBe(1);
  });

  it('is one of at most 20 active ones, and a refused one is neither mailed nor logged', async () => {
    const me = await signedInUser();
    const { id } = (await makeKey(me)).data;
    // Nineteen more, inserted directly because of the limit per minute.
    await env.DB.prepare(
      `WITH RECURSIVE n(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < 20)
       INSERT INTO api_keys (id, user_id, name, prefix, key_hash, scopes, created_at)
       SELECT ?1 || value, ?1, 'k', 'mk_', ?1 || value, 'read', 0 FROM n`,
    )
      .bind(me.id)
      .run();
    const told = async () => [
      (await mailsTo(me.email)).length,
      await cell(`SELECT count(*) FROM audit_entries WHERE action = 'key.created' AND user_id = ?`, me.id),
    ];
    expect(await makeKey(me)).toMatchObject({ status: 409, msg: 'You have 20 keys already. Revoke one first.' });
    expect(await told()).toEqual([1, 1]);
    await me.call('DELETE', `/v1/account/keys/${id}`);
    expect((await makeKey(me)).status).toBe(200);
    expect((await makeKey(me)).status).toBe(409);
    expect(await told()).toEqual([2, 2]);
  });

  it('ends with a password reset, and on request with a change of password', async () => {
    const [me, other] = [await signedInUser(), await signedInUser()];
    const [kept, others] = [(await makeKey(me)).data.key, (await makeKey(other)).data.key];
    const change = (current_password: string, password: string, about = {}) =>
      me.call('POST', '/v1/account/password', { current_password, password, ...about });
    await change(PASSWORD, NEW_PASSWORD);
    expect(await opens(kept)).toBe(true);
    await change(NEW_PASSWORD, PASSWORD, { end_keys: true });
    expect(await opens(kept)).toBe(false);
    const again = (await makeKey(me)).data.key;
    expect(await opens(again)).toBe(true);
    await confirmReset(await askReset(me.email));
    expect(await opens(again)).toBe(false);
    expect(await opens(others)).toBe(true);
  });
});

describe('a concurrent change of credentials', () => {
  it('refuses keys, links and sessions requested before it', async () => {
    const me = await person();
    const before = await userById(db, me.id);
    if (!before) throw new Error('no user');
    await me.call('POST', '/v1/account/password', { current_password: PASSWORD, password: NEW_PASSWORD });
    const refused = { code: 'conflict', message: 'Your account was changed just now. Please try again.' };
    const mail = { to: me.email, subject: 's', text: 't', reference: crypto.randomUUID() };
    await expect(createKey(db, { user: before, name: 'k', scopes: ['read'], mail, address: '' })).rejects.toMatchObject(
      refused,
    );
    const session = { user: before, userAgent: '', address: '', twoFactor: false };
    await expect(openSession(db, session)).rejects.toMatchObject(refused);
    let id = '';
    await sendToken(
      db,
      before,
      'reset',
      async (token) => {
        id = token;
        return [];
      },
      {},
    );
    expect((await confirmReset(await signToken(env, 'reset', id, Date.now() + 60_000))).status).toBe(400);
    expect(await cell('SELECT count(*) FROM api_keys WHERE user_id = ?', me.id)).toBe(0);
    expect(await cell('SELECT count(*) FROM sessions WHERE user_id = ?', me.id)).toBe(1);
  });
});
