import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { userById } from '../../worker/models/accounts/accounts.ts';
import { noteKeyUse, userOfKey } from '../../worker/models/accounts/api-keys.ts';
import { register } from '../../worker/models/accounts/registration.ts';
import {
  isStale,
  listSessions,
  openSession,
  touchSession,
  userOfSession,
} from '../../worker/models/accounts/sessions.ts';
import {
  changeAddress,
  resendVerification,
  resetPassword,
  sendToken,
  stopAddressChange,
  verifyAddress,
} from '../../worker/models/accounts/verification.ts';
import { addReport, endLink, linksOf, openLink, reportBehind } from '../../worker/models/compare/reports.ts';
import {
  beginImport,
  dropImport,
  expiredImports,
  filesToday,
  importOf,
  nextFileAt,
} from '../../worker/models/library/imports.ts';
import { allShares, openShare, revokeShare, sharedItem, sharesOf } from '../../worker/models/orders/shares.ts';
import { tidyAccounts } from '../../worker/services/accounts/delete-accounts.ts';
import { eventually } from '../support/eventually.ts';
import { bot, db, insertUser, makeKey, PASSWORD, person, scanOf, signedInUser, work } from './client.ts';
import { accessCode, cell, newcomer } from './people.ts';

/** Sessions, links, files and codes work until their last millisecond. The clock is the test's own. */

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];
/** Far ahead, so that rows written by the real clock do not interfere. */
const NOW = Date.now() + 1000 * DAY;

const userNow = async (about: object = {}) => {
  const { id } = await insertUser(about);
  const user = await userById(db, id);
  if (!user) throw new Error('no user');
  return user;
};
const mail = (to: string) => ({ to, subject: 's', text: 't', reference: `test:${crypto.randomUUID()}` });
const from = { userAgent: 'test', address: '', twoFactor: false };

describe('a session', () => {
  it('ends thirty days after its last use, and ninety after its sign-in', async () => {
    const user = await userNow();
    const id = await openSession(db, { user, ...from }, NOW);
    const works = async (at: number) => {
      const found = (await userOfSession(db, id, at))?.user.id === user.id;
      return found;
    };
    expect(await works(NOW + 30 * DAY - 1)).toBe(true);
    expect(await listSessions(db, user.id, NOW + 30 * DAY - 1)).toHaveLength(1);
    expect(await works(NOW + 30 * DAY)).toBe(false);
    expect(await listSessions(db, user.id, NOW + 30 * DAY)).toEqual([]);
    for (const day of [29, 58, 87]) await touchSession(db, id, NOW + day * DAY);
    expect(await works(NOW + 90 * DAY - 1)).toBe(true);
    expect(await works(NOW + 90 * DAY)).toBe(false);
  });

  it('is extended at most once an hour, without touching other sessions', async () => {
    const user = await userNow();
    const [id, other] = [await openSession(db, { user, ...from }, NOW), await openSession(db, { user, ...from }, NOW)];
    const session = async () => (await userOfSession(db, id, NOW))?.session as Parameters<typeof isStale>[0];
    expect(isStale(await session(), NOW + HOUR)).toBe(false);
    expect(isStale(await session(), NOW + HOUR + 1)).toBe(true);
    await touchSession(db, id, NOW + DAY);
    expect(await session()).toMatchObject({ last_seen_at: NOW + DAY, expires_at: NOW + 31 * DAY });
    expect(await cell('SELECT expires_at FROM sessions WHERE id = ?', other)).toBe(NOW + 30 * DAY);
    expect((await listSessions(db, user.id, NOW)).map((one) => one.id)).toEqual([id, other]);
  });
});

