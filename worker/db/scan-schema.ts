import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { GAME_IDS } from '../../domain/games/games.ts';
import { SNAPSHOT_KINDS } from '../../domain/scans/layouts.ts';

/** What scans leave behind: snapshots, the newest row of each governor, and 90 days of daily figures. */

export const snapshots = sqliteTable(
  'snapshots',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The object in R2. Made from the item and its version, so writing it again is harmless. */
    key: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    /** Only scans are rows of a moment: what reads a kingdom's past from here asks for them. */
    kind: text({ enum: SNAPSHOT_KINDS }).notNull().default('scan'),
    captured_at: integer().notNull(),
    source: text().notNull(),
    rows: integer().notNull(),
    bytes: integer().notNull(),
    /** Rows of each quality (JSON, domain/quality). */
    quality: text().notNull(),
    item_id: text(),
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('snapshots_key').on(table.key),
    index('snapshots_item').on(table.item_id, table.version),
    index('snapshots_kingdom').on(table.game, table.kingdom_id, table.captured_at),
  ],
);

/** The newest known row of each governor: ranking figures as columns, the whole row as JSON. A figure that the newest full read does not have is empty. */
export const governors = sqliteTable(
  'governors',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    kingdom_id: integer().notNull(),
    name: text().notNull(),
    alliance_tag: text().notNull(),
    power: integer().notNull(),
    /** Kill points or merits; empty where no profile was ever read. */
    score: integer(),
    deads: integer(),
    hall: integer(),
    t1: integer(),
    t2: integer(),
    t3: integer(),
    t4: integer(),
    t5: integer(),
    /** The other columns of the newest full read (JSON by column key), and the verdict on it. */
    profile: text().notNull(),
    captured_at: integer().notNull(),
    /** When the profile was read: score, deads, hall, kills and `profile` are of then. Empty where it never was. */
    profile_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.game, table.governor_id] }),
    index('governors_kingdom').on(table.game, table.kingdom_id, table.power),
  ],
);

/** One row a governor and day: what charts are drawn from, kept for 90 days. */
export const governor_days = sqliteTable(
  'governor_days',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    day: text().notNull(),
    kingdom_id: integer().notNull(),
    /** Rank by power inside the kingdom, from 1. */
    rank: integer().notNull(),
    power: integer().notNull(),
    score: integer(),
    deads: integer(),
    t4: integer(),
    t5: integer(),
    captured_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.game, table.governor_id, table.day] })],
);

/** Totals of a kingdom's newest snapshot of each day. */
export const kingdom_days = sqliteTable(
  'kingdom_days',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    day: text().notNull(),
    captured_at: integer().notNull(),
    snapshot_id: integer().notNull(),
    /** The specification's kingdom ranking row by its own keys (JSON). */
    totals: text().notNull(),
    /** Governors without any change for a week; null until the kingdom's digest has counted them. */
    inactive: integer(),
    /** The alliances of that snapshot (JSON). */
    alliances: text(),
  },
  (table) => [primaryKey({ columns: [table.game, table.kingdom_id, table.day] })],
);

/** What changed in a governor's row between two scans: name, alliance or kingdom. Kept by a trigger on `governors`. */
export const governor_changes = sqliteTable(
  'governor_changes',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    field: text({ enum: ['name', 'alliance_tag', 'kingdom_id'] }).notNull(),
    captured_at: integer().notNull(),
    old_value: text().notNull(),
    new_value: text().notNull(),
    kingdom_id: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.game, table.governor_id, table.captured_at, table.field] }),
    index('governor_changes_kingdom').on(table.game, table.kingdom_id, table.captured_at),
    index('governor_changes_left')
      .on(table.game, table.old_value, table.captured_at)
      .where(sql`${table.field} = 'kingdom_id'`),
  ],
);
