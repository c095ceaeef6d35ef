import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The crons' own tables; part of worker/db/schema.ts. */

/**
 * Job failures with backoff: work that was begun and is not known to have succeeded, either one subject of a job or,
 * with an empty subject, the job itself. Written before the work begins, so that work which kills its process is in
 * backoff too.
 */
export const setbacks = sqliteTable(
  'setbacks',
  {
    job: text().notNull(),
    /** The job's row: a kingdom, an item, a schedule. */
    subject: text().notNull(),
    tries: integer().notNull(),
    begun_at: integer().notNull(),
    /** Not retried before this time. */
    next_at: integer().notNull(),
    /** Null while the work runs, or if it died without an error. */
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.job, table.subject] }), index('setbacks_begun').on(table.begun_at)],
);

/** Problems reported to admins, once when they start and once when they are over. */
export const alerts = sqliteTable('alerts', {
  kind: text().primaryKey(),
  text: text().notNull(),
  since: integer().notNull(),
  /** When it was last found. */
  seen_at: integer().notNull(),
  /** When it was over. The row stays until the webhook was notified. */
  cleared_at: integer(),
  /** When the current state was mailed to the admins. */
  mailed_at: integer(),
  /** When the current state was posted to the webhook. */
  posted_at: integer(),
});

/** Items whose subtasks have all ended but that are not finished, with the time they were first found so. */
export const settling_items = sqliteTable('settling_items', {
  item_id: text().primaryKey(),
  since: integer().notNull(),
});

/** Number of internal errors (5xx) per epoch minute, for alerts. */
export const failed_answers = sqliteTable('failed_answers', {
  minute: integer().primaryKey(),
  count: integer().notNull(),
});

/** Settings that admins change while the service runs, each as JSON under its name. */
export const settings = sqliteTable('settings', {
  name: text().primaryKey(),
  value: text().notNull(),
  /** Counts changes, so that a change of an older value is refused. */
  version: integer().notNull(),
  changed_at: integer().notNull(),
});
