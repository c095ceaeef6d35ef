import { createHash } from 'node:crypto';
import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { databasesOf, directoriesOf } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { recountStatement } from '../fleet/subtasks.ts';

/**
 * The database table by table, for backups. Tables, triggers and search indexes are read from the database's catalogue.
 * Virtual tables and their shadow tables are left out, because they are rebuilt.
 */

export interface TableShape {
  name: string;
  /** Stored columns in the table's order. */
  columns: string[];
  /** Columns that order its rows; 'rowid' if there is no better key. */
  key: string[];
  /** Tables that its rows reference. */
  refersTo: string[];
}

export type Value = null | number | string | { blob: string };

interface Trigger {
  name: string;
  sql: string;
}

const MIGRATIONS = 'd1_migrations';
/** Table that exists while a restore is running. */
const RESTORING = 'restore_under_way';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const all = async <Row>(db: Db, sql: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await db.$client
      .prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;

/**
 * Tables of the directory, whose rows lie where each game's directory does, and how their pages are found: in order of
 * the key without the game, SQLite would sort all entries of a game that an index finds.
 */
export const LISTED: Readonly<Record<string, string>> = {
  governors: '',
  governor_changes: '',
  search_entries: 'NOT INDEXED',
};

/** Returns the service's tables, referenced ones first. Those of the directory are ordered by game. */
export async function tablesOf(db: Db): Promise<TableShape[]> {
  const listed = await all<{ name: string; type: string; wr: number }>(
    db,
    `SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT IN (?, ?) ORDER BY name`,
    MIGRATIONS,
    RESTORING,
  );
  const shapes: TableShape[] = [];
  for (const { name, wr } of listed) {
    const columns = await all<{ name: string; pk: number; hidden: number; type: string }>(
      db,
      `SELECT name, pk, hidden, type FROM pragma_table_xinfo(?)`,
      name,
    );
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const foreign = await all<{ table: string }>(db, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`, name);
    const isRowid = primary.length === 1 && primary[0]?.type.toLowerCase() === 'integer';
    const key = primary.map((column) => column.name);
    shapes.push({
      name,
      columns: columns.filter(({ hidden }) => hidden === 0).map((column) => column.name),
      key: name in LISTED ? ['game', ...key.filter((column) => column !== 'game')] : wr || isRowid ? key : ['rowid'],
      refersTo: foreign.map(({ table }) => table).filter((table) => table !== name),
    });
  }
  return inOrder(shapes);
}

function inOrder(shapes: readonly TableShape[]): TableShape[] {
  const placed = new Map<string, TableShape>();
  const place = (shape: TableShape, above: readonly string[]): void => {
    if (placed.has(shape.name) || above.includes(shape.name)) return;
    for (const name of shape.refersTo) {
      const other = shapes.find((one) => one.name === name);
      if (other) place(other, [...above, shape.name]);
    }
    placed.set(shape.name, shape);
  };
  for (const shape of shapes) place(shape, []);
  return [...placed.values()];
}

/** Returns the stored columns of a row, and the rowid if nothing else orders the table. */
export const storedColumns = ({ key, columns }: TableShape): string[] =>
  key[0] === 'rowid' && !columns.includes('rowid') ? ['rowid', ...columns] : columns;

/** Returns up to `limit` rows of a table after the given key; of the directory's tables, those of some games. */
export async function rowsAfter(
  db: Db,
  shape: TableShape,
  after: readonly Value[] | null,
  limit: number,
  games: readonly GameId[] = GAME_IDS,
): Promise<Value[][]> {
  if (!(shape.name in LISTED)) return pageOf(db.$client, shape, { key: shape.key, after }, limit);
  const [, ...key] = shape.key;
  const [last, ...rest] = after ?? [];
  const rows: Value[][] = [];
  for (const game of games.toSorted()) {
    if (last !== undefined && game < String(last)) continue;
    const beyond = game === last ? rest : null;
    rows.push(...(await pageOf(db.directory(game), shape, { key, after: beyond, game }, limit - rows.length)));
    if (rows.length === limit) break;
  }
  return rows;
}

interface Page {
  key: readonly string[];
  after: readonly Value[] | null;
  game?: GameId;
}

async function pageOf(
  client: D1Database,
  shape: TableShape,
  { key, after, game }: Page,
  limit: number,
): Promise<Value[][]> {
  const columns = storedColumns(shape).map(quoted).join(', ');
  const order = key.map(quoted).join(', ');
  const conditions = [
    ...(game ? ['game = ?'] : []),
    ...(after ? [`(${order}) > (${after.map(() => '?').join(', ')})`] : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const rows = await client
    .prepare(
      `SELECT ${columns} FROM ${quoted(shape.name)} ${LISTED[shape.name] ?? ''} ${where} ORDER BY ${order} LIMIT ?`,
    )
    .bind(...(game ? [game] : []), ...(after ?? []), limit)
    .raw<(null | number | string | ArrayBuffer | number[])[]>();
  return rows.map((row) =>
    row.map((value) =>
      value === null || typeof value === 'number' || typeof value === 'string'
        ? value
        : { blob: Buffer.from(value as ArrayBuffer).toString('hex') },
    ),
  );
}

/** Returns the key of a row from `rowsAfter`. */
export const keyOf = (shape: TableShape, row: readonly Value[]): Value[] => {
  const columns = storedColumns(shape);
  return shape.key.map((name) => row[columns.indexOf(name)] ?? null);
};

/**
 * Inserts rows as they were read, those of a directory where it lies. Columns added to the table since get their
 * defaults. `conflict` is SQL for rows that are there already.
 */
export async function insertRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  conflict = '',
): Promise<void> {
  const game = columns.indexOf('game');
  const places =
    table in LISTED ? Map.groupBy(rows, (row) => db.directory(row[game] as GameId)) : [[db.$client, rows] as const];
  for (const [client, its] of places) await insertInto(client, table, columns, its, conflict);
}

async function insertInto(
  client: D1Database,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  conflict: string,
): Promise<void> {
  const values = columns.map((_, index) => {
    const plain = `value ->> '$[${index}]'`;
    const hasBytes = rows.some((row) => typeof row[index] === 'object' && row[index] !== null);
    return hasBytes ? `coalesce(unhex(value ->> '$[${index}].blob'), ${plain})` : plain;
  });
  await client
    .prepare(
      `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')})
       SELECT ${values.join(', ')} FROM json_each(?) WHERE true ${conflict}`,
    )
    .bind(JSON.stringify(rows))
    .run();
}

/** Returns the number of a table's rows, or of those of a game. */
export async function countTable(db: Db, table: string, games: readonly GameId[] = GAME_IDS): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${quoted(table)}`;
  if (!(table in LISTED)) return (await db.$client.prepare(sql).first<number>('count')) ?? 0;
  const counts = await Promise.all(
    games.map((game) => db.directory(game).prepare(`${sql} WHERE game = ?`).bind(game).first<number>('count')),
  );
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Returns the highest id assigned so far, by table, because ids of deleted rows are not reused. */
export const sequencesOf = (db: Db) => all<{ name: string; seq: number }>(db, `SELECT name, seq FROM sqlite_sequence`);

export async function setSequences(db: Db, sequences: readonly { name: string; seq: number }[]): Promise<void> {
  for (const { name, seq } of sequences.filter((one) => one.name !== MIGRATIONS)) {
    await db.$client.batch([
      db.$client.prepare(`DELETE FROM sqlite_sequence WHERE name = ?`).bind(name),
      db.$client.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`).bind(name, seq),
    ]);
  }
}

/** Returns the migrations that every database has. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const [first = [], ...others] = await Promise.all(
    databasesOf(db).map(async (client) => {
      const { results } = await client.prepare(`SELECT name FROM ${MIGRATIONS} ORDER BY name`).all<{ name: string }>();
      return results.map(({ name }) => name);
    }),
  );
  return first.filter((name) => others.every((names) => names.includes(name)));
}

export const triggersOf = (db: Db): Promise<Trigger[]> =>
  all<Trigger>(db, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`);

/** Returns the search indexes with their databases. Each is built from a table of its own (`content`). */
export async function searchIndexesOf(db: Db): Promise<[client: D1Database, name: string][]> {
  const names = await all<{ name: string }>(
    db,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%' ORDER BY name`,
  );
  return directoriesOf(db).flatMap(([client]) => names.map(({ name }): [D1Database, string] => [client, name]));
}

export async function rebuildSearch(db: Db): Promise<void> {
  for (const [client, name] of await searchIndexesOf(db))
    await client.prepare(`INSERT INTO ${quoted(name)} (${quoted(name)}) VALUES ('rebuild')`).run();
}

// --- A restore ------------------------------------------------------------------------------------------------------

/** Returns the triggers that a restore removed, or null if none is running. */
export async function restoreUnderWay(db: Db): Promise<Trigger[] | null> {
  const there = await all(db, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, RESTORING);
  return there.length > 0 ? all<Trigger>(db, `SELECT name, sql FROM ${RESTORING} ORDER BY name`) : null;
}

/**
 * Removes the triggers, because restored rows already contain what triggers wrote. Those of a directory in another
 * database only follow updates and keep its search index, so they may stay.
 */
export async function beginRestore(db: Db): Promise<void> {
  const triggers = await triggersOf(db);
  await db.$client.batch([
    db.$client.prepare(`CREATE TABLE ${RESTORING} (name TEXT PRIMARY KEY, sql TEXT NOT NULL)`),
    ...triggers.flatMap(({ name, sql }) => [
      db.$client.prepare(`INSERT INTO ${RESTORING} (name, sql) VALUES (?, ?)`).bind(name, sql),
      db.$client.prepare(`DROP TRIGGER ${quoted(name)}`),
    ]),
  ]);
}

/** Empties the tables that a restore had begun to fill, referenced ones last. */
export async function emptyTables(db: Db, tables: readonly TableShape[]): Promise<void> {
  for (const { name } of [...tables].reverse()) {
    const clients = name in LISTED ? databasesOf(db) : [db.$client];
    for (const client of clients) await client.prepare(`DELETE FROM ${quoted(name)}`).run();
  }
}

/** Recreates the triggers and ends the restore. */
export async function endRestore(db: Db, triggers: readonly Trigger[]): Promise<void> {
  await db.$client.batch([
    ...triggers.map(({ sql }) => db.$client.prepare(sql)),
    db.$client.prepare(`DROP TABLE ${RESTORING}`),
  ]);
}

/**
 * Requeues all work in progress, because rows held by order objects are not in backups. The raised version invalidates
 * what older objects hold. Returns the number of items.
 */
export async function requeueAll(db: Db, now: number): Promise<number> {
  const items = await all<{ id: string }>(
    db,
    `SELECT id FROM items WHERE state IN ('open', 'finishing') AND subtask_count > 0`,
  );
  const ids = items.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'waiting', attempts = 0, lease = NULL, lease_until = 0, error = NULL, doubted_by = NULL, due = ?2 + number * 1000,
           kingdom_id = (SELECT kingdom_id FROM items WHERE items.id = subtasks.item_id)
         WHERE state <> 'cancelled' AND item_id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(JSON.stringify(ids), now),
    db.$client
      .prepare(
        `UPDATE items SET state = 'open', version = version + 1, preparing_until = NULL
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .bind(JSON.stringify(ids)),
    recountStatement(db, { items: ids }),
  ]);
  return ids.length;
}

/** Returns the SHA-256 of a file's bytes, as in a backup's manifest. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
