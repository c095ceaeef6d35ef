import { crc32, gzipSync } from 'node:zlib';
import type { ColumnChunk, SchemaElement } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import type { Column, ColumnType } from '../../domain/games/games.ts';
import type { Numbers, Texts } from '../../domain/scans/rows.ts';
import { writeUtf8 } from '../../domain/utf8.ts';
import { isPackable, packDeltas } from './deltas.ts';

/**
 * Writes one column of a row group as Parquet: a single page (version 2) of definition levels and values. Whole numbers
 * are packed as differences, other values are PLAIN and gzipped (docs/decisions/parquet.md). The library would write
 * cell by cell through bigints, which takes several times as long; it still writes headers and footer.
 * `parquet-cells.ts` reads the pages.
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

/** Values of a page, without rows that have none. */
interface Values {
  encoding: 'PLAIN' | 'DELTA_BINARY_PACKED';
  /** Bytes before compression. */
  size: number;
  /** Bytes as stored: PLAIN ones are gzipped. */
  stored: Uint8Array;
  min?: bigint | number | string;
  max?: bigint | number | string;
}

/** On real scans, level 4 takes half as much time again and saves 4 % of the size. */
const LEVEL = 1;
/**
 * Precomputed, because most columns of most scans are empty and setting up a compressor takes longer than a column's
 * levels.
 */
const EMPTY = gzipSync(new Uint8Array(0), { level: LEVEL });

/**
 * Appends rows `from` to `to` (exclusive) of a column and returns its footer entry. Without cells, the column has no
 * values.
 */
export function writeColumn(
  writer: ByteWriter,
  column: Column,
  cells: Cells,
  from: number,
  to: number,
): ColumnChunk & { meta_data: NonNullable<ColumnChunk['meta_data']> } {
  const rows = to - from;
  const { levels, filled } = levelsOf(cells, from, to);
  const { encoding, size, stored, min, max } = valuesOf(column, cells, from, to, filled);
  const isPlain = encoding === 'PLAIN';
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length + size,
    compressed_page_size: levels.length + stored.length,
    // A signed number in the format.
    crc: crc32(stored, crc32(levels)) | 0,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - filled,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: isPlain,
    },
  });
  const header = writer.offset - start;
  writer.appendBytes(levels);
  writer.appendBytes(stored);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: STORED[column.type].type,
      encodings: [encoding, 'RLE'],
      path_in_schema: [column.key],
      codec: isPlain ? 'GZIP' : 'UNCOMPRESSED',
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(header + levels.length + size),
      data_page_offset: BigInt(start),
      statistics: { null_count: BigInt(rows - filled), min_value: min, max_value: max },
    },
  };
}

/**
 * Returns definition levels (1: the row has a value) in Parquet's hybrid encoding: one run if all are equal, otherwise
 * bits.
 */
function levelsOf(cells: Cells, from: number, to: number): { levels: Uint8Array; filled: number } {
  const rows = to - from;
  const bits = new Uint8Array(Math.ceil(rows / 8));
  const filled =
    cells === undefined
      ? 0
      : cells instanceof Float64Array
        ? markNumbers(cells, from, to, bits)
        : markTexts(cells, from, to, bits);
  if (filled === rows || filled === 0) return { levels: Uint8Array.of(...varint(rows * 2), filled ? 1 : 0), filled };
  const head = varint(bits.length * 2 + 1);
  const levels = new Uint8Array(head.length + bits.length);
  levels.set(head);
  levels.set(bits, head.length);
  return { levels, filled };
}

// Two loops, because V8 reads cells of mixed kinds ten times slower.
function markNumbers(numbers: Numbers, from: number, to: number, bits: Uint8Array): number {
  let filled = 0;
  for (let row = from; row < to; row++) {
    if (Number.isNaN(numbers[row])) continue;
    mark(bits, row - from);
    filled++;
  }
  return filled;
}

function markTexts(texts: Texts, from: number, to: number, bits: Uint8Array): number {
  let filled = 0;
  for (let row = from; row < to; row++) {
    if (texts[row] === null || texts[row] === undefined) continue;
    mark(bits, row - from);
    filled++;
  }
  return filled;
}

function mark(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] as number) | (1 << (index & 7));
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
  if (filled === 0 || cells === undefined) return { encoding: 'PLAIN', size: 0, stored: EMPTY };
  if (type === 'text') return gzipped(textValues(cells as Texts, from, to));
  const numbers = filledIn(cells as Numbers, from, to, filled);
  return type === 'integer' ? integerValues(numbers, key) : decimalValues(numbers);
}

const gzipped = (bytes: Uint8Array): Values => ({
  encoding: 'PLAIN',
  size: bytes.length,
  stored: gzipSync(bytes, { level: LEVEL }),
});

/** Returns the numbers of rows that have one. */
function filledIn(numbers: Numbers, from: number, to: number, filled: number): Numbers {
  if (filled === to - from) return numbers.subarray(from, to);
  const values = new Float64Array(filled);
  let at = 0;
  for (let row = from; row < to; row++) {
    const value = numbers[row] as number;
    if (!Number.isNaN(value)) values[at++] = value;
  }
  return values;
}

function integerValues(numbers: Numbers, key: string): Values {
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < numbers.length; index++) {
    const value = numbers[index] as number;
    if (!Number.isSafeInteger(value)) throw new RangeError(`${key}: ${value} is no whole number up to 2^53 - 1`);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const bounds = { min: BigInt(min), max: BigInt(max) };
  if (!isPackable(min, max))
    return { ...gzipped(new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer)), ...bounds };
  const stored = packDeltas(numbers);
  return { encoding: 'DELTA_BINARY_PACKED', size: stored.length, stored, ...bounds };
}

function decimalValues(numbers: Numbers): Values {
  const [min, max] = numbers.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ] as [number, number]);
  return { ...gzipped(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)), min, max };
}

/** Writes no bounds for texts: no reader filters by name, and computing them in byte order costs more than the page. */
function textValues(texts: Texts, from: number, to: number): Uint8Array {
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
    const end = writeUtf8(text, bytes, at + 4);
    view.setUint32(at, end - at - 4, true);
    at = end;
  }
  return bytes.subarray(0, at);
}
