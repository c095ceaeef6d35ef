import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { MAX_SOCKETS } from '../../domain/orders/contract.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Caller,
  caller,
  makeKey,
  PASSWORD,
  type Person,
  scanOf,
  signedInAdmin,
  signedInUser,
} from '../worker/client.ts';
import { tokenFor } from '../worker/people.ts';

/** The number of a user's sockets, and that none outlives the session or key that opened it. */

const HOUR = 3_600_000;
let kingdom = 9100;

async function ordered() {
  const user = await signedInUser();
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([++kingdom])] });
  return { user, orderId: data.order_id as number };
}

const dial = (who: Caller, orderId: number) =>
  who.fetch(`/v1/orders/live?orders=${orderId}`, { headers: { upgrade: 'websocket' } });

/** Opens a socket and waits for its first message. */
async function watch(who: Caller, orderId: number) {
  const { status, webSocket } = await dial(who, orderId);
  if (!webSocket) throw new Error(`no socket: ${status}`);
  const heard: string[] = [];
  const ends: number[] = [];
  webSocket.addEventListener('message', ({ data }) => void heard.push(data as string));
  webSocket.addEventListener('close', ({ code }) => void ends.push(code));
  webSocket.accept();
  await eventually(() => expect(heard).toHaveLength(1));
  return { socket: webSocket, heard, ends };
}

/** Another browser of the user's, signed in. */
async function elsewhere(user: Person): Promise<Caller> {
  const browser = caller();
  const { status } = await browser.call('POST', '/v1/login', { username: user.username, password: PASSWORD });
  expect(status).toBe(200);
  return browser;
}

const ended = ({ ends }: { ends: number[] }) => eventually(() => expect(ends).toEqual([1008]));
const socketsOf = ({ id }: Person) => env.USER_SOCKETS.getByName(id);

