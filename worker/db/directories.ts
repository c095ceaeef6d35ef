import { GAME_IDS, type GameId } from '../../domain/games/games.ts';
import { together } from '../isolate/at-once.ts';
import type { Db } from './open.ts';

/**
 * Batches of statements for the directory of a game and for the service's own tables, which may lie in two databases
 * (docs/decisions/database-per-game.md).
 */

const isApart = (db: Db, game: GameId): boolean => db.directory(game) !== db.$client;

const batchOf = async (client: D1Database, statements: readonly D1PreparedStatement[]): Promise<D1Result[]> =>
  statements.length === 0 ? [] : client.batch([...statements]);

type Both = [listed: D1Result[], own: D1Result[]];

async function atOnce(
  db: Db,
  listed: readonly D1PreparedStatement[],
  own: readonly D1PreparedStatement[],
): Promise<Both> {
  const results = await batchOf(db.$client, [...listed, ...own]);
  return [results.slice(0, listed.length), results.slice(listed.length)];
}

/** Reads from a game's directory (`listed`) and from the service's own tables, in one trip. */
export const readBoth = async (
  db: Db,
  game: GameId,
  listed: readonly D1PreparedStatement[],
  own: readonly D1PreparedStatement[],
): Promise<Both> =>
  isApart(db, game)
    ? together([batchOf(db.directory(game), listed), batchOf(db.$client, own)])
    : atOnce(db, listed, own);

/**
 * Writes to a game's directory (`listed`), then to the service's own tables (`own`): one transaction if both lie in one
 * database, otherwise two. A retry sees from `own` that all is done, so repeating `listed` must be harmless.
 */
export async function writeBoth(
  db: Db,
  game: GameId,
  listed: readonly D1PreparedStatement[],
  own: readonly D1PreparedStatement[],
): Promise<Both> {
  if (!isApart(db, game)) return atOnce(db, listed, own);
  const first = await batchOf(db.directory(game), listed);
  return [first, await batchOf(db.$client, own)];
}

/** Returns each database that has directories, with the games in it. */
export const directoriesOf = (db: Db): [client: D1Database, games: GameId[]][] => [
  ...Map.groupBy(GAME_IDS, (game) => db.directory(game)),
];

/** Returns each bound database once, the service's own first. */
export const databasesOf = (db: Db): D1Database[] => [
  ...new Set([db.$client, ...GAME_IDS.map((game) => db.directory(game))]),
];

/** A statement for the directory of a game. */
export interface ForGame {
  game: GameId;
  sql: string;
  values: readonly unknown[];
}

/** Runs statements for the directories of several games: a batch for each database, all at once. */
export async function batchDirectories<Row>(db: Db, asked: readonly ForGame[]): Promise<D1Result<Row>[]> {
  const results = new Array<D1Result<Row>>(asked.length);
  const places = Map.groupBy(asked.keys(), (place) => db.directory((asked[place] as ForGame).game));
  await together(
    [...places].map(async ([client, its]) => {
      const statements = its.map((place) => {
        const { sql, values } = asked[place] as ForGame;
        return client.prepare(sql).bind(...values);
      });
      const answers = await client.batch<Row>(statements);
      for (const [index, place] of its.entries()) results[place] = answers[index] as D1Result<Row>;
    }),
  );
  return results;
}
