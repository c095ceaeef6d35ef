import type { Table } from '../../../domain/scans/rows.ts';
import { LruCache } from '../../isolate/lru-cache.ts';

/**
 * Caches decoded columns of snapshots in the isolate's memory, because users repeat a comparison with other weights and
 * decoding is most of the work. Snapshots never change, and every call checks in D1 who may see one.
 */

/** Maximum bytes of the cache: a quarter of an isolate. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Estimated bytes of a text: a pointer, and usually some letters of its own. */
const TEXT_BYTES = 40;

interface Kept {
  table: Table;
  /** Columns that were requested before, including those that the snapshot lacks. */
  asked: Set<string>;
}

const kept = new LruCache<Kept>(MAX_BYTES);

/**
 * Returns columns of a snapshot by its key in the store: cached ones, and others that `load` reads now. The table omits
 * columns that the snapshot lacks.
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

/** Returns a table of those of these columns that exist. */
function only(table: Table, columns: readonly string[]): Table {
  const pick = <Cells>(from: Record<string, Cells>): Record<string, Cells> =>
    Object.fromEntries(columns.flatMap((column) => (from[column] ? [[column, from[column]]] : [])));
  return { ...table, numbers: pick(table.numbers), texts: pick(table.texts) };
}
