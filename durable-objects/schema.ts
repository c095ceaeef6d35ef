import type { GameId } from '../domain/games/games.ts';
import { UNREADABLE } from '../domain/orders/reasons.ts';
import { packColumns } from '../domain/scans/staged.ts';
import type { ItemWork } from '../worker/models/orders/orders.ts';

/** A step of the schema: SQL, or a function for what SQL alone cannot do. */
type Step = string | ((sql: SqlStorage) => void);

/**
 * Schema steps of an order object. Append only: a deployed object runs the steps that it has not run yet, in order.
 * Items and subtasks are copied from D1 on first contact. Staged rows exist only here, as one blob
 * (domain/scans/staged.ts) per subtask, because one SQL row per governor is five times slower.
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
  // From this step on, the table's check allows packed rows only.
  `CREATE TABLE packed_subtasks (
     subtask_id INTEGER PRIMARY KEY, item_id TEXT NOT NULL, number INTEGER NOT NULL,
     state TEXT NOT NULL, error TEXT, captured_at INTEGER, source TEXT,
     columns BLOB CHECK (columns IS NULL OR typeof(columns) = 'blob'));
   INSERT INTO packed_subtasks
     SELECT subtask_id, item_id, number, state, error, captured_at, source, columns FROM subtasks;
   DROP TABLE subtasks;
   ALTER TABLE packed_subtasks RENAME TO subtasks;
   CREATE INDEX subtasks_item ON subtasks (item_id, number);`,
  // The bot that delivered the rows, and an implausible result kept until another bot has scanned the same ranks.
  `ALTER TABLE subtasks ADD COLUMN bot TEXT;
   ALTER TABLE subtasks ADD COLUMN held BLOB;
   ALTER TABLE subtasks ADD COLUMN held_by TEXT;`,
];

/**
 * Packs rows that the first release staged as JSON. Fails unreadable ones with the reason, so that their item can end.
 */
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
        : `UPDATE subtasks SET columns = ?2, state = 'failed', error = '${UNREADABLE}'
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

/** Runs the steps that an object has not run yet, all or none. */
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

/** An item as stored in the object. */
export interface LocalItem
  extends Record<string, SqlStorageValue>,
    Pick<ItemWork['item'], 'game' | 'kingdom_id' | 'version' | 'state'> {
  item_id: string;
  has_results: number;
  preparing_until: number | null;
  /** Number of failed attempts to finish it, and the time of the next. */
  tries: number;
  try_at: number;
}

/** The rows of one subtask of an item. */
export interface StagedPart extends Record<string, SqlStorageValue> {
  subtask_id: number;
  /** Position within the item, from 0. */
  number: number;
  /** The bot as `group/bot`; null for rows of an earlier release. */
  bot: string | null;
  /** An earlier, implausible result and the bot that delivered it. */
  held: ArrayBuffer | null;
  held_by: string | null;
  captured_at: number;
  source: string;
  /** In `packColumns` format. */
  columns: ArrayBuffer;
}

/** An item waiting for its alarm. */
export interface ReadyItem extends LocalItem {
  /** When the last of its rows were read. */
  captured_at: number;
}

/** Schema of an event's object: points of its lines, derived from immutable snapshots. Append only too. */
export const DASHBOARD_MIGRATIONS: readonly string[] = [
  `CREATE TABLE points (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, point TEXT NOT NULL)`,
];