describe('a mailed link', () => {
  type User = Awaited<ReturnType<typeof userNow>>;
  const sent = async (user: User, kind: 'verify' | 'reset' | 'change_email', at = NOW) => {
    let id = '';
    const mails = async (tokenId: string) => {
      id = tokenId;
      return [];
    };
    await sendToken(db, user, kind, mails, { email: `new-${user.email}` }, at);
    return id;
  };
  const USES = {
    'proves an address': {
      kind: 'verify',
      life: DAY,
      use: (_: User, id: string, at: number) => verifyAddress(db, id, '', at),
    },
    'sets a password': {
      kind: 'reset',
      life: HOUR,
      use: (user: User, tokenId: string, at: number) =>
        resetPassword(db, { tokenId, user, address: '' }, PASSWORD, mail(user.email), at),
    },
    'changes an address': {
      kind: 'change_email',
      life: DAY,
      use: async (user: User, tokenId: string, at: number) =>
        (await changeAddress(db, { tokenId, user, address: '' }, async (to) => mail(to), at)) === 'changed',
    },
    'stops a change of address': {
      kind: 'change_email',
      life: DAY,
      use: (user: User, tokenId: string, at: number) => stopAddressChange(db, { tokenId, user, address: '' }, at),
    },
  } as const;

  it.each(Object.entries(USES))('that %s works once, until it expires', async (_, { kind, life, use }) => {
    const [user, other] = [await userNow({ verified_at: null }), await userNow({ verified_at: null })];
    const [id, others] = [await sent(user, kind), await sent(other, kind)];
    expect(await use(user, id, NOW + life)).toBe(false);
    expect(await use(user, id, NOW + life - 1)).toBe(true);
    const again = (await userById(db, user.id)) ?? user;
    expect(await use(again, id, NOW + life - 1)).toBe(false);
    // Using one link does not change another user's link.
    expect(await use(other, others, NOW + life - 1)).toBe(true);
  });

  it('of one kind does not work as another kind', async () => {
    const user = await userNow({ verified_at: null });
    for (const { kind } of Object.values(USES)) {
      const id = await sent(user, kind);
      for (const each of Object.values(USES).filter((other) => other.kind !== kind))
        expect({ kind, to: each.kind, used: await each.use(user, id, NOW) }).toMatchObject({ used: false });
    }
  });

  it('to verify an address is sent again after a minute, to unverified users only', async () => {
    const count = (id: string) => cell<number>(`SELECT count(*) FROM mail_tokens WHERE user_id = ?`, id);
    const none = async () => [];
    const user = await userNow({ verified_at: null });
    for (const at of [NOW, NOW + 60 * SECOND - 1]) await resendVerification(db, user, none, at);
    expect(await count(user.id)).toBe(1);
    await resendVerification(db, user, none, NOW + 60 * SECOND);
    expect(await count(user.id)).toBe(2);
    // A recent link of another kind does not delay it.
    const forgetful = await userNow({ verified_at: null });
    await sent(forgetful, 'reset');
    await resendVerification(db, forgetful, none, NOW);
    expect(await count(forgetful.id)).toBe(2);
    for (const about of [{}, { verified_at: null, deleted_at: 1 }, { verified_at: null, email: '' }]) {
      const another = await userNow(about);
      await resendVerification(db, another, none, NOW);
      expect(await count(another.id)).toBe(0);
    }
  });
});

