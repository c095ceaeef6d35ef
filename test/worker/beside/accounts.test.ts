import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { MAX_KEYS } from '../../../domain/accounts/account.ts';
import { createAccessCode, revokeAccessCode } from '../../../worker/models/accounts/access-codes.ts';
import { acceptEula, userByEmail, userById, userByName } from '../../../worker/models/accounts/accounts.ts';
import { createKey, noteKeyUse, revokeKey, userOfKey } from '../../../worker/models/accounts/api-keys.ts';
import { knownAddressStatements, signInUser } from '../../../worker/models/accounts/known-addresses.ts';
import { ownGovernorsWithNames, setOwnGovernors } from '../../../worker/models/accounts/own-governors.ts';
import { personalData } from '../../../worker/models/accounts/personal-data.ts';
import { dropExpired, dropUnverified, unverifiedUsers } from '../../../worker/models/accounts/registration.ts';
import { replaceSealed, sealedByKey, sealedOtherwise } from '../../../worker/models/accounts/sealed.ts';
import {
  closeOtherSessions,
  closeOwnSession,
  closeSession,
  endSessionsAsAdmin,
  openSession,
  touchSession,
} from '../../../worker/models/accounts/sessions.ts';
import {
  checkSecondFactor,
  endTwoFactor,
  hasTwoFactor,
  startTwoFactor,
} from '../../../worker/models/accounts/two-factor.ts';
import {
  changeAddress,
  sendToken,
  stopAddressChange,
  verifyAddress,
} from '../../../worker/models/accounts/verification.ts';
import { lastVisit, noteVisit, visitOf } from '../../../worker/models/accounts/visits.ts';
import { botsNamed, pageOfBots } from '../../../worker/models/fleet/bot-lists.ts';
import { groupOfToken, onlineBots, recordHeartbeat } from '../../../worker/models/fleet/bots.ts';
import { listAllOrders } from '../../../worker/models/orders/all-orders.ts';
import {
  addGroup,
  resetTwoFactor,
  revokeGroup,
  rotateGroup,
  setRole,
} from '../../../worker/models/service/operator.ts';
import { serviceFigures } from '../../../worker/models/service/overview.ts';
import { db } from '../client.ts';
import { address, admin, DAY, type Fields, HOUR, MINUTE, NOW, TABLES, writeAccounts } from './accounts-world.ts';
import { expectAsWritten, insertion } from './changes.ts';

/** Two users, and others in various states: what a call changes, and that it changes nothing else. */

let isFresh = false;
beforeEach(async () => {
  const wasFresh = isFresh;
  isFresh = false;
  if (!wasFresh) await writeAccounts();
});

const me = async () => {
  const user = await userById(db, 'me');
  if (!user) throw new Error('me');
  return user;
};
const mail = { to: 'me@example.com', subject: 's', text: 't', reference: 'mail' };
const keys = { SESSION_KEYS: env.SESSION_KEYS };
const signingIn = async (name: string) => {
  const found = await signInUser(db, name);
  return found && { ...found, user: undefined, id: found.user.id };
};
const noMails = async () => [];
const codeId = async (code: string) =>
  (await env.DB.prepare('SELECT id FROM access_codes WHERE code = ?').bind(code).first<{ id: number }>())?.id ?? 0;
