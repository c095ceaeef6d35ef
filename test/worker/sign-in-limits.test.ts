import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import { networkOf } from '../../domain/accounts/network.ts';
import { confirmTwoFactor, startTwoFactor } from '../../worker/models/accounts/two-factor.ts';
import { type Caller, caller, db, insertUser, PASSWORD, type Person, person } from './client.ts';
import { cell } from './people.ts';

let addresses = 0;
const address = () => `198.51.100.${++addresses}`;
const at = (from: string): Caller => caller({ 'cf-connecting-ip': from });
const signIn = (who: Caller, username: string, password = PASSWORD, extra = {}) =>
  who.call('POST', '/v1/login', { username, password, ...extra });

/** Several times what the slowest of these tests takes. */
const MINUTE_LEFT_MS = 5000;

// The limiter counts by clock minute, and no test may span two.
beforeEach(async () => {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < MINUTE_LEFT_MS) await new Promise((next) => setTimeout(next, left + 100));
});

/** Tries wrong passwords from one address after the other until no more are taken. */
async function guessUntilRefused(username: string): Promise<number> {
  for (let tries = 0; tries < 50; tries++)
    if ((await signIn(at(address()), username, `wrong ${tries}`)).status === 429) return tries;
  throw new Error('nothing was refused');
}

