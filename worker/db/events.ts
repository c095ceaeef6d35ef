import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { EVENT_MARKS } from '../../domain/events/event.ts';
import { GAME_IDS } from '../../domain/games/games.ts';

/**
 * Events and their snapshots; part of worker/db/schema.ts. There are no rows here: an event's snapshot refers to the
 * snapshots of its kingdoms at one time.
 */

export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    game: text({ enum: GAME_IDS }).notNull(),
    kvk_id: text().notNull(),
    name: text().notNull(),
    mark: text({ enum: EVENT_MARKS }).notNull().default('open'),
    start_at: integer().notNull(),
    end_at: integer().notNull(),
    /** The admin's plan (JSON, domain/events/contract.ts). */
    plan: text().notNull(),
    /** Incremented with every change that affects the dashboard. */
    revision: integer().notNull().default(1),
    /** When the next gathering is due; null if none is planned. */
    next_refresh: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [
    index('events_due').on(table.next_refresh).where(sql`${table.mark} = 'open'`),
    index('events_game').on(table.game, table.start_at),
  ],
);

export const event_snapshots = sqliteTable(
  'event_snapshots',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    event_id: integer()
      .notNull()
      .references(() => events.id),
    /** The snapshot's time, used in URLs. */
    ts: integer().notNull(),
    source: text().notNull(),
    created_at: integer().notNull(),
    /** When its parts were last replaced; null if they never were. */
    corrected_at: integer(),
  },
  (table) => [uniqueIndex('event_snapshots_moment').on(table.event_id, table.ts)],
);

/** The snapshot that represents a kingdom in an event's snapshot. */
export const event_parts = sqliteTable(
  'event_parts',
  {
    event_snapshot_id: integer()
      .notNull()
      .references(() => event_snapshots.id),
    kingdom_id: integer().notNull(),
    /** Null if the kingdom was never scanned. */
    snapshot_id: integer(),
    /** The kingdom was not scanned at this time, so an earlier scan is used. */
    stands_in: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.event_snapshot_id, table.kingdom_id] })],
);

/** Parts that a correction replaced, kept as history. */
export const event_part_versions = sqliteTable(
  'event_part_versions',
  {
    event_snapshot_id: integer()
      .notNull()
      .references(() => event_snapshots.id),
    kingdom_id: integer().notNull(),
    snapshot_id: integer().notNull(),
    replaced_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.event_snapshot_id, table.kingdom_id, table.snapshot_id] })],
);

/** Uploaded files by content: the same file again gives the same snapshot. */
export const event_files = sqliteTable(
  'event_files',
  {
    event_id: integer()
      .notNull()
      .references(() => events.id),
    /** SHA-256 of the bytes, hex. */
    hash: text().notNull(),
    event_snapshot_id: integer()
      .notNull()
      .references(() => event_snapshots.id),
    /** The response to the first upload (JSON). */
    answer: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.event_id, table.hash] })],
);

/** Gatherings. Each is one order of internal scans. */
export const event_refreshes = sqliteTable(
  'event_refreshes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    event_id: integer()
      .notNull()
      .references(() => events.id),
    due_at: integer().notNull(),
    order_id: integer(),
    started_at: integer().notNull(),
    /** When it ends with whatever has arrived. */
    deadline: integer().notNull(),
    state: text({ enum: ['running', 'done', 'failed'] })
      .notNull()
      .default('running'),
    /** What is missing or why it failed, for admins and visitors. */
    msg: text().notNull().default(''),
    ended_at: integer(),
  },
  (table) => [
    uniqueIndex('event_refreshes_due').on(table.event_id, table.due_at),
    // If two crons start the same gathering, the second one's batch fails here.
    uniqueIndex('event_refreshes_running').on(table.event_id).where(sql`${table.state} = 'running'`),
    index('event_refreshes_open').on(table.deadline).where(sql`${table.state} = 'running'`),
  ],
);

/** The governors that a user claims as their own. Dashboards pin them in tables. */
export const own_governors = sqliteTable(
  'own_governors',
  {
    user_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    position: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.game, table.governor_id] })],
);

/** Events, and kingdoms in them, whose changes a user wants to hear of. */
export const event_follows = sqliteTable(
  'event_follows',
  {
    user_id: text().notNull(),
    event_id: integer()
      .notNull()
      .references(() => events.id),
    /** A kingdom of the event, or '' for all of it. */
    kingdom: text().notNull().default(''),
    /** The newest snapshot that the user was told of, or that was there when they began to follow; 0 if there was none. */
    told_ts: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.event_id, table.kingdom] }),
    index('event_follows_told').on(table.event_id, table.told_ts),
  ],
);

/** The kingdom of each game that a user calls their own. Events pin it. */
export const own_kingdoms = sqliteTable(
  'own_kingdoms',
  {
    user_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    /** As events name it: '1206', or '1206-2' for a domain. */
    kingdom: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.game] })],
);
