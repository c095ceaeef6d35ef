import type { Table } from '../../../domain/scans/rows.ts';
import { LruCache } from '../../isolate/lru-cache.ts';

/**
 * Columns of snapshots that were decoded before, in the memory of the isolate: whoever compares comes back with other
 * weights, and decoding is most of the work. Snapshots never change, and who may see one is asked of D1 at each call.
 */

/** What they may fill in all: a quarter of an isolate. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A text is a pointer and, mostly, some letters of its own. */
const TEXT_BYTES = 40;

interface Kept {
  table: Table;
  /** Columns that were asked for, also those that the snapshot does not have. */
  asked: Set<string>;
}

const kept = new LruCache<Kept>(MAX_BYTES);

/**
 * The columns of a snapshot by its key in the store: those kept from before and those that `load` reads now. A column
 * that the snapshot does not have is not in the table.
 */
export async function keptColumns(
  key: string,
  columns: readonly string[],
  load: (missing: readonly string[]) => Promise<Table>,
): Promise<Table> {
  const known = kept.get(key);
  const missing = columns.filter((column) => !known?.asked.has(column));
  if (known && missing.length === 0) return only(known.table, columns);
  const fresh = await load(missing);
  const table: Table = known
    ? {
        ...fresh,
        numbers: { ...known.table.numbers, ...fresh.numbers },
        texts: { ...known.table.texts, ...fresh.texts },
      }
    : fresh;
  kept.put(key, { table, asked: new Set([...(known?.asked ?? []), ...missing]) }, bytesOf(table));
  return only(table, columns);
}

const bytesOf = ({ count, numbers, texts }: Table): number =>
  count * (8 * Object.keys(numbers).length + TEXT_BYTES * Object.keys(texts).length);

/** A table of these columns, as far as they are there. */
function only(table: Table, columns: readonly string[]): Table {
  const pick = <Cells>(from: Record<string, Cells>): Record<string, Cells> =>
    Object.fromEntries(columns.flatMap((column) => (from[column] ? [[column, from[column]]] : [])));
  return { ...table, numbers: pick(table.numbers), texts: pick(table.texts) };
}
