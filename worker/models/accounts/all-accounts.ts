import type { AccountsQuery } from '../../../domain/accounts/admin-contract.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import type { api_keys, audit_entries, schedules, sessions } from '../../db/schema.ts';
import { EVENTS_ACCOUNT } from '../events/gatherings.ts';
import { containing } from '../patterns.ts';
import type { User } from './user.ts';

/** Accounts of all users, for admins. */

const ACCOUNTS_PER_PAGE = 50;

export type AccountHead = Pick<
  User,
  'username' | 'email' | 'role' | 'created_at' | 'verified_at' | 'locked_at' | 'balance_cents'
> & { user_id: string; order_count: number };

const HEAD = `users.id AS user_id, username, email, role, users.created_at, verified_at, locked_at, balance_cents,
  (SELECT count(*) FROM orders WHERE orders.user_id = users.id) AS order_count`;

const IN_STATE = {
  locked: 'locked_at IS NOT NULL',
  unverified: 'verified_at IS NULL',
  owing: 'id IN (SELECT user_id FROM reversals WHERE covered_cents < amount_cents)',
} as const;

/** Returns a page of the matching accounts, newest first, and the `before` of the next page. */
export async function listAccounts(
  db: Db,
  { search, role, state, before }: AccountsQuery,
): Promise<{ accounts: AccountHead[]; next: string | null }> {
  const { results } = await db.$client
    .prepare(
      `SELECT ${HEAD} FROM users WHERE id IN (
         SELECT id FROM users WHERE deleted_at IS NULL AND id <> '${EVENTS_ACCOUNT}'
           AND (?1 IS NULL OR username_key LIKE ?1 ESCAPE '\\' OR email_key LIKE ?1 ESCAPE '\\' OR id = ?2)
           AND (?3 IS NULL OR role = ?3) AND ${state ? IN_STATE[state] : '1'}
           AND (?4 IS NULL OR (created_at, id) < (SELECT created_at, id FROM users WHERE id = ?4))
         ORDER BY created_at DESC, id DESC LIMIT ${ACCOUNTS_PER_PAGE + 1})
       ORDER BY users.created_at DESC, users.id DESC`,
    )
    .bind(search ? containing(search) : null, search ?? null, role ?? null, before ?? null)
    .all<AccountHead>();
  const accounts = results.slice(0, ACCOUNTS_PER_PAGE);
  return { accounts, next: results.length > accounts.length ? (accounts.at(-1)?.user_id ?? null) : null };
}

interface WholeAccount {
  account: AccountHead &
    Pick<User, 'full_name' | 'eula_version' | 'locked_reason'> & { has_factor: 0 | 1; uncovered: Cents };
  orders: { order_id: number; placed_at: number; total_cents: Cents }[];
  schedules: (Pick<typeof schedules.$inferSelect, 'state' | 'next_at'> & { schedule_id: number })[];
  api_keys: Pick<typeof api_keys.$inferSelect, 'id' | 'name' | 'prefix' | 'scopes' | 'last_used_at'>[];
  sessions: (Omit<
    Pick<typeof sessions.$inferSelect, 'created_at' | 'last_seen_at' | 'user_agent' | 'address'>,
    never
  > & {
    two_factor: 0 | 1;
  })[];
  activity: Pick<typeof audit_entries.$inferSelect, 'id' | 'at' | 'actor' | 'action' | 'address'>[];
}

/** Returns an account with what belongs to it; null if there is none with this id, or it was deleted. */
export async function accountWhole(db: Db, userId: string, now: number): Promise<WholeAccount | null> {
  const statement = (sql: string, ...more: unknown[]) => db.$client.prepare(sql).bind(userId, ...more);
  const answers = await db.$client.batch([
    statement(
      `SELECT ${HEAD}, full_name, eula_version, locked_reason,
         EXISTS (SELECT 1 FROM two_factor WHERE user_id = ?1 AND confirmed_at IS NOT NULL) AS has_factor,
         (SELECT coalesce(sum(amount_cents - covered_cents), 0) FROM reversals
          WHERE user_id = ?1 AND covered_cents < amount_cents) AS uncovered
       FROM users WHERE id = ?1 AND deleted_at IS NULL`,
    ),
    statement(`SELECT id AS order_id, placed_at, total_cents FROM orders WHERE user_id = ?1 ORDER BY id DESC LIMIT 20`),
    statement(
      `SELECT id AS schedule_id, state, next_at FROM schedules WHERE user_id = ?1 AND state <> 'ended' ORDER BY id DESC LIMIT 100`,
    ),
    statement(
      `SELECT id, name, prefix, scopes, last_used_at FROM api_keys WHERE user_id = ?1 AND revoked_at IS NULL
       ORDER BY created_at DESC LIMIT 100`,
    ),
    statement(
      `SELECT created_at, last_seen_at, user_agent, address, two_factor FROM sessions
       WHERE user_id = ?1 AND expires_at > ?2 ORDER BY last_seen_at DESC LIMIT 100`,
      now,
    ),
    statement(
      `SELECT id, at, action, address, coalesce('admin ' || (
           SELECT username FROM users WHERE id = substr(actor, 7) AND 'admin:' || id = actor), actor) AS actor
       FROM audit_entries WHERE user_id = ?1 ORDER BY id DESC LIMIT 100`,
    ),
  ]);
  const [[account], orders, schedules, api_keys, sessions, activity] = answers.map(({ results }) => results) as [
    [WholeAccount['account'] | undefined],
    WholeAccount['orders'],
    WholeAccount['schedules'],
    WholeAccount['api_keys'],
    WholeAccount['sessions'],
    WholeAccount['activity'],
  ];
  return account ? { account, orders, schedules, api_keys, sessions, activity } : null;
}
