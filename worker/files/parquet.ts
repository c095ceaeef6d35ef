import {
  type AsyncBuffer,
  type FileMetaData,
  type KeyValue,
  parquetMetadataAsync,
  type SchemaElement,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Column, isGameId } from '../../domain/games/games.ts';
import { layoutOf, type Shape, SNAPSHOT_KINDS } from '../../domain/scans/layouts.ts';
import type { Quality } from '../../domain/scans/quality.ts';
import { type Numbers, reorder, type Table, type Texts } from '../../domain/scans/rows.ts';
import { emptyColumn, readColumn, STORED, writeColumn } from './parquet-page.ts';
import { release } from './release.ts';

/**
 * Snapshots as Parquet (docs/decisions/parquet.md): every column of the game, nullable, in the game's order; PLAIN,
 * gzip, row groups of 10,000, so that a reader holds one group and fetches only the columns that it wants.
 */

export const ROWS_PER_GROUP = 10_000;
/** Raised when the meaning of what is in a file changes; readers tell by it which one they hold. */
export const LAYOUT_VERSION = '1';

export interface SnapshotMeta extends Shape {
  kingdom_id: number;
  /** Epoch milliseconds; in the file as ISO 8601. */
  captured_at: number;
  source: string;
  /** Rows of each quality. */
  quality: Partial<Record<Quality, number>>;
}

/** An opened snapshot: its metadata is read, its rows are read as they are asked for. */
export interface Snapshot {
  meta: SnapshotMeta;
  count: number;
  /** Keys of the columns with a value in some row, by the file's own counts of nulls: no row is read for it. */
  filled: ReadonlySet<string>;
  /**
   * The rows in the order in which they were written, a table a row group; of the columns named, or of all. A column
   * that is not named is not in the tables. One that the file does not have (it is older than the column) is empty.
   */
  groups(columns?: readonly string[]): AsyncGenerator<Table, void, undefined>;
  /** The rows from place `from` on and before `to`; only the row groups that hold some of them are read. */
  between(from: number, to: number, columns?: readonly string[]): AsyncGenerator<Table, void, undefined>;
  /** Gives back what is held of the file; no row can be read after it. */
  close(): void;
}

/** Ranges of a file, each as a buffer that is the caller's own. */
export interface Source extends AsyncBuffer {
  close?(): void;
}

/** Holds the footer of a file of one row group; the rest of a longer one is asked for. */
const FOOTER_BYTES = 16 * 1024;

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { name: 'snapshot', num_children: columns.length },
  ...columns.map(({ key, type }): SchemaElement => ({ name: key, repetition_type: 'OPTIONAL', ...STORED[type] })),
];

const keyValues = (meta: SnapshotMeta): KeyValue[] => [
  { key: 'game', value: meta.game },
  { key: 'kind', value: meta.kind ?? 'scan' },
  { key: 'kingdom', value: String(meta.kingdom_id) },
  { key: 'captured_at', value: new Date(meta.captured_at).toISOString() },
  { key: 'source', value: meta.source },
  { key: 'quality', value: JSON.stringify(meta.quality) },
];

/** Writes a snapshot table by table; what came in is held compressed, so the rows need not be in memory together. */
export class SnapshotWriter {
  readonly #columns: readonly Column[];
  /** True where the columns are those of our layout: the footer says so, and by that word the file is read again. */
  readonly #ours: boolean;
  readonly #bytes = new ByteWriter(256 * 1024);
  readonly #parquet: ParquetWriter;

  /** `foreign`: the columns of another tool, whose programs the file is for; it is no snapshot then. */
  constructor(shape: Shape, foreign?: readonly Column[]) {
    this.#columns = foreign ?? layoutOf(shape).columns;
    this.#ours = foreign === undefined;
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(this.#columns),
      createdBy: 'muster',
    });
  }

  /** Adds rows: full groups of 10,000 and one of what is left, so hand in tables of that size where there are many. */
  append(table: Table): void {
    for (let from = 0; from < table.count; from += ROWS_PER_GROUP)
      this.#group(table, from, Math.min(from + ROWS_PER_GROUP, table.count));
  }

  /** The bytes since the last call, for files that are sent while they are written. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = (this.#bytes.getBytes() as Uint8Array<ArrayBuffer>).slice();
    // The writer counts its offset in the file apart from its place in the buffer.
    this.#bytes.index = 0;
    return bytes;
  }

  /** The whole file, or what of it was not taken. Nothing can be appended after it. */
  finish(meta: SnapshotMeta): Uint8Array<ArrayBuffer> {
    this.#parquet.kvMetadata = [...keyValues(meta), ...(this.#ours ? [{ key: 'muster', value: LAYOUT_VERSION }] : [])];
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

/** A table as the bytes of a Parquet file. Numbers are exact up to 2^53; lone surrogates in text become U+FFFD. */
export function writeSnapshot(table: Table, meta: SnapshotMeta): Uint8Array<ArrayBuffer> {
  const writer = new SnapshotWriter(table);
  writer.append(table);
  return writer.finish(meta);
}

/** Reads the metadata of a snapshot from its bytes or from anything that gives ranges of them. */
export async function openSnapshot(source: Source | Uint8Array): Promise<Snapshot> {
  const file: Source = source instanceof Uint8Array ? inMemory(source) : source;
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER_BYTES });
  const meta = metaOf(metadata);
  return {
    meta,
    count: Number(metadata.num_rows),
    filled: filledOf(metadata),
    groups: (keys) => groupsOf(file, metadata, meta, columnsOf(meta, keys)),
    between: (from, to, keys) => groupsOf(file, metadata, meta, columnsOf(meta, keys), from, to),
    close: () => file.close?.(),
  };
}

