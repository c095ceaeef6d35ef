import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { GAME_IDS } from '../../domain/games/games.ts';

/** Tables of the bot fleet; part of worker/db/schema.ts. */

export const bot_groups = sqliteTable(
  'bot_groups',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** SHA-256 of the bearer token, hex. */
    token_hash: text().notNull(),
    created_at: integer().notNull(),
    revoked_at: integer(),
    /** Since when its bots get no work; null if they do. */
    paused_at: integer(),
  },
  (table) => [uniqueIndex('bot_groups_token').on(table.token_hash)],
);

export const bots = sqliteTable(
  'bots',
  {
    group_id: text()
      .notNull()
      .references(() => bot_groups.id),
    bot_id: text().notNull(),
    account_game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer(),
    account_ip: text().notNull().default(''),
    governor_id: integer(),
    packets_count: integer().notNull().default(0),
    tasking_count: integer().notNull().default(0),
    tasking_count_failed: integer().notNull().default(0),
    kingdom_titles: integer({ mode: 'boolean' }).notNull().default(false),
    discord_titles: integer({ mode: 'boolean' }).notNull().default(false),
    last_connected_at: integer().notNull(),
    error: text(),
    /** What it can scan, by game: 'all' or kingdom numbers (JSON). Null if never declared: everything. */
    kingdoms: text(),
    /** Since when it gets no work, and since when it is no longer listed; null otherwise. */
    paused_at: integer(),
    retired_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.group_id, table.bot_id] })],
);

/** Bots that refused an item because they cannot scan its kingdom. They are not leased its subtasks again. */
export const refusals = sqliteTable(
  'refusals',
  {
    item_id: text().notNull(),
    /** `group/bot`, as in `subtasks`. */
    bot_id: text().notNull(),
    refused_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.item_id, table.bot_id] })],
);

/** Attempts at a subtask that brought no rows, with the reason. Kept for a month. */
export const failed_attempts = sqliteTable(
  'failed_attempts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    subtask_id: integer().notNull(),
    item_id: text().notNull(),
    order_id: integer().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    /** `group/bot`, as in `subtasks`. */
    bot_id: text().notNull(),
    reason: text().notNull(),
  },
  (table) => [
    index('failed_attempts_at').on(table.at),
    index('failed_attempts_order').on(table.order_id),
    index('failed_attempts_bot').on(table.bot_id, table.at),
  ],
);
