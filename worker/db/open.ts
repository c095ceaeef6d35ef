import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

/** The database as models see it: Drizzle for ordinary queries, `sqlOf(db)` for statements written by hand. */
export type Db = DrizzleD1Database<typeof schema> & { $client: D1Database };

/** Opens D1, or one session of it (read-your-writes by bookmark), for the models. */
export const openDb = (client: D1Database | D1DatabaseSession): Db =>
  // A session has the two methods that Drizzle and the models call: prepare and batch.
  drizzle(client as D1Database, { schema });
