import { exact } from '../../../domain/figures.ts';
import type { Column } from '../../../domain/games/games.ts';
import { layoutOf, type Shape, sameShape } from '../../../domain/scans/layouts.ts';
import { MAX_ORDERED_ROWS } from '../../../domain/scans/results.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { Bytes } from '../../files/bytes.ts';
import { ExportRefused } from '../../files/export.ts';
import { JSON_HEAD, jsonRows, pageTail } from '../../files/json.ts';
import { type Snapshot, type SnapshotMeta, SnapshotWriter } from '../../files/parquet.ts';
import type { ExportOptions } from '../../files/sorted.ts';
import { sortedTables } from '../../files/sorted.ts';
import { exportKey, openStored, putWritten } from '../../gateways/snapshot-store.ts';
import { Semaphore } from '../../isolate/semaphore.ts';

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

export interface PageOf extends ExportOptions {
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

/** Returns tables with the rows of a page. */
async function pageTables(
  store: R2Bucket,
  snapshots: readonly Stored[],
  { page, count, sort, reversed }: PageOf,
): Promise<Table[]> {
  const from = page * count;
  const parts = sort === undefined ? snapshots : await inOrder(store, snapshots, { sort, reversed });
  const tables: Table[] = [];
  let start = 0;
  for (const { key, rows, ...shape } of parts) {
    if (start < from + count && start + rows > from) {
      const snapshot = await openStored(store, key);
      for await (const table of snapshot.between(from - start, from + count - start, keysOf(shape))) tables.push(table);
    }
    start += rows;
  }
  return tables;
}

/** Returns sorted copies, one per shape, because rows of different shapes cannot be compared. */
async function inOrder(store: R2Bucket, snapshots: readonly Stored[], options: ExportOptions): Promise<Stored[]> {
  const rows = countRows(snapshots);
  if (rows > MAX_ORDERED_ROWS)
    throw new ExportRefused(
      `Too many results to sort: ${exact(rows)} rows; the maximum is ${exact(MAX_ORDERED_ROWS)}.`,
    );
  const sorted: Stored[] = [];
  for (const group of byShape(snapshots)) sorted.push(await sortedCopy(store, group, options));
  return sorted;
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

/** One at a time, because making a copy takes half of an isolate's memory. */
const making = new Semaphore(1, 30_000);

/** Returns a sorted copy of snapshots of one shape, made if it does not exist in R2. */
async function sortedCopy(store: R2Bucket, group: readonly Stored[], options: ExportOptions): Promise<Stored> {
  const [first] = group;
  if (!first) throw new Error('there is nothing to sort');
  const { game, kind, kingdom_id, captured_at } = first;
  const key = exportKey({ snapshots: group.map((each) => each.key), type: 'parquet', ...options });
  const rows = countRows(group);
  const copy = { key, game, kind, kingdom_id, captured_at, rows };
  if (await store.head(key)) return copy;
  const slot = await making.acquire();
  try {
    // A concurrent caller may have made it.
    if (await store.head(key)) return copy;
    const shape = { game, kind };
    const opened = group.map((each) => async (): Promise<Snapshot> => {
      slot.touch();
      return openStored(store, each.key);
    });
    const tables = sortedTables({ opened, columns: shownColumns(shape), rows, meta: shape }, options);
    const meta = { ...shape, kingdom_id, captured_at, source: 'sorted', quality: {} };
    await putWritten(store, key, written(tables, meta));
    return copy;
  } finally {
    slot.release();
  }
}
