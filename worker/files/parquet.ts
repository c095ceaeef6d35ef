import type { AsyncBuffer, KeyValue, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Column, isGameId } from '../../domain/games/games.ts';
import { release } from '../../domain/release.ts';
import { layoutOf, type Shape, SNAPSHOT_KINDS } from '../../domain/scans/layouts.ts';
import type { Quality } from '../../domain/scans/quality.ts';
import { reorder, type Table } from '../../domain/scans/rows.ts';
import { type Chunk, readChunks, readNothing } from './parquet-cells.ts';
import { type Extent, type Footer, type ParquetSource, type RowGroup, readFooter } from './parquet-footer.ts';
import { STORED, writeColumn } from './parquet-page.ts';

/**
 * Snapshots as Parquet (docs/decisions/parquet.md): all columns of the game, nullable, in the game's order. With row
 * groups of 10,000, readers hold one group and fetch only the columns they need.
 */

export const ROWS_PER_GROUP = 10_000;
/** Incremented when the meaning of a file's content changes, so that readers can tell. */
export const LAYOUT_VERSION = '1';

export interface SnapshotMeta extends Shape {
  kingdom_id: number;
  /** Epoch ms; ISO 8601 in the file. */
  captured_at: number;
  source: string;
  /** Number of rows of each quality. */
  quality: Partial<Record<Quality, number>>;
}

/** An open snapshot. The metadata is in memory; rows are read on demand. */
export interface Snapshot {
  meta: SnapshotMeta;
  count: number;
  /** Keys of columns with a value in some row, from the file's null counts; no rows are read. */
  filled: ReadonlySet<string>;
  /**
   * Yields the rows in stored order, one table per row group, with the given columns or all. Columns that an older file
   * lacks are empty.
   */
  groups(columns?: readonly string[]): AsyncGenerator<Table, void, undefined>;
  /** Yields the rows from `from` up to `to` (exclusive). Reads only the row groups that contain them. */
  between(from: number, to: number, columns?: readonly string[]): AsyncGenerator<Table, void, undefined>;
  /**
   * Reads all rows into existing columns of `table`, from its row `at` on. Columns that the file lacks become empty.
   */
  into(table: Table, at: number, columns?: readonly string[]): Promise<void>;
  /** Releases the file's memory. No rows can be read afterwards. */
  close(): void;
}

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { name: 'snapshot', num_children: columns.length },
  ...columns.map(({ key, type }): SchemaElement => ({ name: key, repetition_type: 'OPTIONAL', ...STORED[type] })),
];

const keyValues = (meta: SnapshotMeta, kingdoms: Iterable<number>): KeyValue[] => [
  { key: 'game', value: meta.game },
  { key: 'kind', value: meta.kind ?? 'scan' },
  { key: 'kingdom', value: String(meta.kingdom_id) },
  { key: 'kingdoms', value: JSON.stringify([...new Set(kingdoms)].sort((a, b) => a - b)) },
  { key: 'captured_at', value: new Date(meta.captured_at).toISOString() },
  { key: 'source', value: meta.source },
  { key: 'quality', value: JSON.stringify(meta.quality) },
];

/** Writes a snapshot table by table. Rows are held compressed, so they need not be in memory together. */
export class SnapshotWriter {
  readonly #columns: readonly Column[];
  /** True if the columns are our own layout. The footer says so, and only such files are read again. */
  readonly #ours: boolean;
  readonly #bytes = new ByteWriter(256 * 1024);
  readonly #parquet: ParquetWriter;

