import { databasesOf } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { orderOfReference, TRANSFER_OF_REFERENCE } from '../money/ledger.ts';
import { all, insertRows, LISTED, quoted, RESTORING, type TableShape, type Value } from './tables.ts';

/** A restore of the database, table by table. */

interface Trigger {
  name: string;
  sql: string;
}

export const triggersOf = (db: Db): Promise<Trigger[]> =>
  all<Trigger>(db, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`);

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

/** Inserts a table's rows except those that refer to rows that are not there. Returns how many were inserted. */
export async function insertReferring(
  db: Db,
  { name, refersTo }: TableShape,
  columns: readonly string[],
  rows: readonly Value[][],
): Promise<number> {
  const conditions = refersTo
    // An older backup lacks columns that were added since.
    .filter(({ column }) => columns.includes(column))
    .map(({ column, table, to }) => {
      const value = `value ->> '$[${columns.indexOf(column)}]'`;
      return `AND (${value} IS NULL OR EXISTS (SELECT 1 FROM ${quoted(table)} WHERE ${quoted(to)} = ${value}))`;
    });
  return insertRows(db, name, columns, rows, conditions.join(' '));
}

/** SQL of what came back for an order beyond what its items say. */
const UNTOLD = `(SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries
    WHERE kind = 'return' AND reference >= 'return:' || orders.uuid AND reference < 'return:' || orders.uuid || ';')
  - (SELECT sum(returned_cents) FROM items WHERE order_id = orders.id)`;

/**
 * Makes tables agree that a running service's backup copied at different times. The ledger is append-only and copied
 * last, so its entries are those of one time. Entries of orders and teams that the backup lacks are undone, and what
 * depends on the ledger or on snapshots is computed again.
 */
export async function reconcile(db: Db): Promise<void> {
  const statements = [
    `DELETE FROM ledger_entries WHERE (reference LIKE 'order:%' OR reference LIKE 'return:%')
       AND ${orderOfReference('reference')} NOT IN (SELECT uuid FROM orders)`,
    `DELETE FROM ledger_entries WHERE kind = 'transfer' AND ${TRANSFER_OF_REFERENCE} IN (
       SELECT ${TRANSFER_OF_REFERENCE} FROM ledger_entries WHERE kind = 'transfer' GROUP BY 1 HAVING count(*) <> 2)`,
    // Items take what is left in their order, each up to its price.
    `UPDATE items SET returned_cents = returned_cents + given FROM (
       SELECT id AS item, max(0, min(room, untold - before)) AS given FROM (
         SELECT items.id, price_cents - returned_cents AS room, untold, coalesce(sum(price_cents - returned_cents) OVER (
           PARTITION BY order_id ORDER BY items.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
         FROM (SELECT id AS order_id, ${UNTOLD} AS untold FROM orders WHERE total_cents > 0) JOIN items USING (order_id)
         WHERE untold > 0))
     WHERE items.id = item AND given > 0`,
    `UPDATE reversals SET covered_cents = (SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries
       WHERE reference > 'reversal:' || reversals.id || ':' AND reference < 'reversal:' || reversals.id || ';')`,
    `UPDATE users SET balance_cents =
       (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE user_id = users.id AND team_id IS NULL)`,
    `UPDATE teams SET balance_cents =
       (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE team_id = teams.id)`,
    `UPDATE snapshots SET item_id = NULL WHERE item_id NOT IN (SELECT id FROM items)`,
    `INSERT INTO kingdoms (game, kingdom_id, captured_at)
       SELECT game, kingdom_id, max(captured_at) FROM snapshots WHERE kind = 'scan' GROUP BY game, kingdom_id
     ON CONFLICT (game, kingdom_id) DO UPDATE SET captured_at = excluded.captured_at
     WHERE excluded.captured_at > captured_at`,
  ];
  await db.$client.batch(statements.map((sql) => db.$client.prepare(sql)));
}

/**
 * Requeues all work in progress, because backups lack the rows that order objects hold. The raised version makes rows
 * of older objects invalid. Returns the number of items.
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
