import type { AsyncBuffer } from 'hyparquet';
import { ThriftReader } from './thrift.ts';

/** A file read by ranges. Each returned buffer belongs to the caller. */
export interface ParquetSource extends AsyncBuffer {
  close?(): void;
}

/** The parts of a Parquet footer that readers of snapshots need. */

/** Position of a column chunk in the file. */
export interface Extent {
  start: number;
  end: number;
}

export interface RowGroup {
  rows: number;
  /** Columns with a value in some row; the others need not be read. */
  columns: ReadonlyMap<string, Extent>;
}

export interface Footer {
  groups: readonly RowGroup[];
  /** Key-value metadata. */
  values: ReadonlyMap<string, string>;
}

/** Holds the footer of a file with one row group. Longer footers need a second read. */
const FOOTER_BYTES = 16 * 1024;
/** The footer's length and the magic number at the end. */
const TAIL_BYTES = 8;
const MARK = 0x31524150;

/** Reads the footer of a file with flat columns. Throws if the bytes are not Parquet. */
export async function readFooter(source: ParquetSource): Promise<Footer> {
  const from = Math.max(0, source.byteLength - FOOTER_BYTES);
  const tail = new Uint8Array(await source.slice(from, source.byteLength));
  if (tail.length < TAIL_BYTES) throw new Error('not a Parquet file: too short');
  const view = new DataView(tail.buffer, tail.length - TAIL_BYTES);
  if (view.getUint32(4, true) !== MARK) throw new Error('not a Parquet file: its mark is missing');
  const start = source.byteLength - TAIL_BYTES - view.getUint32(0, true);
  if (start < 0) throw new Error('not a Parquet file: its footer is longer than the file');
  if (start >= from) return footerIn(new ThriftReader(tail, start - from));
  return footerIn(new ThriftReader(new Uint8Array(await source.slice(start, source.byteLength))));
}

function footerIn(reader: ThriftReader): Footer {
  const groups: RowGroup[] = [];
  const values = new Map<string, string>();
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 4) for (let left = reader.list(); left > 0; left--) groups.push(groupIn(reader));
    else if (id === 5) for (let left = reader.list(); left > 0; left--) values.set(...pairIn(reader));
    else reader.pass();
  }
  return { groups, values };
}

function groupIn(reader: ThriftReader): RowGroup {
  const chunks: Chunk[] = [];
  let rows = 0;
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 1) for (let left = reader.list(); left > 0; left--) chunks.push(chunkIn(reader));
    else if (id === 3) rows = reader.integer();
    else reader.pass();
  }
  const filled = chunks.filter(({ nulls }) => nulls !== rows);
  return {
    rows,
    columns: new Map(filled.map(({ path, start, size }) => [path.map(textOf).join('.'), { start, end: start + size }])),
  };
}

interface Chunk {
  /** The column's name, decoded only if needed, because most columns are empty. */
  path: Uint8Array[];
  start: number;
  size: number;
  /** Number of rows without a value, if the file tells. */
  nulls: number | null;
}

function chunkIn(reader: ThriftReader): Chunk {
  const chunk: Chunk = { path: [], start: 0, size: 0, nulls: null };
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 3) describe(reader, chunk);
    else reader.pass();
  }
  return chunk;
}

function describe(reader: ThriftReader, chunk: Chunk): void {
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 3) chunk.path = Array.from({ length: reader.list() }, () => reader.binary());
    else if (id === 7) chunk.size = reader.integer();
    else if (id === 9) chunk.start = reader.integer();
    else if (id === 12) chunk.nulls = nullsIn(reader);
    else reader.pass();
  }
}

function nullsIn(reader: ThriftReader): number | null {
  let nulls: number | null = null;
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 3) nulls = reader.integer();
    else reader.pass();
  }
  return nulls;
}

function pairIn(reader: ThriftReader): [string, string] {
  const pair: [string, string] = ['', ''];
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 1 || id === 2) pair[id - 1] = textOf(reader.binary());
    else reader.pass();
  }
  return pair;
}

const DECODER = new TextDecoder();
const textOf = (bytes: Uint8Array): string => DECODER.decode(bytes);
