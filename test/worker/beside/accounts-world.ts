import { env } from 'cloudflare:workers';
import { type Cell, insertion } from './changes.ts';

/** Two users, and others in various states. */

export const NOW = 5_000_000_000_000;
export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
export const TABLES = [
  ['users', 'id'],
  ['sessions', 'id'],
  ['api_keys', 'id'],
  ['mail_tokens', 'id'],
  ['known_addresses', 'user_id', 'address'],
  ['visits', 'user_id'],
  ['two_factor', 'user_id'],
  ['recovery_codes', 'user_id', 'code_hash'],
  ['access_codes', 'code'],
  ['own_governors', 'user_id', 'game', 'governor_id'],
  ['bot_groups', 'id'],
  ['bots', 'group_id', 'bot_id'],
  ['notifications', 'user_id'],
  ['outbox', 'reference'],
  ['audit_entries', 'id'],
] as const;
export const admin = { id: 'chief', address: '192.0.2.1' };
export const address = '192.0.2.9';
export type Fields = Readonly<Record<string, Cell>>;

/** Further users, named after what is special about them. Only the first two were unverified for a week. */
const OTHERS: Readonly<Record<string, Fields>> = {
  stale: { verified_at: null, created_at: NOW - 7 * DAY - 1 },
  held: { verified_at: null, created_at: NOW - 8 * DAY, email: '' },
  young: { verified_at: null, created_at: NOW - 7 * DAY },
  rich: { verified_at: null, created_at: NOW - 8 * DAY },
  gone: { verified_at: null, created_at: NOW - 8 * DAY, deleted_at: NOW - 1 },
  chief: { role: 'admin' },
};
const hashed = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');

/** Ledger entries cannot be deleted, so users who have some stay. */
let isMoneyThere = false;

function usersOf(): D1PreparedStatement[] {
  const user = (id: string, about: Fields) =>
    insertion('users', {
      ...{ id, username: id, username_key: id, email: `${id}@example.com`, email_key: `${id} key`, password_hash: '' },
      ...{ created_at: 1, verified_at: 1, ...about },
    });
  const money = { user_id: 'rich', amount_cents: 1, kind: 'top_up', reference: 'rich', created_at: 1 };
  const others = Object.entries(OTHERS).filter(([id]) => id !== 'rich' || !isMoneyThere);
  const statements = [
    ...['me', 'him'].map((id) =>
      user(id, {
        username: `The ${id}`,
        username_key: `the ${id}`,
        email: `${id}@Example.com`,
        email_key: `${id}@example.com`,
      }),
    ),
    ...others.map(([id, about]) => user(id, about)),
    ...(isMoneyThere ? [] : [insertion('ledger_entries', money)]),
  ];
  isMoneyThere = true;
  return statements;
}

/** Writes all rows again. */
export async function writeAccounts(): Promise<void> {
  const emptied = TABLES.map(([table]) => table).filter((table) => table !== 'users' && table !== 'audit_entries');
  const rows = async (user_id: string): Promise<D1PreparedStatement[]> => {
    const session = (name: string, more: Fields = {}) =>
      insertion('sessions', {
        ...{ id: `${user_id} ${name}`, user_id, created_at: NOW - DAY, last_seen_at: NOW - DAY, expires_at: NOW + DAY },
        ...{ user_agent: 'a', address, two_factor: 1, ...more },
      });
    const token = (name: string, more: Fields = {}) =>
      insertion('mail_tokens', {
        ...{
          id: `${user_id} ${name}`,
          user_id,
          kind: 'verify',
          email: `new-${user_id}@Example.com`,
          created_at: NOW - 1,
        },
        ...{ expires_at: NOW + 1, ...more },
      });
    const key = (name: string, hash: string, more: Fields = {}) =>
      insertion('api_keys', {
        ...{
          id: `${user_id} ${name}`,
          user_id,
          name,
          prefix: 'mk_',
          key_hash: hash,
          scopes: 'read,order',
          created_at: NOW - 9,
          ...more,
        },
      });
    return [
      ...[
        session('now'),
        session('other'),
        session('over', { expires_at: NOW - 1 }),
        session('last', { expires_at: NOW }),
      ],
      ...[token('verify'), token('again'), token('used', { used_at: NOW - 1 }), token('over', { expires_at: NOW })],
      ...[
        token('change', { kind: 'change_email' }),
        token('reset', { kind: 'reset' }),
        token('stale', { credentials_version: 1 }),
      ],
      ...[token('week', { expires_at: NOW - 7 * DAY }), token('old', { expires_at: NOW - 7 * DAY - 1 })],
      key('key', await hashed(`mk_${user_id}`)),
      key('used', await hashed(`mk_${user_id} used`), { last_used_at: NOW - MINUTE }),
      key('revoked', await hashed(`mk_${user_id} revoked`), { revoked_at: NOW - 1 }),
      insertion('two_factor', { user_id, secret: `k1.${user_id}`, confirmed_at: 1, failures: 3 }),
      ...(await Promise.all(
        ['one', 'two'].map(async (code) => insertion('recovery_codes', { user_id, code_hash: await hashed(code) })),
      )),
      insertion('known_addresses', { user_id, address, last_seen_at: NOW - DAY }),
      insertion('visits', { user_id, seen_at: NOW - 4 * HOUR, before_at: NOW - DAY }),
      insertion('notifications', { user_id, by_mail: 1, discord: `k2.${user_id}`, trouble: null }),
      insertion('own_governors', { user_id, game: 'rok', governor_id: 5, position: 1 }),
      insertion('own_governors', { user_id, game: 'rok', governor_id: 6, position: 0 }),
      insertion('own_governors', { user_id, game: 'cod', governor_id: 5, position: 0 }),
      insertion('bot_groups', {
        id: `${user_id} group`,
        name: `Group ${user_id}`,
        token_hash: await hashed(`bot ${user_id}`),
        created_at: 1,
      }),
      ...['b', 'a'].map((bot_id) =>
        insertion('bots', {
          ...{ group_id: `${user_id} group`, bot_id, account_game: 'rok' },
          last_connected_at: bot_id === 'a' ? NOW - 5 * MINUTE : NOW - 5 * MINUTE + 1,
        }),
      ),
      insertion('access_codes', { code: `CODE-${user_id}`, note: '', max_uses: 2, created_by: 'chief', created_at: 1 }),
    ];
  };
  const governor = (game: string, governor_id: number) =>
    insertion('governors', {
      ...{
        game,
        governor_id,
        kingdom_id: 1,
        name: `${game} ${governor_id}`,
        alliance_tag: '',
        power: 1,
        profile: '{}',
        captured_at: 1,
      },
    });
  await env.DB.batch([
    ...['bots', 'governors', 'items', 'orders', ...emptied.toReversed()].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
    env.DB.prepare(`DELETE FROM users WHERE id IN ('stale', 'held', 'young', 'gone', 'chief', 'me', 'him')`),
    ...usersOf(),
    ...[...(await rows('me')), ...(await rows('him'))],
    ...[governor('rok', 5), governor('rok', 6), governor('cod', 5), governor('cod', 6)],
    insertion('mail_tokens', {
      id: 'stale token',
      user_id: 'stale',
      kind: 'verify',
      created_at: 1,
      expires_at: NOW + 1,
    }),
  ]);
}
