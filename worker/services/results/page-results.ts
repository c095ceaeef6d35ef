import type { Column } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import { layoutOf, type Shape, sameShape } from '../../../domain/scans/layouts.ts';
import { MAX_ORDERED_ROWS } from '../../../domain/scans/results.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { Bytes } from '../../files/bytes.ts';
import { ExportRefused } from '../../files/export.ts';
import { JSON_HEAD, jsonRows, pageTail } from '../../files/json.ts';
import { type Snapshot, type SnapshotMeta, SnapshotWriter } from '../../files/parquet.ts';
import type { ExportOptions } from '../../files/sorted.ts';
import { sortedTables } from '../../files/sorted.ts';
import { exportKey, openIfMade, openStored, putWritten } from '../../gateways/snapshot-store.ts';
import { withMemory } from '../../isolate/memory.ts';

/**
 * Results in pages. A browser cannot hold the rows of a thousand kingdoms, and an isolate cannot sort them for every
 * page, so the first page in a sort order writes a sorted copy, from which the other pages are read.
 */

/** A snapshot as recorded in D1. */
export interface Stored extends Shape {
  key: string;
  kingdom_id: number;
  captured_at: number;
  source?: string | undefined;
  rows: number;
}

interface PageOf extends ExportOptions {
  page: number;
  count: number;
}

/** Returns the columns shown on pages: those of the results table and the warnings about a row. */
const shownColumns = (shape: Shape): Column[] => {
  const { columns, lead } = layoutOf(shape);
  return columns.filter(({ key, ours }) => ours || lead.includes(key));
};

/**
 * Returns `{"rows":[…],"total":…}` in the envelope: a page's rows, sorted or in stored order, and the total number.
 * Throws ExportRefused if there are too many to sort.
 */
export async function pageStream(
  store: R2Bucket,
  snapshots: readonly Stored[],
  query: PageOf,
): Promise<ReadableStream<Uint8Array>> {
  const columns = new Map(snapshots.flatMap(shownColumns).map((column) => [column.key, column]));
  const rowsOf = jsonRows([...columns.values()]);
  const out = new Bytes(256 * 1024);
  out.raw(JSON_HEAD);
  let number = 0;
  for (const table of await pageTables(store, snapshots, query)) {
    const write = rowsOf(table);
    for (let row = 0; row < table.count; row++) write(out, row, number++);
  }
  out.raw(pageTail(countRows(snapshots)));
  return new Blob([out.take()]).stream();
}

const keysOf = (shape: Shape): string[] => shownColumns(shape).map(({ key }) => key);

/** Sums the rows of snapshots. */
export const countRows = (snapshots: readonly Stored[]): number => snapshots.reduce((sum, { rows }) => sum + rows, 0);

/** Rows of one shape, as stored or in order. */
interface Part extends Shape {
  rows: number;
  open(): Promise<Snapshot>;
}

/** Returns tables with the rows of a page. */
async function pageTables(
  store: R2Bucket,
  snapshots: readonly Stored[],
  { page, count, sort, reversed }: PageOf,
): Promise<Table[]> {
  const from = page * count;
  const parts: Part[] =
    sort === undefined
      ? snapshots.map((each) => ({ ...each, open: () => openStored(store, each.key) }))
      : inOrder(store, snapshots, { sort, reversed });
  const tables: Table[] = [];
  let start = 0;
  for (const { rows, open, ...shape } of parts) {
    if (start < from + count && start + rows > from) {
      const snapshot = await open();
      for await (const table of snapshot.between(from - start, from + count - start, keysOf(shape))) tables.push(table);
    }
    start += rows;
  }
  return tables;
}

/** Returns sorted copies, one per shape, because rows of different shapes cannot be compared. */
function inOrder(store: R2Bucket, snapshots: readonly Stored[], options: ExportOptions): Part[] {
  const rows = countRows(snapshots);
  if (rows > MAX_ORDERED_ROWS)
    throw new ExportRefused(
      sentence('Too many results to sort: {rows} rows; the maximum is {most}.', { rows, most: MAX_ORDERED_ROWS }),
    );
  return byShape(snapshots).map((group) => ({
    ...shapeOf(group),
    rows: countRows(group),
    open: () => openSorted(store, group, options),
  }));
}

/** Returns the shape of snapshots that share it. */
function shapeOf([first]: readonly Stored[]): Shape {
  if (!first) throw new Error('there is nothing to sort');
  return { game: first.game, kind: first.kind };
}

/** Groups snapshots by shape, in order of first appearance. */
export function byShape<Each extends Shape>(snapshots: readonly Each[]): Each[][] {
  const groups: Each[][] = [];
  for (const snapshot of snapshots) {
    const group = groups.find(([first]) => first && sameShape(first, snapshot));
    if (group) group.push(snapshot);
    else groups.push([snapshot]);
  }
  return groups;
}

async function* written(tables: AsyncIterable<Table>, meta: SnapshotMeta) {
  const writer = new SnapshotWriter(meta);
  for await (const table of tables) {
    writer.append(table);
    yield writer.take();
  }
  yield writer.finish(meta);
}

/** Opens the sorted copy of snapshots of one shape. Makes it if it does not exist in R2. */
async function openSorted(store: R2Bucket, group: readonly Stored[], options: ExportOptions): Promise<Snapshot> {
  const key = exportKey({ snapshots: group.map((each) => each.key), type: 'parquet', ...options });
  const copy = await openIfMade(store, key);
  if (copy) return copy;
  return withMemory('sortedCopy', async () => {
    // A concurrent caller may have made it.
    const others = await openIfMade(store, key);
    if (others) return others;
    const shape = shapeOf(group);
    const opened = group.map((each) => (): Promise<Snapshot> => openStored(store, each.key));
    const rows = countRows(group);
    const tables = sortedTables({ opened, columns: shownColumns(shape), rows, meta: shape }, options);
    const { kingdom_id, captured_at } = group[0] as Stored;
    const meta = { ...shape, kingdom_id, captured_at, source: 'sorted', quality: {} };
    await putWritten(store, key, written(tables, meta));
    return openStored(store, key);
  });
}