describe('a user’s sockets', () => {
  it('are at most ten, also if opened at once, and a closed one makes room', async () => {
    const { user, orderId } = await ordered();
    const { data } = await makeKey(user, ['read']);
    const callers = [user, await elsewhere(user), caller({ authorization: `Bearer ${data.key}` })];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => dial(callers[index % callers.length] as Caller, orderId)),
    );
    const open = answers.flatMap(({ webSocket }) => webSocket ?? []);
    for (const socket of open) socket.accept();
    expect(open).toHaveLength(MAX_SOCKETS);
    const refused = answers.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ success: 0, msg: expect.stringContaining('Close one first') });
    expect((await dial((await ordered()).user, orderId)).status).toBe(404);
    open[0]?.close(1000);
    await eventually(async () => {
      const { webSocket } = await dial(user, orderId);
      webSocket?.accept();
      expect(webSocket).not.toBeNull();
    });
    for (const socket of open) socket.close(1000);
  });

  const change = { current_password: PASSWORD, password: 'five other unrelated words here' };
  it.each<[string, (user: Person, other: Caller) => Promise<unknown>]>([
    ['logout', (_, other) => other.call('POST', '/v1/logout')],
    ['a change of the password', (user) => user.call('POST', '/v1/account/password', change)],
    ['the end of all other sessions', (user) => user.call('POST', '/v1/account/sessions/end-others')],
    [
      'the end of that session',
      async (user) => {
        const { data } = await user.call('GET', '/v1/account/sessions');
        const { id } = data.find(({ current }: { current: boolean }) => !current);
        return user.call('DELETE', `/v1/account/sessions/${id}`);
      },
    ],
  ])('close at %s, and those of the remaining session stay open', async (_, act) => {
    const { user, orderId } = await ordered();
    const other = await elsewhere(user);
    const [own, others] = [await watch(user, orderId), await watch(other, orderId)];
    expect(await act(user, other)).toMatchObject({ status: 200 });
    await ended(others);
    own.socket.send('ping');
    await eventually(() => expect(own.heard.at(-1)).toBe('pong'));
    expect([own.ends, others.heard.length]).toEqual([[], 1]);
    expect((await dial(other, orderId)).status).toBe(401);
    own.socket.close(1000);
  });

  it.each<[string, (user: Person) => Promise<unknown>]>([
    [
      'the deletion of the account',
      (user) => user.call('POST', '/v1/account/delete', { current_password: PASSWORD, username: user.username }),
    ],
    [
      'the end of all sessions by an admin',
      async (user) => (await signedInAdmin()).call('POST', '/v1/admin/sign-out', { username: user.username }),
    ],
    [
      'a reset of the password',
      async (user) => {
        await caller().call('POST', '/v1/password-reset', { email: user.email });
        const token = await tokenFor(user.email, 'reset');
        return caller().call('POST', '/v1/password-reset/confirm', { token, password: 'five other unrelated words' });
      },
    ],
  ])('close at %s, all of them', async (_, act) => {
    const { user, orderId } = await ordered();
    const all = [await watch(user, orderId), await watch(await elsewhere(user), orderId)];
    expect(await act(user)).toMatchObject({ status: 200 });
    for (const each of all) await ended(each);
  });

  it.each(['the same user', 'another user'])('close when their browser signs in again as %s', async (who) => {
    const { user, orderId } = await ordered();
    const browser = await elsewhere(user);
    const [own, replaced] = [await watch(user, orderId), await watch(browser, orderId)];
    const { username } = who === 'another user' ? await signedInUser() : user;
    expect((await browser.call('POST', '/v1/login', { username, password: PASSWORD })).status).toBe(200);
    await ended(replaced);
    expect(own.ends).toEqual([]);
    own.socket.close(1000);
  });

  it('of an API key close when it is revoked', async () => {
    const { user, orderId } = await ordered();
    const { data } = await makeKey(user, ['read']);
    const script = await watch(caller({ authorization: `Bearer ${data.key}` }), orderId);
    const own = await watch(user, orderId);
    expect((await user.call('DELETE', `/v1/account/keys/${data.id}`)).status).toBe(200);
    await ended(script);
    expect(own.ends).toEqual([]);
    own.socket.close(1000);
  });

  it('close when the account is locked', async () => {
    const { user, orderId } = await ordered();
    const { data } = await makeKey(user, ['read']);
    const script = await watch(caller({ authorization: `Bearer ${data.key}` }), orderId);
    const own = await watch(user, orderId);
    const admin = await signedInAdmin();
    const locked = await admin.call('POST', `/v1/admin/accounts/${user.id}/lock`, { reason: 'told us by mail' });
    expect(locked.status).toBe(200);
    await ended(script);
    await ended(own);
  });

  describe('of a session that ended without notice', () => {
    const gone = ({ id }: Person) => env.DB.prepare('DELETE FROM sessions WHERE user_id = ?').bind(id).run();

    it('are not opened', async () => {
      const { user, orderId } = await ordered();
      await gone(user);
      expect((await dial(user, orderId)).status).toBe(401);
      const open = await runInDurableObject(socketsOf(user), (_, state) => state.getWebSockets().length);
      expect(open).toBe(0);
    });

    it('receive nothing more about an order and close', async () => {
      const { user, orderId } = await ordered();
      const watched = await watch(user, orderId);
      await gone(user);
      const { item_id } = (await env.DB.prepare('SELECT id AS item_id FROM items WHERE order_id = ?')
        .bind(orderId)
        .first()) as { item_id: string };
      await env.ORDER_PROGRESS.getByName(String(orderId)).putOff(item_id, Date.now() + HOUR);
      await ended(watched);
      expect(watched.heard).toHaveLength(1);
    });

    it('receive no pong', async () => {
      const { user, orderId } = await ordered();
      const watched = await watch(user, orderId);
      await gone(user);
      watched.socket.send('ping');
      await ended(watched);
      expect(watched.heard).toHaveLength(1);
    });

    it('close within a minute, and the object sleeps once it holds none', async () => {
      const { user, orderId } = await ordered();
      const [old, fresh] = [await watch(user, orderId), await watch(await elsewhere(user), orderId)];
      await env.DB.prepare(
        `UPDATE sessions SET expires_at = ?2 WHERE id =
           (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY created_at LIMIT 1)`,
      )
        .bind(user.id, Date.now() - 1)
        .run();
      expect(await runDurableObjectAlarm(socketsOf(user))).toBe(true);
      await ended(old);
      expect(fresh.ends).toEqual([]);
      await gone(user);
      expect(await runDurableObjectAlarm(socketsOf(user))).toBe(true);
      await ended(fresh);
      expect(await runInDurableObject(socketsOf(user), (_, { storage }) => storage.getAlarm())).toBeNull();
    });
  });

  it('close if their session cannot be checked', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, orderId } = await ordered();
    const watched = await watch(user, orderId);
    await env.DB.exec('ALTER TABLE sessions RENAME TO sessions_away');
    watched.socket.send('ping');
    await ended(watched).finally(() => env.DB.exec('ALTER TABLE sessions_away RENAME TO sessions'));
    vi.restoreAllMocks();
  });
});
