import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { GAME_IDS } from '../../domain/games/games.ts';
import { SNAPSHOT_KINDS } from '../../domain/scans/layouts.ts';

/** Data from scans: snapshots, each governor's newest row and 90 days of daily figures. */

export const snapshots = sqliteTable(
  'snapshots',
  {
    /** Not from a sequence, which would cost a row with each scan. A recall may free the newest id for the next scan. */
    id: integer().primaryKey(),
    /** Key in R2. Derived from the item and its version, so writing it again is harmless. */
    key: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    /** Only scans show a single point in time; queries of a kingdom's past filter by it. */
    kind: text({ enum: SNAPSHOT_KINDS }).notNull().default('scan'),
    captured_at: integer().notNull(),
    source: text().notNull(),
    rows: integer().notNull(),
    bytes: integer().notNull(),
    /** Number of rows of each quality (JSON, domain/quality). */
    quality: text().notNull(),
    item_id: text(),
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('snapshots_key').on(table.key),
    index('snapshots_kingdom').on(table.game, table.kingdom_id, table.captured_at),
  ],
);

/**
 * Each governor's newest known row: ranking figures as columns, the whole row as JSON. Figures missing from the newest
 * full read are null.
 */
export const governors = sqliteTable(
  'governors',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    kingdom_id: integer().notNull(),
    name: text().notNull(),
    alliance_tag: text().notNull(),
    power: integer().notNull(),
    /** Kill points or merits; null if the profile was never read. */
    score: integer(),
    deads: integer(),
    hall: integer(),
    t1: integer(),
    t2: integer(),
    t3: integer(),
    t4: integer(),
    t5: integer(),
    /** The other columns of the newest full read (JSON by column key), and the result of its check. */
    profile: text().notNull(),
    captured_at: integer().notNull(),
    /** When score, deads, hall, kills and `profile` were read; null if never. */
    profile_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.game, table.governor_id] }),
    // Without power, because it changes with every scan, and an entry that moves costs a row written.
    index('governors_kingdom').on(table.game, table.kingdom_id),
  ],
);

/** One row per governor and day, for charts; kept for 90 days. */
export const governor_days = sqliteTable(
  'governor_days',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    day: text().notNull(),
    kingdom_id: integer().notNull(),
    /** Rank by power within the kingdom, from 1. */
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

/** Totals of each kingdom and day, from the day's deepest snapshot. */
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
    /** The alliances in that snapshot (JSON). */
    alliances: text(),
  },
  (table) => [primaryKey({ columns: [table.game, table.kingdom_id, table.day] })],
);

/** Changes of name, alliance or kingdom between two scans. Maintained by a trigger on `governors`. */
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
