import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { REMOVAL_STATES } from '../../domain/boards/removal.ts';
import { GAME_IDS } from '../../domain/games/games.ts';

/** Tables behind the public pages: known kingdoms and alliances, and the search index. */

/** Kingdoms that were ever scanned. A trigger on `snapshots` maintains it, so every way of storing scans updates it. */
export const kingdoms = sqliteTable(
  'kingdoms',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    /** Time of the newest snapshot. */
    captured_at: integer().notNull(),
    /**
     * The `captured_at` up to which alliances, inactive governors and search are up to date (models/scans/digest.ts).
     */
    digested_at: integer().notNull().default(0),
    /** When all kept scans were in the packed history; null until then, as before the first release that packs. */
    packed_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.game, table.kingdom_id] }),
    index('kingdoms_undigested').on(table.captured_at).where(sql`${table.digested_at} < ${table.captured_at}`),
    index('kingdoms_unpacked').on(table.game).where(sql`${table.packed_at} IS NULL`),
  ],
);

/** A kingdom's alliances in its reference scan. */
export const alliances = sqliteTable(
  'alliances',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    tag: text().notNull(),
    name: text().notNull(),
    members: integer().notNull(),
    power: integer().notNull(),
    score: integer().notNull(),
    /** Members whose score is in the sum; if 0, the score is unknown. */
    read: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.game, table.kingdom_id, table.tag] })],
);

/**
 * Search entries. The id decreases with power, so SQLite finds the strongest matches first and a search can stop early.
 * Triggers maintain `search_index` (FTS5 trigram over `key` and `pairs`).
 */
export const search_entries = sqliteTable(
  'search_entries',
  {
    id: integer().primaryKey(),
    game: text({ enum: GAME_IDS }).notNull(),
    kind: text({ enum: ['governor', 'alliance'] }).notNull(),
    /** A governor's id, or '<kingdom>:<tag>'. */
    ref: text().notNull(),
    /** The name in the game, to detect outdated entries. */
    name: text().notNull(),
    /** The normalised name that searches match (domain/search.ts). */
    key: text().notNull(),
    /** All pairs of adjacent characters, for scripts whose words are shorter than a trigram. */
    pairs: text().notNull(),
  },
  (table) => [
    uniqueIndex('search_entries_ref').on(table.game, table.kind, table.ref),
    index('search_entries_key').on(table.key),
  ],
);

/** Players' requests not to be shown on public pages. The accepted ones are copied to the boards' manifest. */
export const removals = sqliteTable(
  'removals',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    game: text({ enum: GAME_IDS }).notNull(),
    governor_id: integer().notNull(),
    /** The name when the request was made. */
    name: text().notNull(),
    /** Proves the request if a later scan reads it in the governor's name. */
    code: text().notNull(),
    note: text().notNull(),
    state: text({ enum: REMOVAL_STATES }).notNull().default('open'),
    created_at: integer().notNull(),
    decided_at: integer(),
    /** 'code', or 'admin:<user id>'; empty while open. */
    decided_by: text().notNull().default(''),
  },
  (table) => [
    // A governor has one request that counts.
    uniqueIndex('removals_governor').on(table.game, table.governor_id).where(sql`${table.state} <> 'refused'`),
    index('removals_state').on(table.state, table.created_at),
  ],
);