  /** `foreign`: the columns of another tool, for its users. The file is then not a snapshot. */
  constructor(shape: Shape, foreign?: readonly Column[]) {
    this.#columns = foreign ?? layoutOf(shape).columns;
    this.#ours = foreign === undefined;
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(this.#columns),
      createdBy: 'muster',
    });
  }

  /** Appends rows in groups of 10,000 and one of the rest, so large inputs should come in tables of that size. */
  append(table: Table): void {
    for (let from = 0; from < table.count; from += ROWS_PER_GROUP)
      this.#group(table, from, Math.min(from + ROWS_PER_GROUP, table.count));
  }

  /** Returns the bytes since the last call, for files sent while they are written. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = (this.#bytes.getBytes() as Uint8Array<ArrayBuffer>).slice();
    // The writer keeps its file offset separately from its buffer position.
    this.#bytes.index = 0;
    return bytes;
  }

  /**
   * Returns the whole file, or the bytes not yet taken. Nothing can be appended afterwards. `kingdoms`: the kingdoms of
   * all rows, if the file has several.
   */
  finish(meta: SnapshotMeta, kingdoms: Iterable<number> = [meta.kingdom_id]): Uint8Array<ArrayBuffer> {
    const ours = this.#ours ? [{ key: 'muster', value: LAYOUT_VERSION }] : [];
    this.#parquet.kvMetadata = [...keyValues(meta, kingdoms), ...ours];
    this.#parquet.finish();
    return this.#bytes.getBytes() as Uint8Array<ArrayBuffer>;
  }

  #group(table: Table, from: number, to: number): void {
    const start = this.#bytes.offset;
    const columns = this.#columns.map((column) =>
      writeColumn(this.#bytes, column, table.numbers[column.key] ?? table.texts[column.key], from, to),
    );
    this.#parquet.row_groups.push({
      columns,
      num_rows: BigInt(to - from),
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + meta_data.total_uncompressed_size, 0n),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
    this.#parquet.num_rows += BigInt(to - from);
  }
}

/** Returns a table as a Parquet file. Numbers are exact up to 2^53; lone surrogates become U+FFFD. */
export function writeSnapshot(table: Table, meta: SnapshotMeta): Uint8Array<ArrayBuffer> {
  const writer = new SnapshotWriter(table);
  writer.append(table);
  return writer.finish(meta);
}

/** Opens a snapshot from its bytes or from a source of byte ranges. */
export async function openSnapshot(source: ParquetSource | Uint8Array): Promise<Snapshot> {
  const file: ParquetSource = source instanceof Uint8Array ? inMemory(source) : source;
  const { groups, values } = await readFooter(file);
  const meta = metaOf(values);
  return {
    meta,
    count: groups.reduce((sum, { rows }) => sum + rows, 0),
    filled: new Set(groups.flatMap(({ columns }) => [...columns.keys()])),
    groups: (keys) => groupsOf(file, groups, meta, columnsOf(meta, keys)),
    between: (from, to, keys) => groupsOf(file, groups, meta, columnsOf(meta, keys), from, to),
    into: (table, at, keys) => rowsInto(file, groups, columnsOf(meta, keys), table, at),
    close: () => file.close?.(),
  };
}

/** Reads all rows of a snapshot into one table, with the given columns or all. */
export async function readSnapshot(
  source: ParquetSource | Uint8Array,
  columns?: readonly string[],
): Promise<{ meta: SnapshotMeta; table: Table }> {
  const snapshot = await openSnapshot(source);
  return { meta: snapshot.meta, table: await wholeTable(snapshot, columns) };
}

/** Reads all rows of an open snapshot into one table, with the given columns or all. */
export async function wholeTable(snapshot: Snapshot, keys?: readonly string[]): Promise<Table> {
  const whole = roomFor(snapshot.meta, keys, snapshot.count);
  await snapshot.into(whole, 0, keys);
  return whole;
}

/** Allocates a table of `count` rows with the given columns or all. Its content is undefined until it is filled. */
export function roomFor(shape: Shape, keys: readonly string[] | undefined, count: number): Table {
  const table: Table = { game: shape.game, kind: shape.kind, count, numbers: {}, texts: {} };
  for (const { key, type } of columnsOf(shape, keys)) {
    if (type === 'text') table.texts[key] = new Array<string | null>(count).fill(null);
    else table.numbers[key] = new Float64Array(count);
  }
  return table;
}

