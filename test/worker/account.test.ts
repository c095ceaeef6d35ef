import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { listSessions, SESSION_DAYS } from '../../worker/models/accounts/sessions.ts';
import { checkSecondFactor } from '../../worker/models/accounts/two-factor.ts';
import { MAX_MAIL_ATTEMPTS } from '../../worker/models/messages/outbox.ts';
import { record } from '../../worker/models/service/audit.ts';
import { dropLeftSetbacks } from '../../worker/models/service/job-failures.ts';
import { tidyLibrary } from '../../worker/services/library/save-import.ts';
import { caller, db, fireCron, json, makeKey, PASSWORD, person, scanOf, send, signedInUser } from './client.ts';
import { cell, codeOf, mailsTo, tokenFor } from './people.ts';

const HOUR = 3_600_000;

async function withTwoFactor() {
  const me = await person();
  const started = await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD });
  const { secret } = started.data as { secret: string };
  const confirmed = await me.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret) });
  return { ...me, secret, recovery: confirmed.data.recovery_codes as string[] };
}

describe('an account', () => {
  it('changes its password only with the old one, and ends other sessions', async () => {
    const me = await person();
    const other = caller();
    await other.call('POST', '/v1/login', { username: me.username, password: PASSWORD });
    const password = 'quite different words again';
    const wrong = await me.call('POST', '/v1/account/password', { current_password: 'not it', password });
    expect(wrong).toMatchObject({ status: 403, msg: 'current_password: is wrong.' });
    const changed = await me.call('POST', '/v1/account/password', { current_password: PASSWORD, password });
    expect(changed.status).toBe(200);
    expect((await me.call('GET', '/v1/account')).status).toBe(200);
    expect((await other.call('GET', '/v1/account')).status).toBe(401);
    expect((await me.signIn()).status).toBe(401);
    expect((await mailsTo(me.email))[0]?.subject).toBe('Your password was changed');
  });

  it('changes its address once the new one is verified, and notifies the old one', async () => {
    const me = await person();
    const email = `moved-${me.email}`;
    await me.call('POST', '/v1/account/email', { current_password: PASSWORD, email });
    expect((await me.call('GET', '/v1/account')).data.email).toBe(me.email);
    const token = await tokenFor(email, 'change_email');
    await env.DB.prepare('UPDATE outbox SET sent_at = 1 WHERE recipient = ?').bind(me.email).run();
    expect((await caller().call('POST', '/v1/verify-email', { token })).data.message).toMatch(/was changed/);
    expect((await caller().call('POST', '/v1/verify-email', { token })).status).toBe(400);
    expect((await me.call('GET', '/v1/account')).data.email).toBe(email);
    // Of the old address, nothing else is kept.
    expect((await mailsTo(me.email)).map(({ subject }) => subject)).toEqual(['Your e-mail address was changed']);
  });

  it('answers the same for a taken address, and mails its owner', async () => {
    const [me, owner] = [await person(), await person()];
    const ask = (email: string) => me.call('POST', '/v1/account/email', { current_password: PASSWORD, email });
    const [taken, free] = [await ask(owner.email), await ask(`free-${owner.email}`)];
    expect(taken.status).toBe(free.status);
    expect(taken.data.message.replace(owner.email, '')).toBe(free.data.message.replace(`free-${owner.email}`, ''));
    expect((await mailsTo(owner.email))[0]?.subject).toBe('You have an account with Muster already');
  });

  it('lists its sessions, and ends one or all others', async () => {
    const me = await person();
    const [second, third] = [caller(), caller()];
    for (const each of [second, third])
      await each.call('POST', '/v1/login', { username: me.username, password: PASSWORD });
    const list = (await me.call('GET', '/v1/account/sessions')).data as { id: string; current: boolean }[];
    expect(list).toHaveLength(3);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    const stranger = await person();
    const victim = list.find(({ current }) => !current)?.id;
    expect((await stranger.call('DELETE', `/v1/account/sessions/${victim}`)).status).toBe(404);
    expect((await me.call('DELETE', `/v1/account/sessions/${victim}`)).status).toBe(200);
    expect((await me.call('POST', '/v1/account/sessions/end-others')).data).toEqual({ ended: 1 });
    expect((await second.call('GET', '/v1/account')).status).toBe(401);
    expect((await third.call('GET', '/v1/account')).status).toBe(401);
    expect((await me.call('GET', '/v1/account')).status).toBe(200);
  });

  it('exports its data without secrets', async () => {
    const me = await signedInUser();
    await me.call('POST', '/v1/order/create', { orders: [scanOf([9])] });
    await makeKey(me, ['read'], { name: 'export' });
    const insert = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(me.id, ...values)
        .run();
    await insert(`INSERT INTO issue_reports (user_id, order_id, message, created_at) VALUES (?, 1, 'Mine.', 5)`);
    await insert(
      `INSERT INTO share_links (user_id, id, item_id, created_at, expires_at) VALUES (?1, 'link ' || ?1, 'item', 5, 6)`,
    );
    await insert(
      `INSERT INTO payments (user_id, id, amount_cents, request_key, created_at) VALUES (?1, 'paid ' || ?1, 500, 'k', 5)`,
    );
    await insert(
      `INSERT INTO reversals (user_id, id, payment_id, kind, amount_cents, stage, created_at)
       VALUES (?1, 'back ' || ?1, 'paid ' || ?1, 'refund', 0, 1, 5)`,
    );
    await insert('INSERT INTO balance_alerts (user_id, threshold_cents) VALUES (?, 250)');
    for (let entry = 0; entry < 110; entry++)
      await record(db, { userId: me.id, actor: 'user', action: `did.${entry}` });
    const { data } = await me.call('GET', '/v1/account/export');
    expect(data).toMatchObject({
      account: { username: me.username, balance_cents: 9950 },
      orders: [{ total_cents: 50 }],
      api_keys: [{ name: 'export', scopes: 'read' }],
      issue_reports: [{ order_id: 1, message: 'Mine.', answer: null }],
      share_links: [{ id: `link ${me.id}`, item_id: 'item', order_id: null }],
      payments: [{ id: `paid ${me.id}`, amount_cents: 500, state: 'open' }],
      reversals: [{ payment_id: `paid ${me.id}`, kind: 'refund', covered_cents: 0 }],
      low_balance_cents: 250,
    });
    expect(data.activity.map(({ action }: { action: string }) => action)).toContain('did.0');
    expect(data.ledger).toHaveLength(2);
    expect(JSON.stringify(data)).not.toMatch(/scrypt|key_hash|password_hash/);
  });

  it('is deleted with password and name, and leaves no personal data', async () => {
    const me = await person();
    const { key } = (await makeKey(me)).data;
    const mail = env.DB.prepare(
      `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at, attempts, sent_at)
       VALUES (?1 || ?2, ?1, ?2, '', 1, ?3, ?4, ?5)`,
    );
    const later = Date.now() + 60_000;
    await env.DB.batch([
      mail.bind(me.email, 'On its way', later, 21, null),
      mail.bind(me.email, 'Given up', later, MAX_MAIL_ATTEMPTS, null),
      mail.bind(me.email, 'Sent', 1, 1, 2),
    ]);
    const body = { current_password: PASSWORD, username: me.username };
    expect((await me.call('POST', '/v1/account/delete', { ...body, username: 'other' })).status).toBe(400);
    expect((await me.call('POST', '/v1/account/delete', { ...body, current_password: 'no' })).status).toBe(403);
    const gone = await me.fetch('/v1/account/delete', json(body));
    expect(gone.status).toBe(200);
    // The browser drops its session cookie.
    expect(gone.headers.getSetCookie().join()).toMatch(/session=;[^,]*Max-Age=0/i);
    expect((await me.call('GET', '/v1/account')).status).toBe(401);
    expect((await me.signIn()).status).toBe(401);
    const byKey = caller({ authorization: `Bearer ${key}` });
    expect((await byKey.call('GET', '/v1/orders/')).status).toBe(401);
    const row = await env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(me.id).first();
    expect(JSON.stringify(row)).not.toContain(me.username);
    expect(row).toMatchObject({ email: '', full_name: '', password_hash: '', verified_at: null });
    const mails = (await mailsTo(me.email)).map(({ subject }) => subject);
    expect([mails[0], mails.at(-1)]).toEqual(['Your account was deleted', 'On its way']);
    for (const past of ['Given up', 'Sent']) expect(mails).not.toContain(past);
  });

  it('is deleted even if the store fails, and the hourly cron deletes its files later', async () => {
    const [me, other] = [await signedInUser(0), await signedInUser(0)];
    const files = (id: string) => [`own/${id}/i-1/a.parquet`, `imports/${id}/i-2`, `exports/own/${id}/i-1/v1.csv`];
    for (const key of [...files(me.id), ...files(other.id)]) await env.STORE.put(key, '1');
    const left = async (id: string) => (await Promise.all(files(id).map((key) => env.STORE.head(key)))).filter(Boolean);
    const store = new Proxy(env.STORE, {
      get: () => () => Promise.reject(new Error('the store is gone')),
    });
    const bindings = { ...env, STORE: store };
    const signedIn = await send('/v1/login', json({ username: me.username, password: PASSWORD }), bindings);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const body = { current_password: PASSWORD, username: me.username };
    expect((await send('/v1/account/delete', json(body, { cookie }), bindings)).status).toBe(200);
    expect(await left(me.id)).toHaveLength(3);
    const plan = () =>
      env.DB.prepare(`SELECT tries, next_at, error FROM setbacks WHERE job = ? AND subject = ?`)
        .bind('files of deleted accounts', me.id)
        .first<{ tries: number; next_at: number; error: string | null }>();
    const due = (await plan())?.next_at as number;
    // A full hour, as the cron runs hourly, and late enough for running uploads to end.
    expect([due % HOUR, due - Date.now() > HOUR, due - Date.now() <= 2 * HOUR]).toEqual([0, true, true]);
    await fireCron('0 * * * *', due - 1);
    expect(await left(me.id)).toHaveLength(3);
    await tidyLibrary(bindings, db, due);
    expect(await plan()).toMatchObject({ tries: 1, error: 'the store is gone' });
    // Old entries of this job are kept, because nothing else records the work.
    const later = due + 30 * 24 * HOUR;
    await dropLeftSetbacks(db, later);
    await fireCron('0 * * * *', later);
    expect([await left(me.id), await plan()]).toEqual([[], null]);
    expect(await left(other.id)).toHaveLength(3);
  });

  it('shows its activity', async () => {
    const me = await person();
    await me.call('POST', '/v1/login', { username: me.username, password: 'wrong' });
    const actions = ((await me.call('GET', '/v1/account/activity')).data as { action: string }[]).map((e) => e.action);
    expect(actions).toEqual(['session.refused', 'session.opened']);
    // Shows that it was an admin, but not which one.
    await record(db, { userId: me.id, actor: 'admin:some-id', action: 'session.ended_by_admin' });
    const [last] = (await me.call('GET', '/v1/account/activity')).data as { by: string }[];
    expect(last?.by).toBe('admin');
  });

  it('keeps its log entries from being changed or deleted', async () => {
    const me = await person();
    const write = (sql: string) => env.DB.prepare(sql).bind(me.id).run();
    await expect(write(`UPDATE audit_entries SET action = 'x' WHERE user_id = ?`)).rejects.toThrow(/never changed/);
    await expect(write('DELETE FROM audit_entries WHERE user_id = ?')).rejects.toThrow(/kept for a year/);
  });
});

