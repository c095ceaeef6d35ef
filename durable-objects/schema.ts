import type { GameId } from '../domain/games/games.ts';
import type { ItemState } from '../domain/orders/order.ts';

/**
 * SQL of an order's object. Append only: a deployed object runs the statements that it has not run yet, in order.
 * Items and subtasks are copied from D1 when the object first hears of them; the staged rows live only here, one blob
 * (domain/scans/staged.ts) per subtask: a SQL row per governor is five times slower.
 */
const PROGRESS_MIGRATIONS: readonly string[] = [
  `CREATE TABLE items (
     item_id TEXT PRIMARY KEY, game TEXT NOT NULL, kingdom_id INTEGER NOT NULL, version INTEGER NOT NULL,
     state TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE subtasks (
     subtask_id INTEGER PRIMARY KEY, item_id TEXT NOT NULL, number INTEGER NOT NULL,
     state TEXT NOT NULL, error TEXT, captured_at INTEGER, source TEXT, columns TEXT);
   CREATE INDEX subtasks_item ON subtasks (item_id, number);`,
  `ALTER TABLE items ADD COLUMN has_results INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE items ADD COLUMN preparing_until INTEGER`,
  `CREATE TABLE returned_leases (subtask_id INTEGER NOT NULL, lease TEXT NOT NULL, PRIMARY KEY (subtask_id, lease))
     WITHOUT ROWID;
   ALTER TABLE items ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE items ADD COLUMN try_at INTEGER NOT NULL DEFAULT 0;`,
];

/** Runs the statements that an object has not run yet. */
export function migrateProgress({ sql, kv }: DurableObjectStorage): void {
  const done = kv.get<number>('schema') ?? 0;
  for (const statement of PROGRESS_MIGRATIONS.slice(done)) sql.exec(statement);
  if (done < PROGRESS_MIGRATIONS.length) kv.put('schema', PROGRESS_MIGRATIONS.length);
}

/** An item as the object knows it. */
export interface LocalItem extends Record<string, SqlStorageValue> {
  item_id: string;
  game: GameId;
  kingdom_id: number;
  version: number;
  state: ItemState;
  has_results: number;
  preparing_until: number | null;
  /** How often finishing it failed, and when it is tried again. */
  tries: number;
  try_at: number;
}

/** The rows of one subtask of an item. */
export interface StagedPart extends Record<string, SqlStorageValue> {
  captured_at: number;
  source: string;
  /** As `packColumns` packs them. */
  columns: ArrayBuffer;
}

/** An item that waits for its alarm. */
export interface ReadyItem extends LocalItem {
  /** The moment of its rows: when the last of them were read. */
  captured_at: number;
}

/** SQL of an event's object: points of its lines, which follow from snapshots that never change. Append only, too. */
export const DASHBOARD_MIGRATIONS: readonly string[] = [
  `CREATE TABLE points (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, point TEXT NOT NULL)`,
];
