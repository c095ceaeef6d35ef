import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { GameId } from '../../domain/games/games.ts';

/** The databases that are bound: the service's own and, if a game has one, that of its directory of governors. */
export interface Databases {
  DB: D1Database;
  DIRECTORY_ROK?: D1Database | undefined;
  DIRECTORY_COD?: D1Database | undefined;
}

/** The database as models use it: Drizzle for ordinary queries, `$client` for handwritten SQL. */
export type Db = DrizzleD1Database & {
  $client: D1Database;
  /** Returns the database of a game's directory and search entries: `$client` unless another is bound. */
  directory(game: GameId): D1Database;
};

/**
 * Opens the databases, or a session of the service's own (read-your-writes by bookmark), for the models. Called for
 * every request, so without the schema: Drizzle would process it each time for a query style that no model uses.
 */
export function openDb(bound: Databases, session: D1Database | D1DatabaseSession = bound.DB): Db {
  // A session has the two methods that Drizzle and the models call: prepare and batch.
  const client = session as D1Database;
  const directories = { rok: bound.DIRECTORY_ROK, cod: bound.DIRECTORY_COD };
  return Object.assign(drizzle(client), { directory: (game: GameId) => directories[game] ?? client });
}
