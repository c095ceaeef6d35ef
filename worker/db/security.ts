import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CHANNELS } from '../../domain/accounts/webhooks.ts';
import { LOCALES } from '../../domain/language/locales.ts';
import { users } from './users.ts';

/** Tables of accounts and security other than users and sessions; part of worker/db/schema.ts. */

/** Codes that allow registration. Not credentials: admins can read them and hand them out. */
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
    // If two registrations use a code's last use concurrently, the second one's whole batch fails.
    check('access_code_used_up', sql`${table.uses} <= ${table.max_uses}`),
  ],
);

/**
 * Single-use tokens in mails. A mail carries a signed token with the row's id, so the table alone is useless to a
 * thief.
 */
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
    /** The user's version when the token was created. The link stops working when it changes. */
    credentials_version: integer().notNull().default(0),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    used_at: integer(),
  },
  (table) => [index('mail_tokens_user').on(table.user_id, table.kind)],
);

/** Times of a user's dashboard visits, from which changes are counted. */
export const visits = sqliteTable('visits', {
  user_id: text()
    .primaryKey()
    .references(() => users.id),
  /** Last recorded time of the current visit. */
  seen_at: integer().notNull(),
  /** Last recorded time of the previous visit; null if there was none. */
  before_at: integer(),
});

/** Networks that a user has signed in from. Attempts from there are counted separately from strangers'. */
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
    /** The first characters of the key: enough to recognise it, too few to use it. */
    prefix: text().notNull(),
    /** SHA-256 of the key, hex. */
    key_hash: text().notNull(),
    /** Comma-separated (domain/accounts/account.ts). */
    scopes: text().notNull(),
    created_at: integer().notNull(),
    last_used_at: integer(),
    revoked_at: integer(),
  },
  (table) => [uniqueIndex('api_keys_hash').on(table.key_hash), index('api_keys_user').on(table.user_id)],
);

/** Users' second factors. */
export const two_factor = sqliteTable('two_factor', {
  user_id: text()
    .primaryKey()
    .references(() => users.id),
  /** The authenticator's secret, encrypted with a key that is not in the database. */
  secret: text().notNull(),
  /** Null until a first code proves that the authenticator has the secret. */
  confirmed_at: integer(),
  /** Time step of the last accepted code; each code works once. */
  last_step: integer().notNull().default(0),
  /** Consecutive wrong codes, and until when codes are refused after too many. */
  failures: integer().notNull().default(0),
  blocked_until: integer().notNull().default(0),
});

/** Attempts at a password, or mails requested to an address, in the newest minute with one. */
export const tries = sqliteTable('tries', {
  /** What was tried, and for whom. */
  key: text().primaryKey(),
  /** Epoch minute. */
  minute: integer().notNull(),
  count: integer().notNull(),
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

/** How a user is notified when an order ends (without a row: not at all) and when an event that they follow changes. */
export const notifications = sqliteTable('notifications', {
  user_id: text()
    .primaryKey()
    .references(() => users.id),
  by_mail: integer({ mode: 'boolean' }).notNull().default(false),
  // Encrypted webhook URL of each channel in domain/accounts/webhooks.ts. Whoever has it can post there.
  discord: text(),
  /** Whether changes in events that the user follows are told by mail, and by the webhooks that are set. */
  events_by_mail: integer({ mode: 'boolean' }).notNull().default(true),
  events_by_webhook: integer({ mode: 'boolean' }).notNull().default(true),
  /** Why a channel was switched off automatically, for the user. */
  trouble: text(),
});

/**
 * Outgoing mails and messages: written with the change that causes them, sent after the response, retried by the cron.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    channel: text({ enum: CHANNELS }).notNull().default('mail'),
    /** Identifies the event behind the mail (`reset:<token>`), so that it is sent only once. */
    reference: text().notNull(),
    /** An e-mail address. For webhooks, whose URLs are secret, the user's id. */
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Emptied once sent, except in a local copy, because its links give access to accounts. */
    text: text().notNull(),
    html: text().notNull().default(''),
    /** Language of subject and text. */
    language: text({ enum: LOCALES }).notNull().default('en'),
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

/**
 * The audit log. Triggers refuse changes, and deletions within a year. Users are not foreign keys, so that entries
 * outlive them.
 */
export const audit_entries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** The account concerned; null if unknown (a sign-in with an unknown name). */
    user_id: text(),
    /** The actor: 'user', 'key:<id>', 'admin:<user id>', 'system'. */
    actor: text().notNull(),
    /** Noun and verb: 'session.opened', 'password.changed'. */
    action: text().notNull(),
    /** The object of the action, if it is not the account. */
    subject: text().notNull().default(''),
    /** Further details (JSON); never secrets. */
    detail: text().notNull().default('{}'),
    address: text().notNull().default(''),
  },
  (table) => [
    index('audit_entries_user').on(table.user_id, table.id),
    index('audit_entries_actor').on(table.actor, table.id),
  ],
);
