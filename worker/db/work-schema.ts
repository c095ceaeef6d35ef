import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the crons keep of their work: a part of worker/db/schema.ts. */

/**
 * Work of a cron that has begun and is not known to have ended well: a row of a job, or (with an empty subject) the job
 * itself. Written before the work begins, so that work which ends the process is put aside too.
 */
export const setbacks = sqliteTable(
  'setbacks',
  {
    job: text().notNull(),
    /** Which row of the job: a kingdom, an item, a schedule. */
    subject: text().notNull(),
    tries: integer().notNull(),
    begun_at: integer().notNull(),
    /** Not tried again before. */
    next_at: integer().notNull(),
    /** Empty while the work goes on, and where it ended without a word. */
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.job, table.subject] }), index('setbacks_begun').on(table.begun_at)],
);

/** What is wrong with the service and was told to the admins: told once, and again when it has cleared. */
export const alerts = sqliteTable('alerts', {
  kind: text().primaryKey(),
  text: text().notNull(),
  since: integer().notNull(),
  /** The last time that it was found. */
  seen_at: integer().notNull(),
  /** When it was found to be over; the row stays until the webhook has been told. */
  cleared_at: integer(),
  /** When the webhook was told of the present state. */
  posted_at: integer(),
});

/** Items whose subtasks have all ended and that are not finished, with the time they were first seen so. */
export const settling_items = sqliteTable('settling_items', {
  item_id: text().primaryKey(),
  since: integer().notNull(),
});

/** How many answers of a minute (epoch minutes) were failures of the service's own: what admins are warned by. */
export const failed_answers = sqliteTable('failed_answers', {
  minute: integer().primaryKey(),
  count: integer().notNull(),
});
