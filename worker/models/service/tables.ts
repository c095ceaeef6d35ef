import { createHash } from 'node:crypto';
import type { Db } from '../../db/open.ts';
import { recountStatement } from '../fleet/subtasks.ts';

/**
 * The database table by table, for backups: whatever tables, triggers and search indexes the migrations have made, read
 * from the database's own catalogue. Virtual tables are left out with what they keep: they are built again.
 */

export interface TableShape {
  name: string;
  /** Columns that are stored, in the table's order. */
  columns: string[];
  /** The columns that order its rows; 'rowid' where it has no better. */
  key: string[];
  /** Tables that its rows refer to. */
  refersTo: string[];
}

export type Value = null | number | string | { blob: string };

export interface Trigger {
  name: string;
  sql: string;
}

const MIGRATIONS = 'd1_migrations';
/** Stands in the database while a restore is under way. */
const RESTORING = 'restore_under_way';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const all = async <Row>(db: Db, sql: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await db.$client
      .prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;

/** Tables of the service's own, those that others refer to first. */
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
    shapes.push({
      name,
      columns: columns.filter(({ hidden }) => hidden === 0).map((column) => column.name),
      key: wr || isRowid ? primary.map((column) => column.name) : ['rowid'],
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

/** What is stored of a row: its columns, and its rowid where nothing else orders the table. */
export const storedColumns = ({ key, columns }: TableShape): string[] =>
  key[0] === 'rowid' && !columns.includes('rowid') ? ['rowid', ...columns] : columns;

/** The next rows of a table, up to `limit`, after the one whose key is given. */
export async function rowsAfter(
  db: Db,
  shape: TableShape,
  after: readonly Value[] | null,
  limit: number,
): Promise<Value[][]> {
  const columns = storedColumns(shape);
  const key = shape.key.map(quoted).join(', ');
  const beyond = after ? `WHERE (${key}) > (${after.map(() => '?').join(', ')})` : '';
  const rows = await db.$client
    .prepare(
      `SELECT ${columns.map((name) => `${quoted(name)}`).join(', ')} FROM ${quoted(shape.name)} ${beyond} ORDER BY ${key} LIMIT ?`,
    )
    .bind(...(after ?? []), limit)
    .raw<(null | number | string | ArrayBuffer | number[])[]>();
  return rows.map((row) =>
    row.map((value) =>
      value === null || typeof value === 'number' || typeof value === 'string'
        ? value
        : { blob: Buffer.from(value as ArrayBuffer).toString('hex') },
    ),
  );
}

/** The key of a row of `rowsAfter`. */
export const keyOf = (shape: TableShape, row: readonly Value[]): Value[] => {
  const columns = storedColumns(shape);
  return shape.key.map((name) => row[columns.indexOf(name)] ?? null);
};

/** Writes rows as they were read. Columns that the table has since then get their defaults. */
export async function insertRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
): Promise<void> {
  const values = columns.map((_, index) => {
    const plain = `value ->> '$[${index}]'`;
    const hasBytes = rows.some((row) => typeof row[index] === 'object' && row[index] !== null);
    return hasBytes ? `coalesce(unhex(value ->> '$[${index}].blob'), ${plain})` : plain;
  });
  await db.$client
    .prepare(
      `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`,
    )
    .bind(JSON.stringify(rows))
    .run();
}

export const countRows = async (db: Db, table: string): Promise<number> =>
  (await all<{ count: number }>(db, `SELECT count(*) AS count FROM ${quoted(table)}`))[0]?.count ?? 0;

/** The highest numbers given so far, by table: a row that is gone keeps its number. */
export const sequencesOf = (db: Db) => all<{ name: string; seq: number }>(db, `SELECT name, seq FROM sqlite_sequence`);

export async function setSequences(db: Db, sequences: readonly { name: string; seq: number }[]): Promise<void> {
  for (const { name, seq } of sequences.filter((one) => one.name !== MIGRATIONS)) {
    await db.$client.batch([
      db.$client.prepare(`DELETE FROM sqlite_sequence WHERE name = ?`).bind(name),
      db.$client.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`).bind(name, seq),
    ]);
  }
}

export const migrationsOf = async (db: Db): Promise<string[]> =>
  (await all<{ name: string }>(db, `SELECT name FROM ${MIGRATIONS} ORDER BY name`)).map(({ name }) => name);

export const triggersOf = (db: Db): Promise<Trigger[]> =>
  all<Trigger>(db, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`);

/** Search indexes, each built from a table of its own (`content`). */
export const searchIndexesOf = async (db: Db): Promise<string[]> =>
  (
    await all<{ name: string }>(
      db,
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%' ORDER BY name`,
    )
  ).map(({ name }) => name);

export async function rebuildSearch(db: Db): Promise<void> {
  for (const name of await searchIndexesOf(db))
    await db.$client.prepare(`INSERT INTO ${quoted(name)} (${quoted(name)}) VALUES ('rebuild')`).run();
}

// --- A restore ------------------------------------------------------------------------------------------------------

/** The triggers that a restore put aside; null where none is under way. */
export async function restoreUnderWay(db: Db): Promise<Trigger[] | null> {
  const there = await all(db, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, RESTORING);
  return there.length > 0 ? all<Trigger>(db, `SELECT name, sql FROM ${RESTORING} ORDER BY name`) : null;
}

/** Puts the triggers aside: rows come as they are, and what triggers once wrote comes with them. */
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

/** Empties the tables that a restore had begun to fill; those that are referred to come last. */
export async function emptyTables(db: Db, tables: readonly TableShape[]): Promise<void> {
  for (const { name } of [...tables].reverse()) await db.$client.prepare(`DELETE FROM ${quoted(name)}`).run();
}

/** Brings the triggers back; with them the database is what the migrations made. */
export async function endRestore(db: Db, triggers: readonly Trigger[]): Promise<void> {
  await db.$client.batch([
    ...triggers.map(({ sql }) => db.$client.prepare(sql)),
    db.$client.prepare(`DROP TABLE ${RESTORING}`),
  ]);
}

/**
 * Sends bots out again for everything that was under way: rows that lay in orders' objects are in no backup. The raised
 * version tells objects of an older state that theirs does not count. Answers how many items.
 */
export async function workAnew(db: Db, now: number): Promise<number> {
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

/** SHA-256 of a file's bytes, as a backup's manifest has it. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