describe('a session', () => {
  it('is extended with use', async () => {
    const me = await person();
    const old = Date.now() - 20 * 86_400_000;
    await env.DB.prepare('UPDATE sessions SET last_seen_at = ?1, expires_at = ?3 WHERE user_id = ?2')
      .bind(old, me.id, old + SESSION_DAYS * DAY_MS)
      .run();
    const response = await me.fetch('/v1/account');
    expect(response.headers.getSetCookie().join()).toContain(`Max-Age=${SESSION_DAYS * 86_400}`);
    await expect
      .poll(() => cell<number>('SELECT expires_at FROM sessions WHERE user_id = ?', me.id))
      .toBeGreaterThan(Date.now() + (SESSION_DAYS - 1) * DAY_MS);
  });

  it('is not extended past 90 days after sign-in, and is not listed as open afterwards', async () => {
    const me = await person();
    const opened = Date.now() - 85 * DAY_MS;
    await env.DB.prepare('UPDATE sessions SET created_at = ?1, last_seen_at = ?1 WHERE user_id = ?2')
      .bind(opened, me.id)
      .run();
    expect((await me.call('GET', '/v1/account')).status).toBe(200);
    const expires = () => cell<number>('SELECT expires_at FROM sessions WHERE user_id = ?', me.id);
    await expect.poll(expires).toBe(opened + 90 * DAY_MS);
    expect(await listSessions(db, me.id)).toHaveLength(1);
    expect(await listSessions(db, me.id, Date.now() + 6 * DAY_MS)).toEqual([]);
  });

  it('ends when it expires, and 90 days after sign-in at the latest', async () => {
    for (const [column, at] of [
      ['expires_at', Date.now() - 1],
      ['created_at', Date.now() - 91 * 86_400_000],
    ] as const) {
      const me = await person();
      await env.DB.prepare(`UPDATE sessions SET ${column} = ? WHERE user_id = ?`).bind(at, me.id).run();
      expect((await me.call('GET', '/v1/account')).status).toBe(401);
    }
  });

  it('gets a new id at each sign-in, and the old one is deleted', async () => {
    const me = await person();
    const before = await cell<string>('SELECT id FROM sessions WHERE user_id = ?', me.id);
    await me.signIn();
    const after = await cell<string>('SELECT id FROM sessions WHERE user_id = ?', me.id);
    expect(after).not.toBe(before);
    expect(await cell('SELECT count(*) FROM sessions WHERE user_id = ?', me.id)).toBe(1);
  });
});