function columnsOf(shape: Shape, keys: readonly string[] | undefined): readonly Column[] {
  const { columns } = layoutOf(shape);
  if (!keys) return columns;
  const wanted = new Set(keys);
  const found = columns.filter(({ key }) => wanted.has(key));
  if (found.length < wanted.size) {
    const unknown = keys.find((key) => !columns.some((column) => column.key === key));
    throw new Error(`${shape.game} has no column '${unknown}'`);
  }
  return found;
}

function inMemory(bytes: Uint8Array): AsyncBuffer {
  const start = bytes.byteOffset;
  return {
    byteLength: bytes.byteLength,
    slice: (from, to = bytes.byteLength) => bytes.buffer.slice(start + from, start + to) as ArrayBuffer,
  };
}

function metaOf(values: Footer['values']): SnapshotMeta {
  const game = values.get('game') ?? '';
  const captured = Date.parse(values.get('captured_at') ?? '');
  if (values.get('muster') !== LAYOUT_VERSION || !isGameId(game) || Number.isNaN(captured))
    throw new Error('not a snapshot of this layout: muster, game or captured_at is missing');
  return {
    game,
    kind: SNAPSHOT_KINDS.find((kind) => kind === values.get('kind')) ?? 'scan',
    kingdom_id: Number(values.get('kingdom')),
    captured_at: captured,
    source: values.get('source') ?? '',
    quality: JSON.parse(values.get('quality') ?? '{}') as SnapshotMeta['quality'],
  };
}

async function* groupsOf(
  file: ParquetSource,
  groups: readonly RowGroup[],
  shape: Shape,
  columns: readonly Column[],
  from = 0,
  to = Infinity,
): AsyncGenerator<Table, void, undefined> {
  const keys = columns.map(({ key }) => key);
  let end = 0;
  for (const group of groups) {
    const start = end;
    end += group.rows;
    if (end <= from || start >= to) continue;
    const table = roomFor(shape, keys, group.rows);
    await readGroup(file, group, columns, table, 0);
    yield from <= start && end <= to ? table : cut(table, from - start, to - start);
  }
}

async function rowsInto(
  file: ParquetSource,
  groups: readonly RowGroup[],
  columns: readonly Column[],
  table: Table,
  from: number,
): Promise<void> {
  let at = from;
  for (const group of groups) {
    await readGroup(file, group, columns, table, at);
    at += group.rows;
  }
}

/** Reads a row group into the columns of `table`, from row `at` on. */
async function readGroup(
  file: ParquetSource,
  { rows, columns: extents }: RowGroup,
  columns: readonly Column[],
  table: Table,
  at: number,
): Promise<void> {
  const { bytesOf, buffer } = await fetched(
    file,
    columns.flatMap(({ key }) => extents.get(key) ?? []),
  );
  const chunks: Chunk[] = [];
  for (const column of columns) {
    const extent = extents.get(column.key);
    if (extent) chunks.push({ column, bytes: bytesOf(extent) });
    else readNothing(column, rows, table, at);
  }
  readChunks(chunks, rows, table, at);
  release([buffer]);
}

function cut(table: Table, from: number, to: number): Table {
  const places = Array.from({ length: table.count }, (_, row) => row).slice(
    Math.max(0, from),
    Math.min(to, table.count),
  );
  return reorder(table, Uint32Array.from(places));
}

/** Fetches all extents in one range, because the bytes between two columns cost less than another request. */
async function fetched(
  file: ParquetSource,
  extents: readonly Extent[],
): Promise<{ buffer: ArrayBuffer; bytesOf: (extent: Extent) => Uint8Array }> {
  const start = Math.min(...extents.map((extent) => extent.start));
  const end = Math.max(...extents.map((extent) => extent.end));
  const buffer = extents.length > 0 ? await file.slice(start, end) : new ArrayBuffer(0);
  return { buffer, bytesOf: (extent) => new Uint8Array(buffer, extent.start - start, extent.end - extent.start) };
}
