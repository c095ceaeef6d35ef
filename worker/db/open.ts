import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';

/** The database as models use it: Drizzle for ordinary queries, `$client` for handwritten SQL. */
export type Db = DrizzleD1Database & { $client: D1Database };

/**
 * Opens D1, or a session of it (read-your-writes by bookmark), for the models. Called for every request, so without the
 * schema: Drizzle would process it each time for a query style that no model uses.
 */
export const openDb = (client: D1Database | D1DatabaseSession): Db =>
  // A session has the two methods that Drizzle and the models call: prepare and batch.
  drizzle(client as D1Database);