const beat = {
  bot_id: 'a',
  account_game: 'cod',
  kingdom_id: 7,
  packets_count: 1,
  tasking_count: 2,
  tasking_count_failed: 3,
};

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'users by name and address': async () => {
    const found = [
      await userByName(db, 'THE ME'),
      await userByName(db, 'me'),
      await userByEmail(db, 'HIM@example.com'),
    ];
    return found.map((user) => user?.id);
  },
  'accepting the licence': () => acceptEula(db, { userId: 'me', version: 2, address }, NOW),
  'signing in': async () =>
    openSession(
      db,
      { user: await me(), userAgent: 'z'.repeat(201), address: '192.0.2.10', twoFactor: false },
      NOW,
    ).then(() => null),
  'extending a session': () => touchSession(db, 'me now', NOW),
  'signing out': () => closeSession(db, 'me now'),
  'ending a session of mine': async () => [
    await closeOwnSession(db, 'me', 'me other'),
    await closeOwnSession(db, 'me', 'him other'),
    await closeOwnSession(db, 'me', 'none'),
  ],
  'ending all other sessions': () =>
    closeOtherSessions(db, { userId: 'me', keptId: 'me now', address }).then((count) => count),
  'ending a user’s sessions': () => endSessionsAsAdmin(db, 'me', admin, NOW),
  'ending all users’ sessions': () => endSessionsAsAdmin(db, null, admin, NOW),
  'dropping expired rows': () => dropExpired(db, NOW),
  'users not verified in time': async () => (await unverifiedUsers(db, NOW)).sort(),
  'dropping unverified users': async () => {
    for (const id of ['stale', 'young', 'rich', 'gone', 'me']) await dropUnverified(db, id, NOW);
  },
  'verifying an address': async () => [
    await verifyAddress(db, 'me verify', address, NOW),
    await verifyAddress(db, 'me again', address, NOW),
  ],
  'verifying with links that do not work': async () => {
    const answers = [];
    for (const name of ['used', 'over', 'stale', 'change', 'reset', 'none'])
      answers.push(await verifyAddress(db, `me ${name}`, address, NOW));
    return answers;
  },
  'changing an address': async () =>
    changeAddress(
      db,
      { tokenId: 'me change', user: await me(), address },
      async (to) => ({ ...mail, subject: to }),
      NOW,
    ),
  'stopping a change of address': async () =>
    stopAddressChange(db, { tokenId: 'me change', user: await me(), address }, NOW),
  'a change of address by another user’s link': async () =>
    changeAddress(db, { tokenId: 'him change', user: await me(), address }, async () => mail, NOW),
  'sending a link': async () => sendToken(db, await me(), 'reset', noMails, { address }, NOW),
  'creating a key': async () =>
    createKey(db, { user: await me(), name: 'new', scopes: ['read'], mail, address }, NOW).then(
      (key) => key?.key.length,
    ),
  'revoking keys': async () => [
    await revokeKey(db, 'me', 'me key', address, NOW),
    await revokeKey(db, 'me', 'me key', address, NOW + 1),
    await revokeKey(db, 'me', 'him key', address, NOW),
  ],
  'users of keys': async () => {
    await env.DB.prepare(`UPDATE users SET deleted_at = 1 WHERE id = 'him'`).run();
    const found = await Promise.all(['mk_me', 'mk_me revoked', 'mk_him', 'mk_none'].map((key) => userOfKey(db, key)));
    return found.map((each) => each && [each.user.id, each.key.id, each.scopes]);
  },
  'using keys': async () => {
    for (const name of ['mk_me', 'mk_me used']) {
      const found = await userOfKey(db, name);
      if (found) await noteKeyUse(db, found.key, address, NOW);
    }
  },
  'using a key within a minute': async () => {
    const found = await userOfKey(db, 'mk_me used');
    if (found) await noteKeyUse(db, found.key, address, NOW - 1);
  },
  'using a key an hour later': async () => {
    const found = await userOfKey(db, 'mk_me used');
    if (!found) throw new Error('no key');
    await noteKeyUse(db, found.key, address, NOW - MINUTE + HOUR - 1);
    await noteKeyUse(db, found.key, address, NOW - MINUTE + HOUR);
  },
  'a known address': () => db.$client.batch(knownAddressStatements(db, 'me', address, NOW)).then(() => null),
  'known and unknown users': async () => [await signingIn('THE ME'), await signingIn('nobody')],
  'using a recovery code twice': async () => [
    await checkSecondFactor(db, keys, 'me', 'ONE', NOW),
    await checkSecondFactor(db, keys, 'me', 'one', NOW),
  ],
  'two wrong codes': async () => [
    await checkSecondFactor(db, keys, 'me', 'wrong', NOW),
    await checkSecondFactor(db, keys, 'me', 'wrong', NOW),
    await checkSecondFactor(db, keys, 'me', 'two', NOW + 15 * MINUTE - 1),
    await checkSecondFactor(db, keys, 'me', 'two', NOW + 15 * MINUTE),
  ],
  'beginning a second factor that exists': () => startTwoFactor(db, keys, { id: 'me', username: 'me' }),
  'ending a second factor': async () => [
    await endTwoFactor(db, { user: await me(), mail, address }, NOW),
    ...[await hasTwoFactor(db, 'me'), await hasTwoFactor(db, 'him')],
  ],
  'a second factor that support resets': async () => [
    await resetTwoFactor(db, { name: 'op' }, { userId: 'me', email: 'me@example.com', proof: 'p' }, NOW),
    await resetTwoFactor(db, { name: 'op' }, { userId: 'me', email: 'me@example.com', proof: 'p' }, NOW),
  ],
  'secrets sealed with other keys': async () => [
    (await sealedOtherwise(db, 'k1', ['k1', 'k2'], 9)).map(({ user_id, sealed }) => [user_id, sealed]),
    (await sealedOtherwise(db, 'k2', ['k1', 'k2'], 1)).map(({ user_id, sealed }) => [user_id, sealed]),
    [...(await sealedByKey(db))],
  ],
  'resealing secrets': async () => {
    for (const each of await sealedOtherwise(db, 'k2', ['k1'], 9)) await replaceSealed(db, each, `new ${each.user_id}`);
    const [first] = await sealedOtherwise(db, 'k1', ['k2'], 9);
    if (first) await replaceSealed(db, { ...first, sealed: 'k2.another' }, 'lost');
  },
  'a visit': async () => [await lastVisit(db, 'me', NOW), await noteVisit(db, 'me', NOW), await visitOf(db, 'her')],
  'a visit after four hours': async () => [await lastVisit(db, 'me', NOW + 1), await noteVisit(db, 'me', NOW + 1)],
  'a visit within five minutes': () => noteVisit(db, 'me', NOW - 4 * HOUR + 5 * MINUTE),
  'a first visit': async () => [await lastVisit(db, 'chief', NOW), await noteVisit(db, 'chief', NOW)],
  'my governors': () => ownGovernorsWithNames(db, 'me'),
  'changing my governors': () => setOwnGovernors(db, 'me', { rok: [7, 5], cod: [] }),
  'creating access codes': async () => [
    await createAccessCode(db, { code: 'NEW', max_uses: 3, note: 'n' }, admin, NOW),
    await createAccessCode(db, { code: 'CODE-me', max_uses: 3, note: 'n' }, admin, NOW),
  ],
  'revoking access codes': async () => [
    await revokeAccessCode(db, await codeId('CODE-me'), admin, NOW),
    await revokeAccessCode(db, await codeId('CODE-me'), admin, NOW + 1),
  ],
  'granting a role': async () => [
    await setRole(db, { name: 'op' }, 'me', 'admin', NOW),
    await setRole(db, { name: 'op' }, 'me', 'admin', NOW),
  ],
  'removing a role': () => setRole(db, { name: 'op' }, 'chief', 'user', NOW),
  'groups of bots': async () => {
    const added = await addGroup(db, { name: 'op' }, { id: 'new', name: 'New' }, NOW);
    const rotated = await rotateGroup(db, { name: 'op' }, 'me group', NOW);
    const whose = async (token: string | null) => token && groupOfToken(db, token);
    return [
      ...[await whose(added), await whose(rotated), await whose('bot me'), await whose('bot him')],
      ...[
        await revokeGroup(db, { name: 'op' }, 'him group', NOW),
        await revokeGroup(db, { name: 'op' }, 'him group', NOW),
      ],
      ...[await whose('bot him'), await addGroup(db, { name: 'op' }, { id: 'me group', name: 'x' }, NOW)],
      await rotateGroup(db, { name: 'op' }, 'none', NOW),
    ];
  },
  'a heartbeat of a bot': () => recordHeartbeat(db, 'me group', beat as never, address, NOW),
  'bots that are online': async () => [
    await onlineBots(db, NOW),
    (await pageOfBots(db, { page: 1 }, NOW)).bots.map(({ group, bot_id }) => [group, bot_id]),
    (await botsNamed(db, 'a')).map(({ group, bot_id }) => [group, bot_id]),
  ],
};

