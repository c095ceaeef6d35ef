import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CHANNELS } from '../../domain/accounts/webhooks.ts';
import { users } from './schema.ts';

/** Tables of accounts and security beside users and sessions: a part of worker/db/schema.ts. */

/** What lets a stranger register. Not a credential: admins read and hand them out. */
export const access_codes = sqliteTable(
  'access_codes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    code: text().notNull(),
    note: text().notNull().default(''),
    max_uses: integer().notNull(),
    uses: integer().notNull().default(0),
    expires_at: integer(),
    revoked_at: integer(),
    created_by: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('access_codes_code').on(table.code),
    // Two who register at once with a code's last use: the second one's whole batch fails.
    check('access_code_used_up', sql`${table.uses} <= ${table.max_uses}`),
  ],
);

/** One-use tokens of mails. The mail carries a signed token that names the row, so a thief of the table has none. */
export const mail_tokens = sqliteTable(
  'mail_tokens',
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: ['verify', 'reset', 'change_email'] }).notNull(),
    /** The new address of 'change_email'. */
    email: text().notNull().default(''),
    /** The user's when it was asked for: a link works no longer than they do. */
    credentials_version: integer().notNull().default(0),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    used_at: integer(),
  },
  (table) => [index('mail_tokens_user').on(table.user_id, table.kind)],
);

/** When a user opened his dashboard: what moved since his last visit is counted from there. */
export const visits = sqliteTable('visits', {
  user_id: text()
    .primaryKey()
    .references(() => users.id),
  /** The present visit, as it was noted last. */
  seen_at: integer().notNull(),
  /** The visit before it, as it was noted last; empty where there was none. */
  before_at: integer(),
});

/** Where a user has signed in from: tries from there count apart from those of strangers. */
export const known_addresses = sqliteTable(
  'known_addresses',
  {
    user_id: text()
      .notNull()
      .references(() => users.id),
    address: text().notNull(),
    last_seen_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.address] })],
);

export const api_keys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** The first characters of the key: enough to tell it from others, too few to use it. */
    prefix: text().notNull(),
    /** SHA-256 of the key, hex. */
    key_hash: text().notNull(),
    /** Separated by commas (domain/accounts/account.ts). */
    scopes: text().notNull(),
    created_at: integer().notNull(),
    last_used_at: integer(),
    revoked_at: integer(),
  },
  (table) => [uniqueIndex('api_keys_hash').on(table.key_hash), index('api_keys_user').on(table.user_id)],
);

/** The second factor of those who have set one up. */
export const two_factor = sqliteTable('two_factor', {
  user_id: text()
    .primaryKey()
    .references(() => users.id),
  /** The authenticator's secret, sealed with a key that the database does not hold. */
  secret: text().notNull(),
  /** Empty until a first code has proved that the authenticator has the secret. */
  confirmed_at: integer(),
  /** The time step of the last code taken: a code is good for one use. */
  last_step: integer().notNull().default(0),
  /** Wrong codes in a row, and until when none is taken after too many. */
  failures: integer().notNull().default(0),
  blocked_until: integer().notNull().default(0),
});

export const recovery_codes = sqliteTable(
  'recovery_codes',
  {
    user_id: text()
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the code, hex. */
    code_hash: text().notNull(),
    used_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.code_hash] })],
);

/** Whom a user lets be told when an order of his is finished; without a row, nobody. */
export const notifications = sqliteTable('notifications', {
  user_id: text()
    .primaryKey()
    .references(() => users.id),
  by_mail: integer({ mode: 'boolean' }).notNull().default(false),
  // Of each channel in domain/accounts/webhooks.ts the address of his webhook, sealed: whoever has it can write there.
  discord: text(),
  /** Why a way was switched off by itself, for the user. */
  trouble: text(),
});

/** Mails and messages to be sent: written with the change that causes them, sent after the answer, tried again by cron. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    channel: text({ enum: CHANNELS }).notNull().default('mail'),
    /** Names the one event behind the mail (`reset:<token>`), so that a replay mails once. */
    reference: text().notNull(),
    /** An e-mail address; of a message to a webhook, which is a secret, the id of its user. */
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Emptied once sent, except in a local copy: links in it open accounts. */
    text: text().notNull(),
    html: text().notNull().default(''),
    created_at: integer().notNull(),
    attempts: integer().notNull().default(0),
    next_at: integer().notNull(),
    sent_at: integer(),
    error: text(),
  },
  (table) => [
    uniqueIndex('outbox_reference').on(table.reference),
    index('outbox_recipient').on(table.recipient, table.created_at),
    index('outbox_due').on(table.next_at).where(sql`${table.sent_at} IS NULL`),
  ],
);

/** Who did what. Triggers refuse changes, and deletions within a year; users are named without a key, to outlive them. */
export const audit_entries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** The account it concerns, or null where none is known (a sign-in with an unknown name). */
    user_id: text(),
    /** Who acted: 'user', 'key:<id>', 'admin:<user id>', 'system'. */
    actor: text().notNull(),
    /** Noun and verb: 'session.opened', 'password.changed'. */
    action: text().notNull(),
    /** What it was done to, where that is not the account. */
    subject: text().notNull().default(''),
    /** Further facts (JSON); never a secret. */
    detail: text().notNull().default('{}'),
    address: text().notNull().default(''),
  },
  (table) => [index('audit_entries_user').on(table.user_id, table.id)],
);