/** All rows of a snapshot in one table, of the columns named or of all. */
export async function readSnapshot(
  source: Source | Uint8Array,
  columns?: readonly string[],
): Promise<{ meta: SnapshotMeta; table: Table }> {
  const snapshot = await openSnapshot(source);
  return { meta: snapshot.meta, table: await wholeTable(snapshot, columns) };
}

/** All rows of an opened snapshot in one table, of the columns named or of all. */
export async function wholeTable(snapshot: Snapshot, keys?: readonly string[]): Promise<Table> {
  const { game, kind } = snapshot.meta;
  if (snapshot.count <= ROWS_PER_GROUP) {
    // A usual scan is one group: what was read is what is wanted, without a copy.
    const { value: only, done } = await snapshot.groups(keys).next();
    if (!done && only.count === snapshot.count) return only;
  }
  const whole: Table = { game, kind, count: snapshot.count, numbers: {}, texts: {} };
  for (const column of columnsOf(whole, keys)) put(whole, column, emptyColumn(column, whole.count));
  let row = 0;
  for await (const group of snapshot.groups(keys)) {
    for (const [key, numbers] of Object.entries(group.numbers)) whole.numbers[key]?.set(numbers, row);
    for (const [key, texts] of Object.entries(group.texts)) copyTexts(texts, whole.texts[key] ?? [], row);
    row += group.count;
  }
  return whole;
}

function copyTexts(from: readonly (string | null)[], to: (string | null)[], at: number): void {
  for (let index = 0; index < from.length; index++) to[at + index] = from[index] ?? null;
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

function metaOf({ key_value_metadata }: FileMetaData): SnapshotMeta {
  const values = new Map(key_value_metadata?.map(({ key, value }) => [key, value ?? '']));
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

/** Where the bytes of a column of a row group lie in the file. */
interface Extent {
  start: number;
  end: number;
}

/** The extents of the columns that have a value in the row group; the others need not be read. */
function extentsOf(group: FileMetaData['row_groups'][number]): Map<string, Extent> {
  const extents = new Map<string, Extent>();
  for (const { meta_data } of group.columns) {
    if (!meta_data || meta_data.statistics?.null_count === group.num_rows) continue;
    const start = Number(meta_data.data_page_offset);
    extents.set(meta_data.path_in_schema.join('.'), { start, end: start + Number(meta_data.total_compressed_size) });
  }
  return extents;
}

const filledOf = (metadata: FileMetaData): ReadonlySet<string> =>
  new Set(metadata.row_groups.flatMap((group) => [...extentsOf(group).keys()]));

async function* groupsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  { game, kind }: Shape,
  columns: readonly Column[],
  from = 0,
  to = Infinity,
): AsyncGenerator<Table, void, undefined> {
  let end = 0;
  for (const group of metadata.row_groups) {
    const count = Number(group.num_rows);
    const start = end;
    end += count;
    if (end <= from || start >= to) continue;
    const extents = extentsOf(group);
    const { bytesOf, buffer } = await fetched(
      file,
      columns.flatMap(({ key }) => extents.get(key) ?? []),
    );
    const table: Table = { game, kind, count, numbers: {}, texts: {} };
    for (const column of columns) {
      const extent = extents.get(column.key);
      put(table, column, extent ? readColumn(bytesOf(extent), column, count) : emptyColumn(column, count));
    }
    release([buffer]);
    yield from <= start && end <= to ? table : cut(table, from - start, to - start);
  }
}

function cut(table: Table, from: number, to: number): Table {
  const places = Array.from({ length: table.count }, (_, row) => row).slice(
    Math.max(0, from),
    Math.min(to, table.count),
  );
  return reorder(table, Uint32Array.from(places));
}

function put(table: Table, { key }: Column, cells: Numbers | Texts): void {
  if (cells instanceof Float64Array) table.numbers[key] = cells;
  else table.texts[key] = cells;
}

/** Fetches all extents in one range: what lies between two wanted columns is less than another request costs. */
async function fetched(
  file: Source,
  extents: readonly Extent[],
): Promise<{ buffer: ArrayBuffer; bytesOf: (extent: Extent) => Uint8Array }> {
  const start = Math.min(...extents.map((extent) => extent.start));
  const end = Math.max(...extents.map((extent) => extent.end));
  const buffer = extents.length > 0 ? await file.slice(start, end) : new ArrayBuffer(0);
  return { buffer, bytesOf: (extent) => new Uint8Array(buffer, extent.start - start, extent.end - extent.start) };
}
