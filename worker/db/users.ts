import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ROLES } from '../../domain/accounts/roles.ts';
import { LOCALES } from '../../domain/language/locales.ts';

/** Versions of the licence after the first one. A version that holds never changes. */
export const licences = sqliteTable('licences', {
  version: integer().primaryKey(),
  text: text().notNull(),
  /** The day from which it holds; null for a draft. */
  holds_from: text(),
  /** Counts changes, so that a change of an older text is refused. */
  edits: integer().notNull(),
  changed_at: integer().notNull(),
});

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    username: text().notNull(),
    /** The username in lower case; unique. */
    username_key: text().notNull(),
    email: text().notNull(),
    email_key: text().notNull(),
    full_name: text().notNull().default(''),
    /** `scrypt$N$r$p$salt$hash`, the last two in base64url. */
    password_hash: text().notNull(),
    role: text({ enum: ROLES }).notNull().default('user'),
    eula_version: integer().notNull().default(0),
    verified_at: integer(),
    /** Incremented with every change of password, address or second factor (models/accounts/credentials.ts). */
    credentials_version: integer().notNull().default(0),
    created_at: integer().notNull(),
    /** Maintained by a trigger as the sum of the account's ledger entries. */
    balance_cents: integer().notNull().default(0),
    stripe_customer_id: text(),
    /** A deleted account keeps its row for the ledger, without personal data. */
    deleted_at: integer(),
    /** A locked account cannot sign in or use its keys. The reason is for admins. */
    locked_at: integer(),
    locked_reason: text(),
    /** The access code that the account was registered with; null if unknown. */
    access_code_id: integer(),
    /** The language of pages and mails; null if the user was never asked. */
    language: text({ enum: LOCALES }),
  },
  (table) => [
    index('users_access_code').on(table.access_code_id).where(sql`${table.access_code_id} IS NOT NULL`),
    index('users_created').on(table.created_at, table.id),
    uniqueIndex('users_username').on(table.username_key),
    uniqueIndex('users_email').on(table.email_key),
    check('balance_not_negative', sql`${table.balance_cents} >= 0`),
  ],
);
