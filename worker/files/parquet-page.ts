import { gunzipSync, gzipSync } from 'node:zlib';
import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import type { Column, ColumnType } from '../../domain/games.ts';
import type { Numbers, Texts } from '../../domain/rows.ts';

/**
 * One column of one row group as Parquet stores it: a single page (version 2) of definition levels and PLAIN values,
 * gzipped. The libraries read and write the same bytes, but cell by cell through bigints; typed arrays are three to
 * five times as fast (docs/decisions/parquet.md). Headers and footer stay theirs.
 */

export const STORED: Readonly<
  Record<
    ColumnType,
    Pick<SchemaElement, 'converted_type' | 'logical_type'> & { type: 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' }
  >
> = {
  integer: { type: 'INT64' },
  decimal: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
};

type Cells = Numbers | Texts | undefined;

/** Values of a page, without the rows that have none. */
interface Values {
  bytes: Uint8Array;
  min?: bigint | number | string;
  max?: bigint | number | string;
}

/** Level 4: within 3 % of level 6 in size on such rows, in half its time. */
const LEVEL = 4;
const TWO_TO_32 = 2 ** 32;
const ENCODER = new TextEncoder();

/** Appends rows `from` … `to` of a column and answers what the footer says of them. No cells means no values. */
export function writeColumn(
  writer: ByteWriter,
  column: Column,
  cells: Cells,
  from: number,
  to: number,
): ColumnChunk & { meta_data: NonNullable<ColumnChunk['meta_data']> } {
  const rows = to - from;
  const { levels, filled } = levelsOf(column, cells, from, to);
  const { bytes, min, max } = valuesOf(column, cells, from, to, filled);
  const packed = gzipSync(bytes, { level: LEVEL });
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length + bytes.length,
    compressed_page_size: levels.length + packed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - filled,
      num_rows: rows,
      encoding: 'PLAIN',
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const header = writer.offset - start;
  writer.appendBytes(levels);
  writer.appendBytes(packed);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: STORED[column.type].type,
      encodings: ['PLAIN', 'RLE'],
      path_in_schema: [column.key],
      codec: 'GZIP',
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(header + levels.length + bytes.length),
      data_page_offset: BigInt(start),
      statistics: { null_count: BigInt(rows - filled), min_value: min, max_value: max },
    },
  };
}

/** Definition levels (1: the row has a value) in Parquet's hybrid encoding: one run where all are alike, else bits. */
function levelsOf(column: Column, cells: Cells, from: number, to: number): { levels: Uint8Array; filled: number } {
  const rows = to - from;
  const bits = new Uint8Array(Math.ceil(rows / 8));
  let filled = 0;
  for (let row = from; cells !== undefined && row < to; row++) {
    const value = cells[row];
    if (column.type === 'text' ? value === null || value === undefined : Number.isNaN(value)) continue;
    filled++;
    const index = row - from;
    bits[index >> 3] = (bits[index >> 3] as number) | (1 << (index & 7));
  }
  if (filled === rows || filled === 0) return { levels: Uint8Array.of(...varint(rows * 2), filled ? 1 : 0), filled };
  const head = varint(bits.length * 2 + 1);
  const levels = new Uint8Array(head.length + bits.length);
  levels.set(head);
  levels.set(bits, head.length);
  return { levels, filled };
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

function valuesOf({ key, type }: Column, cells: Cells, from: number, to: number, filled: number): Values {
  if (filled === 0 || cells === undefined) return { bytes: new Uint8Array(0) };
  if (type === 'text') return textValues(cells as Texts, from, to);
  return type === 'integer'
    ? integerValues(cells as Numbers, from, to, filled, key)
    : decimalValues(cells as Numbers, from, to, filled);
}

function integerValues(numbers: Numbers, from: number, to: number, filled: number, key: string): Values {
  const halves = new Uint32Array(filled * 2);
  let min = Infinity;
  let max = -Infinity;
  let at = 0;
  for (let row = from; row < to; row++) {
    const value = numbers[row] as number;
    if (Number.isNaN(value)) continue;
    if (!Number.isSafeInteger(value)) throw new RangeError(`${key}: ${value} is no whole number up to 2^53 - 1`);
    if (value < min) min = value;
    if (value > max) max = value;
    // Two's complement: the floor of a negative number makes its high half right as well.
    const high = Math.floor(value / TWO_TO_32);
    halves[at++] = value - high * TWO_TO_32;
    halves[at++] = high;
  }
  return { bytes: new Uint8Array(halves.buffer), min: BigInt(min), max: BigInt(max) };
}

function decimalValues(numbers: Numbers, from: number, to: number, filled: number): Values {
  const values = new Float64Array(filled);
  let at = 0;
  for (let row = from; row < to; row++) {
    const value = numbers[row] as number;
    if (!Number.isNaN(value)) values[at++] = value;
  }
  const [min, max] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ] as [number, number]);
  return { bytes: new Uint8Array(values.buffer), min, max };
}

