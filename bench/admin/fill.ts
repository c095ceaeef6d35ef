import type { Miniflare } from 'miniflare';
import { DAY_MS } from '../../domain/days.ts';
import { sized } from '../quick.ts';

/** Fills the database with two years of a service in use, by bulk SQL. */

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;

export const SIZES = {
  users: sized(20_000, 200),
  orders: sized(100_000, 500),
  bots: sized(10_000, 100),
  payments: sized(50_000, 200),
  mails: sized(50_000, 200),
  entries: sized(300_000, 1000),
  reports: sized(5000, 60),
};

const GROUPS = 10;
const YEARS_MS = 730 * DAY_MS;
/** A D1 query has a limited duration, so large tables are filled in parts. */
const AT_ONCE = 20_000;

/** SQL: numbers `n` from ?1 to ?2. */
const NUMBERS = `WITH RECURSIVE numbers(n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)`;

/** SQL: a time in the last two years that grows with `n`, of `count` rows; ?3 is now. */
const grown = (count: number): string => `?3 - ${YEARS_MS} + CAST(n AS REAL) / ${count} * ${YEARS_MS}`;
/** SQL: the same as whole milliseconds. */
const at = (count: number): string => `CAST(${grown(count)} AS INTEGER)`;

/** SQL: the newest items are still being scanned. */
const UNFINISHED = `n > ${2 * SIZES.orders} * 0.999`;
const USER = `printf('user-%05d', 1 + n * 7919 % ${SIZES.users})`;