describe('two-factor sign-in', () => {
  it('asks for a code after the password, and takes each code once', async () => {
    const me = await withTwoFactor();
    expect(me.recovery).toHaveLength(10);
    const asked = await me.signIn();
    expect(asked).toMatchObject({ status: 401, reason: 'two_factor' });
    // The code that confirmed it is used up; the next step's is not.
    expect((await me.signIn({ code: codeOf(me.secret) })).status).toBe(401);
    const next = codeOf(me.secret, Date.now() + 30_000);
    expect((await me.signIn({ code: next })).status).toBe(200);
    expect((await me.signIn({ code: next })).status).toBe(401);
    expect(await cell('SELECT max(two_factor) FROM sessions WHERE user_id = ?', me.id)).toBe(1);
  });

  it('takes a recovery code once', async () => {
    const me = await withTwoFactor();
    const [code] = me.recovery;
    expect((await me.signIn({ code })).status).toBe(200);
    expect((await me.signIn({ code })).status).toBe(401);
  });

  it('blocks all codes for 15 minutes after five wrong ones', async () => {
    const me = await withTwoFactor();
    const now = Date.now() + 60_000;
    for (let tries = 0; tries < 5; tries++)
      expect(await checkSecondFactor(db, env, me.id, '000000', now)).toBe('wrong');
    expect(await checkSecondFactor(db, env, me.id, codeOf(me.secret, now), now)).toBe('blocked');
    const later = now + 16 * 60_000;
    expect(await checkSecondFactor(db, env, me.id, codeOf(me.secret, later), later)).toBe('right');
  });

  it('is stored encrypted, and is switched off with password and code', async () => {
    const me = await withTwoFactor();
    expect(await cell<string>('SELECT secret FROM two_factor WHERE user_id = ?', me.id)).not.toContain(me.secret);
    const end = (code: string) => me.call('POST', '/v1/account/two-factor/end', { current_password: PASSWORD, code });
    expect((await end('000000')).status).toBe(403);
    expect((await end(me.recovery[1] ?? '')).status).toBe(200);
    expect((await me.signIn()).status).toBe(200);
    expect((await me.call('GET', '/v1/account')).data.two_factor).toBe(false);
  });
});

