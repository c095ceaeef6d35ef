import type { GameId } from '../../../domain/games/games.ts';
import { type Db, openDb } from '../../db/open.ts';
import {
  countTable,
  insertRows,
  keyOf,
  LISTED,
  rowsAfter,
  storedColumns,
  type TableShape,
  tablesOf,
  type Value,
} from './tables.ts';

/** Moves a game's directory between the service's own database and the one that is bound for it. */

const ROWS_AT_ONCE = 2000;

/** SQL for rows that are in both databases: of a governor, what was noted later stays. */
const conflictOf = ({ name, columns }: TableShape): string =>
  name === 'governors'
    ? `ON CONFLICT (game, governor_id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
       WHERE excluded.captured_at > captured_at`
    : 'ON CONFLICT DO NOTHING';

/** The two places of a game's directory: where it is copied from, and to. */
interface Places {
  from: Db;
  to: Db;
}

/** Returns the places; null if no database is bound for the game. `isBack`: from there to the service's own. */
export function placesOf(db: Db, game: GameId, isBack: boolean): Places | null {
  if (db.directory(game) === db.$client) return null;
  const own = openDb({ DB: db.$client });
  return isBack ? { from: db, to: own } : { from: own, to: db };
}

const listedShapes = async (db: Db): Promise<TableShape[]> =>
  // Governors before their changes, which the trigger writes where a governor is updated.
  (await tablesOf(db)).filter(({ name }) => name in LISTED).sort((one, other) => other.name.localeCompare(one.name));

async function* pagesOf(db: Db, shape: TableShape, game: GameId): AsyncGenerator<Value[][]> {
  let after: Value[] | null = null;
  for (let found = ROWS_AT_ONCE; found === ROWS_AT_ONCE; ) {
    const page: Value[][] = await rowsAfter(db, shape, after, ROWS_AT_ONCE, [game]);
    yield page;
    const last = page.at(-1);
    if (last) after = keyOf(shape, last);
    found = page.length;
  }
}

/**
 * Copies a game's directory and search entries while the service runs. Can be repeated, and then adds what changed
 * meanwhile. The next digest brings copied search entries up to date. Returns the number of rows in the new place by
 * table.
 */
export async function copyDirectory({ from, to }: Places, game: GameId): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const shape of await listedShapes(from)) {
    for await (const page of pagesOf(from, shape, game))
      await insertRows(to, shape.name, storedColumns(shape), page, conflictOf(shape));
    rows[shape.name] = await countTable(to, shape.name, [game]);
  }
  await to.$client.prepare(`UPDATE kingdoms SET digested_at = 0 WHERE game = ?`).bind(game).run();
  return rows;
}

/** Returns true if a governor's row in the new place is older than in the old one. */
async function isBehind({ from, to }: Places, game: GameId, shape: TableShape): Promise<boolean> {
  const [id, time] = ['governor_id', 'captured_at'].map((name) => storedColumns(shape).indexOf(name));
  for await (const page of pagesOf(from, shape, game)) {
    const older = await to
      .directory(game)
      .prepare(
        `SELECT 1 FROM json_each(?2) old CROSS JOIN governors
         WHERE game = ?1 AND governor_id = old.value ->> '$[${id}]' AND captured_at < old.value ->> '$[${time}]' LIMIT 1`,
      )
      .bind(game, JSON.stringify(page))
      .first();
    if (older) return true;
  }
  return false;
}

/**
 * Returns the first table of which the new place lacks what was written at the old one, or null. A row that the new
 * place does not have at all may have been deleted there since the last copy.
 */
export async function lackingTable(places: Places, game: GameId): Promise<string | null> {
  const { from, to } = places;
  for (const shape of await listedShapes(from)) {
    const isEmpty = (await countTable(to, shape.name, [game])) === 0;
    if (isEmpty && (await countTable(from, shape.name, [game])) > 0) return shape.name;
    if (shape.name === 'governors' && (await isBehind(places, game, shape))) return shape.name;
  }
  return null;
}

/** Deletes a game's directory at its old place, some rows at a time. */
export async function dropDirectory({ from }: Places, game: GameId): Promise<void> {
  const client = from.directory(game);
  for (const { name, key } of await listedShapes(from)) {
    const some = `SELECT ${key.join(', ')} FROM ${name} WHERE game = ? LIMIT ${ROWS_AT_ONCE}`;
    const deletion = client.prepare(`DELETE FROM ${name} WHERE (${key.join(', ')}) IN (${some})`).bind(game);
    while ((await deletion.run()).meta.changes > 0);
  }
}
