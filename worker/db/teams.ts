import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { TEAM_ROLES } from '../../domain/teams/roles.ts';
import { users } from './users.ts';

/** Tables of teams (docs/decisions/teams.md); part of worker/db/schema.ts. */

export const teams = sqliteTable(
  'teams',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    owner_id: text()
      .notNull()
      .references(() => users.id),
    created_at: integer().notNull(),
    /** Maintained by a trigger as the sum of the team's ledger entries. */
    balance_cents: integer().notNull().default(0),
    /** What leaders other than the owner may spend in a calendar month (UTC), together. A trigger enforces it. */
    monthly_limit_cents: integer().notNull().default(0),
    /** A closed team keeps its row for the ledger, without members. */
    closed_at: integer(),
  },
  (table) => [
    index('teams_owner').on(table.owner_id),
    check('team_balance_not_negative', sql`${table.balance_cents} >= 0`),
  ],
);

/** The members of open teams. The owner has a row too; `teams.owner_id` says who it is. */
export const team_members = sqliteTable(
  'team_members',
  {
    team_id: text()
      .notNull()
      .references(() => teams.id),
    user_id: text()
      .notNull()
      .references(() => users.id),
    role: text({ enum: TEAM_ROLES }).notNull(),
    joined_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.team_id, table.user_id] }), index('team_members_user').on(table.user_id)],
);

/** Invite links. Each lets one person in. Revoked ones are deleted. */
export const team_invites = sqliteTable(
  'team_invites',
  {
    id: text().primaryKey(),
    team_id: text()
      .notNull()
      .references(() => teams.id),
    role: text({ enum: TEAM_ROLES }).notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    /** The user who accepted it; null while it is open. */
    user_id: text(),
  },
  (table) => [index('team_invites_team').on(table.team_id), index('team_invites_expires').on(table.expires_at)],
);
