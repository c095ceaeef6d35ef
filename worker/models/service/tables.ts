import { createHash } from 'node:crypto';
import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { databasesOf, directoriesOf } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';

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
  /** Its foreign keys to other tables. */
  refersTo: Reference[];
}

/** A foreign key: the column and what it names. */
interface Reference {
  column: string;
  table: string;
  to: string;
}

export type Value = null | number | string | { blob: string };

const MIGRATIONS = 'd1_migrations';
/** Table that exists while a restore is running. */
export const RESTORING = 'restore_under_way';

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const all = async <Row>(db: Db, sql: string, ...values: unknown[]): Promise<Row[]> =>
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

/**
 * Tables that are copied before a table although no foreign key says so. A backup of a running service copies one table
 * after another. A restore can undo an entry whose order is missing, but an order without its entry would be free
 * (restore.ts). The directory comes last because histories, which are objects, are copied after all tables.
 */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  ledger_entries: ['items', 'payments', 'reversals'],
  snapshots: ['items', 'kingdoms'],
  governors: ['snapshots'],
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
    const foreign = await all<Reference>(
      db,
      `SELECT "from" AS "column", "table", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq`,
      name,
    );
    const isRowid = primary.length === 1 && primary[0]?.type.toLowerCase() === 'integer';
    const key = primary.map((column) => column.name);
    shapes.push({
      name,
      columns: columns.filter(({ hidden }) => hidden === 0).map((column) => column.name),
      key: name in LISTED ? ['game', ...key.filter((column) => column !== 'game')] : wr || isRowid ? key : ['rowid'],
      refersTo: foreign.filter(({ table }) => table !== name),
    });
  }
  return inOrder(shapes);
}

function inOrder(shapes: readonly TableShape[]): TableShape[] {
  const placed = new Map<string, TableShape>();
  const place = (shape: TableShape, above: readonly string[]): void => {
    if (placed.has(shape.name) || above.includes(shape.name)) return;
    for (const name of [...shape.refersTo.map(({ table }) => table), ...(FOLLOWS[shape.name] ?? [])]) {
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
 * defaults. `rest` is SQL behind `WHERE true`: conditions on `value` (a row as JSON), and what to do with rows that are
 * there already. Returns the number of rows that were written, with those that triggers wrote.
 */
export async function insertRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  rest = '',
): Promise<number> {
  const game = columns.indexOf('game');
  const places =
    table in LISTED ? Map.groupBy(rows, (row) => db.directory(row[game] as GameId)) : [[db.$client, rows] as const];
  let changes = 0;
  for (const [client, its] of places) changes += await insertInto(client, table, columns, its, rest);
  return changes;
}

async function insertInto(
  client: D1Database,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  rest: string,
): Promise<number> {
  const values = columns.map((_, index) => {
    const plain = `value ->> '$[${index}]'`;
    const hasBytes = rows.some((row) => typeof row[index] === 'object' && row[index] !== null);
    return hasBytes ? `coalesce(unhex(value ->> '$[${index}].blob'), ${plain})` : plain;
  });
  const { meta } = await client
    .prepare(
      `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')})
       SELECT ${values.join(', ')} FROM json_each(?) WHERE true ${rest}`,
    )
    .bind(JSON.stringify(rows))
    .run();
  return meta.changes;
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

/** Returns the SHA-256 of a file's bytes, as in a backup's manifest. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
