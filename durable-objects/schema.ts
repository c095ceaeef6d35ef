import type { GameId } from '../domain/games/games.ts';
import type { ItemState } from '../domain/orders/order.ts';
import { packColumns } from '../domain/scans/staged.ts';

/** One step of the schema: SQL, or what SQL alone cannot do. */
type Step = string | ((sql: SqlStorage) => void);

/**
 * Steps of an order's object. Append only: a deployed object takes those that it has not taken yet, in order.
 * Items and subtasks are copied from D1 when the object first hears of them; the staged rows live only here, one blob
 * (domain/scans/staged.ts) per subtask: a SQL row per governor is five times slower.
 */
const PROGRESS_STEPS: readonly Step[] = [
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
  packTexts,
  // The table's own check: nothing but packed rows is staged from here on.
  `CREATE TABLE packed_subtasks (
     subtask_id INTEGER PRIMARY KEY, item_id TEXT NOT NULL, number INTEGER NOT NULL,
     state TEXT NOT NULL, error TEXT, captured_at INTEGER, source TEXT,
     columns BLOB CHECK (columns IS NULL OR typeof(columns) = 'blob'));
   INSERT INTO packed_subtasks
     SELECT subtask_id, item_id, number, state, error, captured_at, source, columns FROM subtasks;
   DROP TABLE subtasks;
   ALTER TABLE packed_subtasks RENAME TO subtasks;
   CREATE INDEX subtasks_item ON subtasks (item_id, number);`,
  // Who brought the rows, and a reading that was not plausible, until another bot has read the same ranks.
  `ALTER TABLE subtasks ADD COLUMN bot TEXT;
   ALTER TABLE subtasks ADD COLUMN held BLOB;
   ALTER TABLE subtasks ADD COLUMN held_by TEXT;`,
];

/** The first release staged rows as JSON. What cannot be read is failed, with the reason, so that its item can end. */
function packTexts(sql: SqlStorage): void {
  const texts = sql
    .exec<{ subtask_id: number; game: GameId; columns: string }>(
      `SELECT subtask_id, game, columns FROM subtasks JOIN items USING (item_id) WHERE typeof(columns) = 'text'`,
    )
    .toArray();
  for (const { subtask_id, game, columns } of texts) {
    const packed = packedText(game, columns);
    sql.exec(
      packed
        ? `UPDATE subtasks SET columns = ?2 WHERE subtask_id = ?1`
        : `UPDATE subtasks SET columns = ?2, state = 'failed', error = 'These rows could not be read any more.'
           WHERE subtask_id = ?1`,
      subtask_id,
      packed,
    );
  }
  sql.exec(`UPDATE subtasks SET columns = NULL WHERE typeof(columns) NOT IN ('blob', 'null')`);
}

function packedText(game: GameId, text: string): ArrayBuffer | null {
  try {
    return packColumns(game, JSON.parse(text)).buffer;
  } catch {
    return null;
  }
}

/** Takes the steps that an object has not taken yet, all or none. */
export function migrateProgress(storage: DurableObjectStorage): void {
  const { sql, kv } = storage;
  const done = kv.get<number>('schema') ?? 0;
  if (done >= PROGRESS_STEPS.length) return;
  storage.transactionSync(() => {
    for (const step of PROGRESS_STEPS.slice(done)) {
      if (typeof step === 'string') sql.exec(step);
      else step(sql);
    }
    kv.put('schema', PROGRESS_STEPS.length);
  });
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
  subtask_id: number;
  /** Position inside the item, from 0. */
  number: number;
  /** The bot with its group; null for rows of an earlier release. */
  bot: string | null;
  /** An earlier reading that was held back, and the bot that brought it. */
  held: ArrayBuffer | null;
  held_by: string | null;
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
