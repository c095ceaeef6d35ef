import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { GAME_IDS } from '../../domain/games/games.ts';
import { ITEM_STATES, SUBTASK_STATES } from '../../domain/orders/order.ts';
import { PERIODS } from '../../domain/orders/periods.ts';
import { RUN_OUTCOMES, SCHEDULE_STATES } from '../../domain/orders/schedule.ts';

import { teams } from './teams.ts';
import { users } from './users.ts';

export * from './events.ts';
export * from './fleet.ts';
export * from './library.ts';
export * from './payments.ts';
export * from './public-schema.ts';
export * from './scan-schema.ts';
export * from './security.ts';
export * from './teams.ts';
export * from './users.ts';
export * from './work-schema.ts';

/** All tables of D1. Times are epoch milliseconds (`_at`), days are 'YYYY-MM-DD' in UTC, money is whole cents. */

// --- Accounts and money ---------------------------------------------------------------------------------------------

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    user_agent: text().notNull().default(''),
    last_seen_at: integer().notNull().default(0),
    address: text().notNull().default(''),
    /** True if the second factor was used at sign-in. */
    two_factor: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('sessions_user').on(table.user_id)],
);

/** Append-only (triggers refuse updates and deletes). A trigger updates the balance in `users` or `teams`. */
export const ledger_entries = sqliteTable(
  'ledger_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Whose money it is. If it is a team's, who ordered or transferred. */
    user_id: text()
      .notNull()
      .references(() => users.id),
    /** The team whose money it is; null for the user's own. */
    team_id: text().references(() => teams.id),
    amount_cents: integer().notNull(),
    kind: text({ enum: ['top_up', 'charge', 'return', 'adjustment', 'transfer'] }).notNull(),
    /** Identifies the event behind the entry (`order:<uuid>`), so that a repeat changes nothing. */
    reference: text().notNull(),
    note: text().notNull().default(''),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('ledger_entries_reference').on(table.reference),
    index('ledger_entries_user').on(table.user_id, table.id),
    index('ledger_entries_team').on(table.team_id, table.created_at).where(sql`${table.team_id} IS NOT NULL`),
  ],
);

// --- Orders ---------------------------------------------------------------------------------------------------------

export const orders = sqliteTable(
  'orders',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uuid: text().notNull(),
    /** Who ordered. */
    user_id: text()
      .notNull()
      .references(() => users.id),
    /** The team whose balance paid; null for the user's own. */
    team_id: text().references(() => teams.id),
    placed_at: integer().notNull(),
    total_cents: integer().notNull(),
    idempotency_key: text(),
    /** Hash of the request that placed it. The same key with a different request is a mistake, not a repeat. */
    request_hash: text().notNull().default(''),
    /** The entries as ordered (JSON), for Re-Order. */
    entries: text().notNull(),
    /** When messages about its first end were queued; null if there were none. */
    announced_at: integer(),
  },
  (table) => [
    uniqueIndex('orders_uuid').on(table.uuid),
    uniqueIndex('orders_idempotency').on(table.user_id, table.idempotency_key),
    index('orders_placed').on(table.placed_at),
    index('orders_user').on(table.user_id, table.id),
  ],
);

export const items = sqliteTable(
  'items',
  {
    /** Never a number, which distinguishes items from orders in `/v1/order/{id}`. */
    id: text().primaryKey(),
    order_id: integer()
      .notNull()
      .references(() => orders.id),
    position: integer().notNull(),
    product_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    governors: integer().notNull(),
    full_profile: integer({ mode: 'boolean' }).notNull(),
    price_cents: integer().notNull(),
    /** Amount refunded, written together with the ledger entry (worker/models/money/returns.ts). */
    returned_cents: integer().notNull().default(0),
    /** Display names → display values (JSON). */
    details: text().notNull(),
    state: text({ enum: ITEM_STATES }).notNull().default('open'),
    subtask_count: integer().notNull(),
    /** Updated with the subtasks' states by models/fleet/subtasks.ts. */
    incomplete_count: integer().notNull(),
    failed_count: integer().notNull().default(0),
    /** Why subtasks failed, in the bot's words, for the user. */
    error: text(),
    snapshot_id: integer(),
    /** Ids of all its snapshots (JSON) once a repair has made a second one; kept by a trigger on `snapshots`. */
    snapshot_ids: text(),
    finished_at: integer(),
    /** Incremented with every repair. Part of the snapshot's key. */
    version: integer().notNull().default(1),
    repaired_at: integer(),
    /** Until when a bot prepares the kingdom (creates an account there), as reported by the bot. */
    preparing_until: integer(),
  },
  (table) => [
    uniqueIndex('items_order').on(table.order_id, table.position),
    /** Kingdoms that bots did not find. */
    index('items_unfound')
      .on(table.game, table.kingdom_id, table.finished_at)
      .where(sql`${table.snapshot_id} IS NULL AND ${table.error} IS NOT NULL AND ${table.subtask_count} > 0`),
    /** Orders of a kingdom, and those with failed or cancelled items, for admins. */
    index('items_kingdom').on(table.kingdom_id, table.order_id),
    index('items_ended_badly').on(table.state, table.order_id).where(sql`${table.state} IN ('failed', 'cancelled')`),
    /** Items with failed parts, given up if nobody repairs them. */
    index('items_unread').on(table.finished_at).where(sql`${table.failed_count} > 0`),
    /** Items that ended within the hour, for the share of failures. */
    index('items_finished').on(table.finished_at).where(sql`${table.finished_at} IS NOT NULL`),
    index('items_unfinished').on(table.order_id).where(sql`${table.state} IN ('open', 'finishing')`),
    index('items_settling')
      .on(table.order_id)
      .where(sql`${table.state} IN ('open', 'finishing') AND ${table.incomplete_count} = 0`),
  ],
);