describe('a stranger who guesses passwords', () => {
  it('is locked out, but not the owner at a known address or on a known device', async () => {
    const { username } = await insertUser();
    const home = address();
    const browser = at(home);
    expect((await signIn(browser, username)).status).toBe(200);
    await guessUntilRefused(username);
    // The same address, another browser.
    expect((await signIn(at(home), username)).status).toBe(200);
    // The same browser, another address: signing out keeps the device cookie.
    await browser.call('POST', '/v1/logout');
    const { status } = await browser.call(
      'POST',
      '/v1/login',
      { username, password: PASSWORD },
      { 'cf-connecting-ip': address() },
    );
    expect(status).toBe(200);
    expect((await signIn(at(address()), username)).status).toBe(429);
  });

  it('is counted by username, in any spelling', async () => {
    const { username } = await insertUser({ username: `mixed-${crypto.randomUUID().slice(0, 8)}` });
    await guessUntilRefused(username);
    for (const written of [username.toUpperCase(), ` ${username} `, `M${username.slice(1)}`])
      expect((await signIn(at(address()), written)).status).toBe(429);
  });

  it('gets no extra tries from another account’s device or address', async () => {
    const { username } = await insertUser();
    const [thief, elsewhere] = [await person(), address()];
    expect((await signIn(at(elsewhere), thief.username)).status).toBe(200);
    await guessUntilRefused(username);
    expect((await signIn(thief, username)).status).toBe(429);
    expect((await signIn(at(elsewhere), username)).status).toBe(429);
  });

  it('cannot use up another counter with a username that looks like its key', async () => {
    const { username } = await insertUser();
    const home = address();
    expect((await signIn(at(home), username)).status).toBe(200);
    const { username: likeOne } = await insertUser({ username: `address:${home}:${username}` });
    await guessUntilRefused(likeOne);
    expect((await signIn(at(home), username)).status).toBe(200);
  });

  it('is counted by network, and an IPv6 /64 is one network', async () => {
    const token = { token: 'x'.repeat(40), password: PASSWORD };
    const tryFrom = (from: string) => at(from).call('POST', '/v1/password-reset/confirm', token);
    const network = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}`;
    const statuses = [];
    for (let tries = 0; tries < 21; tries++) statuses.push((await tryFrom(`${network}:7::${tries}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(400), 429]);
    expect((await tryFrom(`${network}:0007:1:2:3:4`)).status).toBe(429);
    expect((await tryFrom(`${network}:8::1`)).status).toBe(400);
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('from %j is counted as %j', (from, network) => {
    expect(networkOf(from)).toBe(network);
  });

  it('limits sign-ins per IPv6 network, not per address', async () => {
    const { username } = await insertUser();
    const home = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}:7`;
    expect((await signIn(at(`${home}::1`), username)).status).toBe(200);
    await guessUntilRefused(username);
    expect((await signIn(at(`${home}:aa:bb:cc:dd`), username)).status).toBe(200);
    expect((await signIn(at(`${home.slice(0, -1)}8::1`), username)).status).toBe(429);
    let tries = 0;
    while (tries < 50 && (await signIn(at(`${home}::${++tries}`), username, `wrong ${tries}`)).status !== 429);
    expect(tries).toBeLessThanOrEqual(20);
  });

  it('gets no more tries with the owner’s address or device', async () => {
    const { username } = await insertUser();
    const home = address();
    const browser = at(home);
    await signIn(browser, username);
    for (const one of [() => at(home), () => browser]) {
      let last = 0;
      for (let tries = 0; tries < 50 && last !== 429; tries++)
        last = (await signIn(one(), username, `wrong ${tries}`)).status;
      expect(last).toBe(429);
    }
  });

  it('does not use up the owner’s tries inside a session', async () => {
    const me = await person();
    await guessUntilRefused(me.username);
    const start = (who: Person | Caller) =>
      who.call('POST', '/v1/account/two-factor/start', { current_password: 'wrong' });
    expect((await start(me)).status).toBe(403);
    // A session that guesses is limited too, separately.
    let last = 0;
    for (let tries = 0; tries < 50 && last !== 429; tries++) last = (await start(me)).status;
    expect(last).toBe(429);
  });

  it('cannot use a missing address as a known one', async () => {
    const { username } = await insertUser();
    expect((await signIn(caller(), username)).status).toBe(200);
    expect(await cell(`SELECT count(*) FROM known_addresses WHERE address = ''`)).toBe(0);
    await guessUntilRefused(username);
    expect((await signIn(caller(), username)).status).toBe(429);
  });
});

it('keeps the last twenty addresses of an account', async () => {
  const me = await insertUser();
  const { id } = me;
  const write = env.DB.prepare('INSERT INTO known_addresses (user_id, address, last_seen_at) VALUES (?, ?, ?)');
  await env.DB.batch(Array.from({ length: 20 }, (_, index) => write.bind(id, `old-${index}`, index)));
  const home = address();
  await signIn(at(home), me.username);
  const { results } = await env.DB.prepare('SELECT address FROM known_addresses WHERE user_id = ?').bind(id).all();
  const kept = results.map((row) => row.address);
  expect(kept).toHaveLength(20);
  expect(kept).toContain(home);
  expect(kept).not.toContain('old-0');
});

describe('two-factor codes, in parallel', () => {
  const codeOf = (secret: string, timestamp: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

  it('are checked five at a time, then refused for 15 minutes', async () => {
    const me = await person();
    const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
    await me.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret, Date.now()) });
    const tries = await Promise.all(
      Array.from({ length: 16 }, () => signIn(at(address()), me.username, PASSWORD, { code: '000000' })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(11).fill(429)]);
    expect(tries.find(({ status }) => status === 429)?.msg).toMatch(/15 minutes/);
    const right = codeOf(secret, Date.now() + 30_000);
    expect((await signIn(at(address()), me.username, PASSWORD, { code: right })).status).toBe(429);
  });

  it('confirm the second factor once, with one working set of recovery codes', async () => {
    const me = await person();
    const { secret } = (await me.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
    const code = codeOf(secret, Date.now());
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => me.call('POST', '/v1/account/two-factor/confirm', { code })),
    );
    const confirmed = answers.filter(({ status }) => status === 200);
    expect(confirmed).toHaveLength(1);
    expect(await cell('SELECT count(*) FROM recovery_codes WHERE user_id = ?', me.id)).toBe(10);
    const [recovery] = confirmed[0]?.data.recovery_codes ?? [];
    expect((await signIn(caller(), me.username, PASSWORD, { code: recovery })).status).toBe(200);
  });

  it('confirm only their own secret', async () => {
    const { id, username } = await insertUser();
    const user = { id, username, credentials_version: 0 };
    const first = await startTwoFactor(db, env, user);
    const mail = { to: 'x@mail.example', subject: 's', text: 't', reference: crypto.randomUUID() };
    const about = { user, sessionId: 'none', mail, address: '' };
    await startTwoFactor(db, env, user);
    const code = codeOf(first?.secret ?? '', Date.now());
    expect(await confirmTwoFactor(db, env, code, about)).toBeNull();
  });
});