/** Tables with their number of rows and the SELECT that makes row `n`. */
const TABLES: readonly (readonly [into: string, count: number, select: string])[] = [
  [
    'users (id, username, username_key, email, email_key, password_hash, created_at, verified_at, locked_at)',
    SIZES.users,
    `printf('user-%05d', n), printf('Player %05d', n), printf('player %05d', n), printf('player.%05d@mail.example', n),
     printf('player.%05d@mail.example', n), '-', ${at(SIZES.users)}, iif(n % 50, ${at(SIZES.users)}, NULL),
     iif(n % 400, NULL, ${at(SIZES.users)})`,
  ],
  [
    'ledger_entries (user_id, amount_cents, kind, reference, created_at)',
    SIZES.users,
    `printf('user-%05d', n), 1000000, 'top_up', 'bench:' || n, ${at(SIZES.users)}`,
  ],
  [
    'orders (uuid, user_id, placed_at, total_cents, entries)',
    SIZES.orders,
    `printf('00000000-0000-4000-8000-%012d', n), ${USER}, ${at(SIZES.orders)}, 100,
     json_array(json_object('type', 'rok-kingdom-scan', 'params', json_object('kingdoms', json_array(1000 + n % 3000))))`,
  ],
  [
    `items (id, order_id, position, product_id, game, kingdom_id, governors, full_profile, price_cents, returned_cents,
      details, state, subtask_count, incomplete_count, failed_count, error, snapshot_id, finished_at)`,
    2 * SIZES.orders,
    `'i' || n, (n + 1) / 2, n % 2, 'rok-kingdom-scan',
     iif(n % 5, 'rok', 'cod'), 1000 + n * 31 % 3000, 100, 1, 50, iif(n % 100, 0, 50), '{}',
     CASE WHEN ${UNFINISHED} THEN 'open' WHEN n % 100 = 0 THEN 'failed' ELSE 'done' END, 1,
     ${UNFINISHED}, n % 100 = 0, iif(n % 100, NULL, 'The kingdom was not found.'),
     iif(${UNFINISHED} OR n % 100 = 0, NULL, n),
     iif(${UNFINISHED}, NULL, ${at(2 * SIZES.orders)} + 600000)`,
  ],
  [
    'snapshots (key, game, kingdom_id, kind, captured_at, source, rows, bytes, quality, item_id, created_at)',
    2 * SIZES.orders,
    `'s' || n, iif(n % 5, 'rok', 'cod'), 1000 + n * 31 % 3000, 'scan', ${at(2 * SIZES.orders)}, 'bench', 100, 5000,
     '{"ok":100}', 'i' || n, ${at(2 * SIZES.orders)}`,
  ],
  [
    `subtasks (item_id, number, order_id, game, kingdom_id, due, state, attempts, bot_id, leased_at, ended_at)`,
    2 * SIZES.orders,
    `'i' || n, 0, (SELECT order_id FROM items WHERE id = 'i' || n), iif(n % 5, 'rok', 'cod'), 1000 + n * 31 % 3000,
     ${at(2 * SIZES.orders)},
     CASE WHEN ${UNFINISHED} THEN 'waiting' WHEN n % 100 = 0 THEN 'failed' ELSE 'done' END, 1,
     printf('group-%d/bot-%05d', n % ${GROUPS}, n % ${SIZES.bots}), ${at(2 * SIZES.orders)},
     iif(${UNFINISHED}, NULL, ${at(2 * SIZES.orders)} + 60000)`,
  ],
  [
    'failed_attempts (at, subtask_id, item_id, order_id, game, bot_id, reason)',
    SIZES.orders / 10,
    `?3 - ${30 * DAY_MS} + CAST(n * ${(30 * DAY_MS * 10) / SIZES.orders} AS INTEGER), n, 'i' || n, n, iif(n % 5, 'rok', 'cod'),
     printf('group-%d/bot-%05d', n % ${GROUPS}, n % ${SIZES.bots}), 'Reason ' || (n % 12)`,
  ],
  [
    `bots (group_id, bot_id, account_game, kingdom_id, account_ip, packets_count, tasking_count, last_connected_at, kingdoms)`,
    SIZES.bots,
    `'group-' || (n % ${GROUPS}), printf('bot-%05d', n), iif(n % 5, 'rok', 'cod'), 1000 + n % 3000,
     printf('192.0.2.%d', n % 250), n, n % 100, ?3 - iif(n % 4, n % 60 * 1000, ${DAY_MS}),
     '{"rok":[' || (1000 + n % 3000) || ',' || (1001 + n % 3000) || ']}'`,
  ],
  [
    'payments (id, user_id, amount_cents, request_key, state, session_id, payment_intent, created_at, paid_at)',
    SIZES.payments,
    `'pay-' || n, ${USER}, 1000, 'k' || n, iif(n % 10, 'paid', 'expired'), 'cs_' || n, 'pi_' || n, ${at(SIZES.payments)},
     iif(n % 10, ${at(SIZES.payments)}, NULL)`,
  ],
  [
    'reversals (id, payment_id, user_id, kind, amount_cents, covered_cents, stage, created_at)',
    SIZES.payments / 50,
    `'re_' || n, 'pay-' || (n * 50), ${USER}, iif(n % 2, 'refund', 'dispute'), 1000, 1000, 1, ${at(SIZES.payments / 50)}`,
  ],
  [
    'reconciliations (day, ran_at, stripe_cents, ledger_cents, differences)',
    sized(700, 20),
    `date(?3 / 1000, 'unixepoch', '-' || n || ' days'), ?3 - n * ${DAY_MS}, 100, 100, '[]'`,
  ],
  [
    `outbox (reference, recipient, subject, text, html, created_at, attempts, next_at, sent_at, error)`,
    SIZES.mails,
    `'bench:' || n, printf('player.%05d@mail.example', 1 + n * 7919 % ${SIZES.users}), 'Order #' || n || ' is finished',
     iif(n % 100, '', 'Your order is finished.'), '', ?3 - ${30 * DAY_MS} + n, iif(n % 100, 1, 22), 0,
     iif(n % 100, ?3 - ${30 * DAY_MS} + n, NULL), iif(n % 100, NULL, 'The mailbox does not exist.')`,
  ],
  [
    'audit_entries (at, user_id, actor, action, subject, detail, address)',
    SIZES.entries,
    `${at(SIZES.entries)}, ${USER}, CASE n % 20 WHEN 0 THEN 'admin:' || ${USER} WHEN 1 THEN 'system' ELSE 'user' END,
     CASE n % 4 WHEN 0 THEN 'session.opened' WHEN 1 THEN 'order.placed' WHEN 2 THEN 'file.downloaded' ELSE 'order.cancelled' END,
     CAST(n AS TEXT), '{"reason":"of the benchmark"}', '192.0.2.1'`,
  ],
  [
    'issue_reports (user_id, order_id, item_id, message, created_at, answer, answered_at)',
    SIZES.reports,
    `${USER}, n * 3, 'i' || (n * 5), 'The figures of two governors are wrong.', ${at(SIZES.reports)},
     iif(n % 50, 'They were read again.', NULL), iif(n % 50, ${at(SIZES.reports)} + 60000, NULL)`,
  ],
  [
    'access_codes (code, note, max_uses, uses, created_by, created_at)',
    sized(500, 20),
    `'CODE-' || n, 'friends', 100, n % 100, 'bench', ${at(500)}`,
  ],
  ['news (title, body, published_at)', sized(200, 20), `'News ' || n, 'Something is new.', ${at(200)}`],
  [
    'removals (game, governor_id, name, code, note, state, created_at)',
    sized(1000, 20),
    `'rok', n, 'Governor ' || n, 'code', 'Please hide me.', iif(n % 10, 'accepted', 'open'), ${at(1000)}`,
  ],
  [
    'setbacks (job, subject, tries, begun_at, next_at, error)',
    sized(2000, 20),
    `'digest', 'rok/' || n, 3, ?3 - n * 1000, ?3 + 600000, 'The database was overloaded.'`,
  ],
  [
    'events (game, kvk_id, name, mark, start_at, end_at, plan, created_at, updated_at)',
    sized(300, 20),
    `'rok', 'C' || n, 'Event ' || n, iif(n % 30, 'archived', 'open'), ${at(300)}, ${at(300)} + ${30 * DAY_MS},
     (SELECT plan FROM events ORDER BY id LIMIT 1), ${at(300)}, ${at(300)}`,
  ],
  [
    'event_snapshots (event_id, ts, source, created_at)',
    10 * sized(300, 20),
    `(n + 9) / 10, ${at(3000)} + n, 'scan', ${at(3000)}`,
  ],
];

/** Fills every table. There must be an event, whose plan the others copy. */
export async function fill(db: Database): Promise<void> {
  const now = Date.now();
  await db
    .prepare(
      `${NUMBERS} INSERT INTO bot_groups (id, name, token_hash, created_at)
       SELECT 'group-' || (n - 1), 'Group ' || n, 'hash ' || n, ?3 FROM numbers`,
    )
    .bind(1, GROUPS, now)
    .run();
  for (const [into, count, select] of TABLES)
    for (let from = 1; from <= count; from += AT_ONCE) {
      const values = [from, Math.min(count, from + AT_ONCE - 1), ...(select.includes('?3') ? [now] : [])];
      const statement = db.prepare(`${NUMBERS} INSERT INTO ${into} SELECT ${select} FROM numbers`);
      await statement.bind(...values).run();
    }
}