export const subtasks = sqliteTable(
  'subtasks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    item_id: text()
      .notNull()
      .references(() => items.id),
    /** Position within the item, from 0. Covers ranks from number × 100 + 1. */
    number: integer().notNull(),
    order_id: integer().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    /** The item's kingdom. A trigger fills it in for releases without this column. */
    kingdom_id: integer().notNull().default(0),
    /** Virtual deadline, fixed at creation. Work is leased in this order. */
    due: integer().notNull(),
    state: text({ enum: SUBTASK_STATES }).notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    lease: text(),
    lease_until: integer().notNull().default(0),
    bot_id: text(),
    /** The bot that found the first ranks of a kingdom empty. A second bot must confirm. */
    empty_by: text(),
    /** The bot whose rows were implausible. Another bot must confirm them. */
    doubted_by: text(),
    error: text(),
    /** When it was last leased, and when it last ended; null before. */
    leased_at: integer(),
    ended_at: integer(),
  },
  (table) => [
    index('subtasks_ended').on(table.ended_at).where(sql`${table.ended_at} IS NOT NULL`),
    index('subtasks_bot').on(table.bot_id, table.ended_at).where(sql`${table.ended_at} IS NOT NULL`),
    uniqueIndex('subtasks_item').on(table.item_id, table.number),
    index('subtasks_cancelled').on(table.item_id).where(sql`${table.state} = 'cancelled'`),
    index('subtasks_leases').on(table.lease_until).where(sql`${table.state} = 'leased'`),
    index('subtasks_queue').on(table.game, table.due).where(sql`${table.state} IN ('waiting', 'leased')`),
    index('subtasks_kingdom_queue')
      .on(table.game, table.kingdom_id, table.due)
      .where(sql`${table.state} IN ('waiting', 'leased')`),
  ],
);

/** A standing order. Its entries are priced again at every run. */
export const schedules = sqliteTable(
  'schedules',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text()
      .notNull()
      .references(() => users.id),
    created_at: integer().notNull(),
    /** As with orders, the same user and key return the same schedule. */
    idempotency_key: text(),
    request_hash: text().notNull().default(''),
    /** The entries as ordered (JSON). */
    entries: text().notNull(),
    start_at: integer().notNull(),
    /** Null: no end. */
    end_at: integer(),
    period: text({ enum: PERIODS }).notNull(),
    interval: integer().notNull(),
    state: text({ enum: SCHEDULE_STATES }).notNull().default('active'),
    /** The next due time; null if there is none. Advances before a run begins. */
    next_at: integer(),
    /** The due time of a run in progress, its number of attempts and the time of the next. */
    trying_for: integer(),
    tries: integer().notNull().default(0),
    try_at: integer().notNull().default(0),
    /** Consecutive runs that placed no order. */
    missed_runs: integer().notNull().default(0),
    /** 1 if an admin's lock of the account paused it, until it is resumed. */
    paused_by_lock: integer().notNull().default(0),
  },
  (table) => [
    index('schedules_user').on(table.user_id, table.id),
    uniqueIndex('schedules_idempotency').on(table.user_id, table.idempotency_key),
    index('schedules_due').on(table.next_at).where(sql`${table.state} = 'active'`),
    index('schedules_trying').on(table.try_at).where(sql`${table.trying_for} IS NOT NULL`),
  ],
);

/** The outcome of each due time: one row, however often the cron runs. */
export const runs = sqliteTable(
  'runs',
  {
    schedule_id: integer()
      .notNull()
      .references(() => schedules.id),
    due_at: integer().notNull(),
    outcome: text({ enum: RUN_OUTCOMES }).notNull(),
    order_id: integer(),
    /** Why no order was placed, for the user. */
    note: text(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.schedule_id, table.due_at] })],
);

/** Users' issue reports about orders, and support's answers. */
export const issue_reports = sqliteTable(
  'issue_reports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text().notNull(),
    order_id: integer().notNull(),
    item_id: text(),
    message: text().notNull(),
    /** Ids of the governors concerned, comma-separated. */
    rows: text().notNull().default(''),
    created_at: integer().notNull(),
    answer: text(),
    /** When it was answered, or closed without an answer. */
    answered_at: integer(),
  },
  (table) => [
    index('issue_reports_open').on(table.created_at).where(sql`${table.answered_at} IS NULL`),
    index('issue_reports_order').on(table.order_id),
  ],
);

/** Read-only links to the results of an item or a whole order, for people without an account. */
export const share_links = sqliteTable(
  'share_links',
  {
    id: text().primaryKey(),
    /** The item shown; for a whole order, any of its items. */
    item_id: text().notNull(),
    /** The order whose results are shown together; null for a single item. */
    order_id: integer(),
    user_id: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    revoked_at: integer(),
    /** The team in whose library it is; null if it is in none. */
    team_id: text(),
  },
  (table) => [
    index('share_links_team').on(table.team_id).where(sql`${table.team_id} IS NOT NULL`),
    index('share_links_item').on(table.item_id),
    index('share_links_user').on(table.user_id, table.created_at),
  ],
);

/** News that admins publish on the dashboard. */
export const news = sqliteTable(
  'news',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    title: text().notNull(),
    body: text().notNull(),
    /** Shown from then on. */
    published_at: integer().notNull(),
    /** Incremented with every edit. */
    version: integer().notNull().default(1),
  },
  (table) => [index('news_published').on(table.published_at)],
);