describe('a share link', () => {
  const share = { owner: '', itemId: '' };
  beforeAll(async () => {
    const owner = await signedInUser();
    await owner.call('POST', '/v1/order/create', { orders: [scanOf([4711])] });
    await work(await bot());
    const item = async () => (await owner.call('GET', '/v1/orders/')).data.orders[0].items[0];
    await eventually(async () => expect((await item()).state).toBe('done'));
    Object.assign(share, { owner: owner.id, itemId: (await item()).item_id });
  });

  it('to results works and is listed until it expires', async () => {
    const { owner: userId, itemId } = share;
    const link = await openShare(db, { itemId, userId, days: 3 }, NOW);
    const id = link?.id ?? '';
    const shown = async (at: number) => [
      (await sharedItem(db, id, at)) !== null,
      (await sharesOf(db, userId, itemId, at)).length,
      (await allShares(db, userId, at)).length,
    ];
    expect(await shown(NOW + 3 * DAY - 1)).toEqual([true, 1, 1]);
    expect(await shown(NOW + 3 * DAY)).toEqual([false, 0, 0]);
    expect(await revokeShare(db, { userId: 'somebody', itemId, id }, NOW)).toBe(false);
    expect(await revokeShare(db, { userId, itemId: 'another', id }, NOW)).toBe(false);
    expect(await revokeShare(db, { userId, itemId, id }, NOW)).toBe(true);
    expect(await revokeShare(db, { userId, itemId, id }, NOW)).toBe(false);
    expect(await shown(NOW)).toEqual([false, 0, 0]);
    expect(await sharesOf(db, 'somebody', itemId, NOW)).toEqual([]);
  });

  it('to a report works until it expires, and at most 20 work at a time', async () => {
    const { id: userId } = await userNow();
    const made = await addReport(db, userId, 'rok', { name: 'War', ranges: [], settings: {} as never }, NOW);
    const report_id = made ?? '';
    const link = await openLink(db, userId, report_id, 3, NOW);
    const link_id = link?.id ?? '';
    expect(await openLink(db, 'somebody', report_id, 3, NOW)).toBeNull();
    const shown = async (at: number) => [
      (await reportBehind(db, link_id, at))?.user_id ?? null,
      (await linksOf(db, userId, report_id, at)).length,
    ];
    expect(await shown(NOW + 3 * DAY - 1)).toEqual([userId, 1]);
    expect(await shown(NOW + 3 * DAY)).toEqual([null, 0]);
    for (let more = 0; more < 19; more++) expect(await openLink(db, userId, report_id, 3, NOW)).not.toBeNull();
    expect(await openLink(db, userId, report_id, 1, NOW + 3 * DAY - 1)).toBeNull();
    expect(await openLink(db, userId, report_id, 1, NOW + 3 * DAY)).not.toBeNull();
    expect(await endLink(db, 'somebody', { report_id, link_id }, NOW)).toBe(false);
    expect(await endLink(db, userId, { report_id: 'another', link_id }, NOW)).toBe(false);
    expect(await endLink(db, userId, { report_id, link_id }, NOW)).toBe(true);
    expect(await endLink(db, userId, { report_id, link_id }, NOW)).toBe(false);
    expect(await shown(NOW)).toEqual([null, 20]);
  });
});