describe('an API key', () => {
  const keyOf = async (me: Awaited<ReturnType<typeof signedInUser>>, scopes: string[]) => {
    const { data } = await makeKey(me, scopes);
    return { id: data.id as string, ...caller({ authorization: `Bearer ${data.key}` }) };
  };

  it('reads and orders as its scopes allow', async () => {
    const me = await signedInUser();
    const [reader, buyer] = [await keyOf(me, ['read']), await keyOf(me, ['order'])];
    const order = { orders: [scanOf([12])] };
    expect(await reader.call('POST', '/v1/order/create', order)).toMatchObject({
      status: 403,
      msg: "This API key lacks the scope 'order'.",
    });
    expect((await buyer.call('POST', '/v1/order/create', order)).status).toBe(200);
    expect((await buyer.call('GET', '/v1/orders/')).status).toBe(403);
    expect((await reader.call('GET', '/v1/orders/')).data.orders).toHaveLength(1);
    await expect
      .poll(() => cell('SELECT count(*) FROM api_keys WHERE user_id = ? AND last_used_at > 0', me.id))
      .toBe(2);
    expect(await cell(`SELECT count(*) FROM audit_entries WHERE action = 'key.used' AND user_id = ?`, me.id)).toBe(2);
  });

  it('opens no account, key or money route, whatever its scopes', async () => {
    const key = await keyOf(await signedInUser(), ['read', 'order']);
    for (const [method, path] of [
      ['GET', '/v1/account'],
      ['GET', '/v1/account/keys'],
      ['POST', '/v1/account/keys'],
      ['GET', '/v1/account/export'],
      ['GET', '/v1/account/sessions'],
      ['GET', '/v1/account/balance'],
      ['POST', '/v1/account/delete'],
      ['POST', '/v1/account/password'],
      ['POST', '/v1/payment/checkout'],
    ] as const)
      expect(await key.call(method, path, method === 'POST' ? {} : undefined)).toMatchObject({
        status: 403,
        msg: 'API keys cannot make this call. Sign in on the website.',
      });
  });

  it('is stored as a hash, listed by its prefix, and refused once revoked', async () => {
    const me = await signedInUser();
    const made = (await makeKey(me, ['read'], { name: 'One' })).data;
    const row = await env.DB.prepare('SELECT * FROM api_keys WHERE id = ?').bind(made.id).first();
    expect(JSON.stringify(row)).not.toContain(made.key);
    const [listed] = (await me.call('GET', '/v1/account/keys')).data;
    expect(listed).toMatchObject({ name: 'One', prefix: made.key.slice(0, 9), scopes: ['read'], last_used_at: null });
    const stranger = await signedInUser();
    expect((await stranger.call('DELETE', `/v1/account/keys/${made.id}`)).status).toBe(404);
    expect((await me.call('DELETE', `/v1/account/keys/${made.id}`)).status).toBe(200);
    const revoked = caller({ authorization: `Bearer ${made.key}` });
    expect(await revoked.call('GET', '/v1/orders/')).toMatchObject({
      status: 401,
      msg: 'This API key is unknown or was revoked.',
    });
  });
});