/** Bounds of text are left out: nobody prunes by name, and finding them in byte order costs more than the page. */
function textValues(texts: Texts, from: number, to: number): Values {
  let size = 0;
  for (let row = from; row < to; row++) {
    const text = texts[row];
    if (text !== null && text !== undefined) size += 4 + text.length * 3;
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let row = from; row < to; row++) {
    const text = texts[row];
    if (text === null || text === undefined) continue;
    const written = writeText(text, bytes, at + 4);
    view.setUint32(at, written, true);
    at += 4 + written;
  }
  return { bytes: bytes.subarray(0, at) };
}

/** Short ASCII, which most names and tags are, is copied here: a call into the encoder costs more than they do. */
function writeText(text: string, bytes: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return ENCODER.encodeInto(text, bytes.subarray(at)).written;
    bytes[at + index] = code;
  }
  return text.length;
}

/** Decodes a column chunk that `writeColumn` made into `target`, from its row `at`; rows without value are left. */
export function readColumn(chunk: Uint8Array, column: Column, target: Numbers | Texts): void {
  const reader = { view: new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength), offset: 0 };
  const { type, compressed_page_size, uncompressed_page_size, data_page_header_v2: page } = parquetHeader(reader);
  if (type !== 'DATA_PAGE_V2' || page?.encoding !== 'PLAIN' || page.num_values !== target.length)
    throw new Error(`${column.key}: not a page of a snapshot`);
  const levelBytes = page.definition_levels_byte_length;
  const start = reader.offset + levelBytes;
  const levels = chunk.subarray(reader.offset, start);
  const size = uncompressed_page_size - levelBytes;
  const values = unpack(chunk.subarray(start, reader.offset + compressed_page_size), size);
  const rows = page.num_nulls === 0 ? null : rowsWithValue(levels, page.num_values);
  if (column.type === 'text') readTexts(values, target as Texts, rows);
  else if (column.type === 'integer') readIntegers(values, target as Numbers, rows);
  else readDecimals(values, target as Numbers, rows);
}

/**
 * Exactly `size` bytes, in one piece of memory. workerd counts whole chunks against the limit, so it has to lie above
 * the size by one.
 */
function unpack(packed: Uint8Array, size: number): Uint8Array {
  const chunkSize = Math.max(size, 64) + 1;
  const values = gunzipSync(packed, { chunkSize, maxOutputLength: 2 * chunkSize });
  if (values.length !== size) throw new Error(`a page holds ${values.length} bytes where ${size} were written`);
  return values;
}

/** Indexes of the rows that have a value, from definition levels in Parquet's hybrid encoding. */
function rowsWithValue(levels: Uint8Array, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  let filled = 0;
  let row = 0;
  let at = 0;
  while (row < count) {
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = levels[at++] as number;
      head |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const run = head >>> 1;
    if ((head & 1) === 0) {
      const value = levels[at++];
      for (let index = 0; index < run && row < count; index++, row++) if (value === 1) rows[filled++] = row;
      continue;
    }
    for (let byte = 0; byte < run; byte++) {
      const bits = levels[at++] as number;
      for (let bit = 0; bit < 8 && row < count; bit++, row++) if ((bits >> bit) & 1) rows[filled++] = row;
    }
  }
  return rows.subarray(0, filled);
}

/** The bytes at an address that typed arrays can stand on. */
const aligned = (bytes: Uint8Array): Uint8Array => (bytes.byteOffset % 8 === 0 ? bytes : bytes.slice());

function readIntegers(bytes: Uint8Array, target: Numbers, rows: Uint32Array | null): void {
  const { buffer, byteOffset, length } = aligned(bytes);
  const low = new Uint32Array(buffer, byteOffset, length / 4);
  const high = new Int32Array(buffer, byteOffset, length / 4);
  const count = length / 8;
  for (let index = 0; index < count; index++) {
    const value = (high[index * 2 + 1] as number) * TWO_TO_32 + (low[index * 2] as number);
    target[rows ? (rows[index] as number) : index] = value;
  }
}

function readDecimals(bytes: Uint8Array, target: Numbers, rows: Uint32Array | null): void {
  const { buffer, byteOffset, length } = aligned(bytes);
  const values = new Float64Array(buffer, byteOffset, length / 8);
  if (!rows) target.set(values);
  else for (let index = 0; index < values.length; index++) target[rows[index] as number] = values[index] as number;
}

function readTexts(bytes: Uint8Array, target: Texts, rows: Uint32Array | null): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const length = view.getUint32(at, true);
    at += 4;
    target[rows ? (rows[index] as number) : index] = readText(bytes, at, at + length);
    at += length;
  }
}

/** Keeps a byte order mark at the start of a name: it is part of the name. */
const DECODER = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

function readText(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 24) return DECODER.decode(bytes.subarray(from, to));
  let text = '';
  for (let index = from; index < to; index++) {
    const byte = bytes[index] as number;
    if (byte > 0x7f) return DECODER.decode(bytes.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}
