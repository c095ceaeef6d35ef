import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { GAME_IDS } from '../../domain/games/games.ts';

/** Tables behind the public pages: what is known of kingdoms and alliances, and what the search finds. */

/** A kingdom that was ever scanned. Kept by a trigger on `snapshots`, so no way of recording one can forget it. */
export const kingdoms = sqliteTable(
  'kingdoms',
  {
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    /** Of the newest snapshot. */
    captured_at: integer().notNull(),
    /** The `captured_at` up to which alliances, inactive governors and the search follow (models/digest). */
    digested_at: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.game, table.kingdom_id] }),
    index('kingdoms_undigested').on(table.captured_at).where(sql`${table.digested_at} < ${table.captured_at}`),
  ],
);

/** The alliances of a kingdom, as the scan has them that speaks for it. */
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
    /** Members whose score is in the sum; of none it is unknown. */
    read: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.game, table.kingdom_id, table.tag] })],
);

/**
 * What the search finds. The id falls with power, so that the first matches which SQLite meets are the mightiest and
 * a search can stop there; `search_index` (FTS5 trigram over `key` and `pairs`) is kept by triggers.
 */
export const search_entries = sqliteTable(
  'search_entries',
  {
    id: integer().primaryKey(),
    game: text({ enum: GAME_IDS }).notNull(),
    kind: text({ enum: ['governor', 'alliance'] }).notNull(),
    /** A governor's id, or '<kingdom>:<tag>'. */
    ref: text().notNull(),
    /** As the game shows it: what tells that an entry is out of date. */
    name: text().notNull(),
    /** The name in the form in which it is searched (domain/search.ts). */
    key: text().notNull(),
    /** Every two neighbouring characters of scripts whose words are shorter than a trigram. */
    pairs: text().notNull(),
  },
  (table) => [
    uniqueIndex('search_entries_ref').on(table.game, table.kind, table.ref),
    index('search_entries_key').on(table.key),
  ],
);
