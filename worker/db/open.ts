import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';

/** The database as models see it: Drizzle for ordinary queries, `$client` for statements written by hand. */
export type Db = DrizzleD1Database & { $client: D1Database };

/**
 * Opens D1, or one session of it (read-your-writes by bookmark), for the models. Every request does: without the schema,
 * which Drizzle would walk anew each time for a way of querying that no model uses.
 */
export const openDb = (client: D1Database | D1DatabaseSession): Db =>
  // A session has the two methods that Drizzle and the models call: prepare and batch.
  drizzle(client as D1Database);