/** Tokens, their hashes and prefixes, and times of the real clock. */
const RANDOM = /(?<![\w-])[\w-]{43,46}(?![\w-])|[\da-f]{64}|(?<=prefix )[\w-]+|(?<=\+ at )(?!5)\d+/g;

it.each(Object.entries(CASES))('%s', async (_, act) => {
  isFresh = !(await expectAsWritten(TABLES, NOW, act, RANDOM));
});

it('allows as many active keys as the limit', async () => {
  const more = (count: number, revoked_at: number | null) =>
    env.DB.batch(
      Array.from({ length: count }, (_, index) =>
        insertion('api_keys', {
          ...{ id: `${revoked_at} ${index}`, user_id: 'me', name: '', prefix: '', key_hash: `${revoked_at} ${index}` },
          ...{ scopes: 'read', created_at: 1, revoked_at },
        }),
      ),
    );
  await more(MAX_KEYS, NOW);
  await more(MAX_KEYS - 3, null);
  const make = async () => createKey(db, { user: await me(), name: '', scopes: ['read'], mail, address }, NOW);
  expect([(await make()) !== null, await make()]).toEqual([true, null]);
});

it('figures count the last day, existing accounts and unfinished work', async () => {
  const order = (id: number, placed_at: number) =>
    insertion('orders', {
      id,
      uuid: `f${id}`,
      user_id: id === 3 ? 'him' : 'me',
      placed_at,
      total_cents: 0,
      entries: '[]',
    });
  const item = (id: string, order_id: number, more: Fields) =>
    insertion('items', {
      ...{
        id,
        order_id,
        position: id.charCodeAt(0),
        product_id: 'rok-kingdom-scan',
        game: 'rok',
        kingdom_id: 1,
        governors: 100,
      },
      ...{ full_profile: 1, price_cents: 50, details: '{}', subtask_count: 9, incomplete_count: 9, ...more },
    });
  await env.DB.batch([
    ...[order(1, NOW - DAY), order(2, NOW - DAY + 1), order(3, NOW)],
    ...[
      item('a', 1, { state: 'done' }),
      item('b', 2, { state: 'failed', returned_cents: 20 }),
      item('c', 3, { state: 'open' }),
    ],
    ...[
      item('d', 3, { state: 'finishing', incomplete_count: 1 }),
      item('e', 3, { state: 'cancelled', returned_cents: 50 }),
    ],
  ]);
  const figures = await serviceFigures(db, NOW);
  expect({ ...figures, users: null }).toEqual({
    ...{ users: null, balances_cents: 1, orders_last_day: 2, charged_last_day_cents: 130, subtasks_waiting: 10 },
    bots_online: 2,
  });
  const there = await env.DB.prepare('SELECT count(*) AS count FROM users WHERE deleted_at IS NULL').first<{
    count: number;
  }>();
  expect(figures.users).toBe(there?.count);
  const rows = (await listAllOrders(db, {})).orders;
  expect(
    rows.map(({ order_id, username, returned_cents, item_count, standings }) => ({
      ...{ order_id, username, returned_cents, item_count, standings },
    })),
  ).toMatchObject([
    { order_id: 3, username: 'The him', returned_cents: 50, item_count: 3 },
    { order_id: 2, username: 'The me', returned_cents: 20, item_count: 1 },
    { order_id: 1, username: 'The me', returned_cents: 0, item_count: 1 },
  ]);
  const own: { order_id: number }[] = [];
  for await (const order of (await personalData(db, await me())).orders) own.push(JSON.parse(order));
  expect(own.map(({ order_id }) => order_id)).toEqual([1, 2]);
  expect((await listAllOrders(db, { before: 3 })).orders.map(({ order_id }) => order_id)).toEqual([2, 1]);
});
