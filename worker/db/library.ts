import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { GAME_IDS } from '../../domain/games/games.ts';

/** Users' own scans, labels on bought and own scans, and what users make from both. Each row has an owner. */

/** Uploads, kept as received until they are saved or expire. Refused ones count towards the daily limit. */
export const imports = sqliteTable(
  'imports',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    name: text().notNull(),
    content_hash: text().notNull(),
    /** The caller's statements about the file: kingdom and captured_at (JSON). */
    said: text().notNull(),
    state: text({ enum: ['waiting', 'saved', 'refused'] }).notNull(),
    /** Ids of the scans saved from it (JSON). */
    scan_ids: text().notNull().default('[]'),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [index('imports_user').on(table.user_id, table.created_at), index('imports_expiry').on(table.expires_at)],
);

/** Own scans. Nothing from them goes into snapshots, governors, days, boards or search. */
export const scans = sqliteTable(
  'scans',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    captured_at: integer().notNull(),
    /** First day of a sum over days; null for scans of a single time. */
    range_from: integer(),
    /** Name of the stage, if the file holds several side by side. */
    stage: text(),
    /** Key in R2. */
    key: text().notNull(),
    source: text().notNull(),
    dialect: text().notNull(),
    rows: integer().notNull(),
    bytes: integer().notNull(),
    /** Number of rows of each quality (JSON). */
    quality: text().notNull(),
    content_hash: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('scans_content').on(table.user_id, table.content_hash, table.game, table.kingdom_id, table.captured_at),
    index('scans_user').on(table.user_id, table.captured_at),
    index('scans_expiry').on(table.expires_at),
  ],
);

/** A user's labels on a scan in the library, bought or imported. */
export const scan_labels = sqliteTable(
  'scan_labels',
  {
    user_id: text().notNull(),
    scan_id: text().notNull(),
    name: text().notNull().default(''),
    /** JSON. */
    tags: text().notNull().default('[]'),
    note: text().notNull().default(''),
    /** A bought scan removed from the library; its order keeps it. */
    hidden: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.scan_id] })],
);

/** A user's column mapping, for the next file with the same headers. */
export const header_mappings = sqliteTable(
  'header_mappings',
  {
    user_id: text().notNull(),
    headers_hash: text().notNull(),
    mapping: text().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.headers_hash] })],
);

/** Comparisons saved under a name. */
export const reports = sqliteTable(
  'reports',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    name: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    /** Ranges, each from and to by scan ids (JSON). */
    ranges: text().notNull(),
    /** Weights, goals, exemptions, columns (JSON, domain/compare/contract.ts). */
    settings: text().notNull(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [index('reports_user').on(table.user_id, table.updated_at)],
);

/** Public links to a report, valid until they expire or are revoked. */
export const report_links = sqliteTable(
  'report_links',
  {
    id: text().primaryKey(),
    report_id: text().notNull(),
    user_id: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    revoked_at: integer(),
    /** The team in whose library it is; null if it is in none. */
    team_id: text(),
  },
  (table) => [
    index('report_links_report').on(table.report_id),
    index('report_links_team').on(table.team_id).where(sql`${table.team_id} IS NOT NULL`),
  ],
);

/** Named ranges of a war, such as Pass 4 from one scan to another. */
export const fights = sqliteTable(
  'fights',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    name: text().notNull(),
    /** Scan ids (JSON). */
    from_scans: text().notNull(),
    to_scans: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('fights_user').on(table.user_id, table.created_at)],
);

/** Goals that a leader sets for a kingdom's wars, and how much of a farm's score counts. */
export const kingdom_goals = sqliteTable(
  'kingdom_goals',
  {
    user_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    /** JSON (domain/compare/contract.ts). */
    goals: text().notNull(),
    /** Percent; null for all of it. */
    farms: integer(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.game, table.kingdom_id] })],
);

/** Farm accounts and their owners, members who left and exemptions, by kingdom. */
export const rosters = sqliteTable(
  'rosters',
  {
    user_id: text().notNull(),
    game: text({ enum: GAME_IDS }).notNull(),
    kingdom_id: integer().notNull(),
    /** JSON (domain/compare/roster.ts). */
    entries: text().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.game, table.kingdom_id] })],
);
