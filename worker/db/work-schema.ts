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

/** How many answers of a minute (epoch minutes) were failures of the service's own: what admins are warned by. */
export const failed_answers = sqliteTable('failed_answers', {
  minute: integer().primaryKey(),
  count: integer().notNull(),
});