describe('an uploaded file that is not saved yet', () => {
  const file = (user_id: string, content_hash = 'a') => ({
    user_id,
    name: 'scan.csv',
    content_hash,
    said: { kingdom: null, captured_at: null },
  });

  it('is kept for a day, and the same upload reuses it for 12 hours', async () => {
    const [{ id: me }, { id: other }] = [await userNow(), await userNow()];
    const begin = async (at: number, about = file(me)) => (await beginImport(db, about, 10, at))?.id ?? '';
    const id = await begin(NOW);
    expect(await begin(NOW + DAY / 2 - 1)).toBe(id);
    for (const about of [file(other), file(me, 'b'), { ...file(me), name: 'b.csv' }])
      expect(await begin(NOW, about)).not.toBe(id);
    expect(await begin(NOW, { ...file(me), said: { kingdom: 1001, captured_at: null } } as never)).not.toBe(id);
    expect(await begin(NOW + DAY / 2)).not.toBe(id);
    expect((await importOf(db, me, id, NOW + DAY - 1))?.id).toBe(id);
    expect(await importOf(db, me, id, NOW + DAY)).toBeNull();
    expect(await importOf(db, other, id, NOW)).toBeNull();
    const stale = async (at: number) => (await expiredImports(db, at)).map((each) => each.id);
    expect(await stale(NOW + DAY - 1)).not.toContain(id);
    expect(await stale(NOW + DAY)).toContain(id);
    await dropImport(db, id, NOW + DAY - 1);
    expect(await cell('SELECT count(*) FROM imports WHERE id = ?', id)).toBe(1);
    await dropImport(db, id, NOW + DAY);
    expect(await cell('SELECT count(*) FROM imports WHERE id = ?', id)).toBe(0);
    expect(await cell('SELECT count(*) FROM imports WHERE user_id = ?', other)).toBe(1);
  });

  it('says when the next file passes the limit', async () => {
    const { id } = await userNow();
    const begin = async (hash: string, at: number) => (await beginImport(db, file(id, hash), 2, at)) !== null;
    for (const [hash, at] of [
      ['a', NOW],
      ['b', NOW + HOUR],
      ['c', NOW + 2 * HOUR],
    ] as const)
      await beginImport(db, file(id, hash), 3, at);
    // The limit may have been lowered meanwhile.
    const next = await nextFileAt(db, id, 2, NOW + 3 * HOUR);
    expect(next).toBe(NOW + HOUR + DAY);
    expect([await begin('d', next - 1), await begin('d', next)]).toEqual([false, true]);
  });

  it('counts towards a limit per 24 hours', async () => {
    const { id } = await userNow();
    const begin = async (hash: string, at: number) => (await beginImport(db, file(id, hash), 2, at)) !== null;
    expect([await begin('a', NOW), await begin('b', NOW + HOUR), await begin('c', NOW + DAY - 1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await filesToday(db, id, NOW + DAY - 1), await filesToday(db, id, NOW + DAY)]).toEqual([2, 1]);
    expect([await begin('c', NOW + DAY), await begin('d', NOW + DAY)]).toEqual([true, false]);
  });
});

it('an access code works once, until it expires', async () => {
  const code = await accessCode(1, NOW);
  const tried = async (at: number) => {
    const { username, email, fullname, password } = await newcomer({ access_code: code });
    const form = {
      username,
      email,
      full_name: fullname,
      password,
      access_code: code,
      address: '',
      language: 'en' as const,
    };
    return register(db, form, { verify: async () => mail(email), taken: async () => mail(email) }, at);
  };
  expect(await tried(NOW)).toBe('code_refused');
  expect(await tried(NOW - 1)).toBe('created');
  expect(await tried(NOW - 1)).toBe('code_refused');
});

it('an unverified account is removed after a week, unless it has money or was deleted', async () => {
  const about = { verified_at: null, created_at: NOW };
  const [plain, proved, gone] = [
    await insertUser(about),
    await insertUser({ created_at: NOW }),
    await insertUser({ ...about, deleted_at: NOW }),
  ];
  const rich = await signedInUser();
  await env.DB.prepare('UPDATE users SET verified_at = NULL, created_at = ? WHERE id = ?').bind(NOW, rich.id).run();
  const session = await openSession(db, { user: await userNow(), ...from }, NOW - 23 * DAY);
  const left = async (at: number) => {
    await tidyAccounts(db, at);
    const isThere = ({ id }: { id: string }) => cell<number>('SELECT count(*) FROM users WHERE id = ?', id);
    return Promise.all([plain, proved, gone, rich].map(isThere));
  };
  const sessions = () => cell<number>('SELECT count(*) FROM sessions WHERE id = ?', session);
  expect(await left(NOW + 7 * DAY)).toEqual([1, 1, 1, 1]);
  expect(await sessions()).toBe(1);
  expect(await left(NOW + 7 * DAY + 1)).toEqual([0, 1, 1, 1]);
  expect(await sessions()).toBe(0);
});

it('key use is recorded once a minute and logged once an hour', async () => {
  const me = await person();
  const { key } = (await makeKey(me)).data;
  const use = async (at: number) => {
    const found = await userOfKey(db, key);
    if (found) await noteKeyUse(db, found.key, '', at);
    return [
      (await userOfKey(db, key))?.key.last_used_at,
      await cell(`SELECT count(*) FROM audit_entries WHERE user_id = ? AND action = 'key.used'`, me.id),
    ];
  };
  expect(await use(NOW)).toEqual([NOW, 1]);
  expect(await use(NOW + 60 * SECOND - 1)).toEqual([NOW, 1]);
  expect(await use(NOW + 60 * SECOND)).toEqual([NOW + 60 * SECOND, 1]);
  expect(await use(NOW + 60 * SECOND + HOUR - 1)).toEqual([NOW + 60 * SECOND + HOUR - 1, 1]);
  expect(await use(NOW + 60 * SECOND + 2 * HOUR)).toEqual([NOW + 60 * SECOND + 2 * HOUR, 2]);
});
