import { gzipSync } from 'node:zlib';
import type { ColumnChunk, SchemaElement } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import type { Column, ColumnType } from '../../domain/games/games.ts';
import type { Numbers, Texts } from '../../domain/scans/rows.ts';
import { writeUtf8 } from './bytes.ts';

/**
 * Writes one column of a row group as Parquet: a single page (version 2) of definition levels and PLAIN values,
 * gzipped. The library writes the same bytes cell by cell through bigints; typed arrays are three to five times as fast
 * (docs/decisions/parquet.md). The library still writes headers and footer. `parquet-cells.ts` reads the pages.
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
  bytes: Uint8Array;
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
const TWO_TO_32 = 2 ** 32;

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
  const { bytes, min, max } = valuesOf(column, cells, from, to, filled);
  const packed = filled === 0 ? EMPTY : gzipSync(bytes, { level: LEVEL });
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
    // Two's complement: rounding down makes the high half right for negative numbers too.
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

/** Writes no bounds for texts: no reader filters by name, and computing them in byte order costs more than the page. */
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
    const end = writeUtf8(text, bytes, at + 4);
    view.setUint32(at, end - at - 4, true);
    at = end;
  }
  return { bytes: bytes.subarray(0, at) };
}
