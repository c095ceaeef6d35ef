import { Buffer } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';
import type { Column } from '../../domain/games/games.ts';
import { release } from '../../domain/release.ts';
import type { Numbers, Table, Texts } from '../../domain/scans/rows.ts';
import { unpackDeltas } from './deltas.ts';
import { joined } from './gzip.ts';
import { ThriftReader } from './thrift.ts';

/**
 * Reads pages written by `writeColumn` into existing columns. Several pages are decompressed together, because setting
 * up a decompressor takes as long as decompressing some thousand figures (docs/decisions/parquet.md).
 */

/** A column chunk of a row group, as stored in the file. */
export interface Chunk {
  column: Column;
  bytes: Uint8Array;
}

/** Bytes decompressed together. Fits in the CPU cache and is small compared to the columns. */
const TOGETHER = 512 * 1024;

/** Reads a row group of `rows` rows into the columns of `table`, from row `at` on. */
export function readChunks(chunks: readonly Chunk[], rows: number, table: Table, at: number): void {
  // Texts last, so that numbers stay aligned for typed arrays.
  const pages = chunks
    .toSorted((a, b) => Number(a.column.type === 'text') - Number(b.column.type === 'text'))
    .map((chunk) => pageIn(chunk, rows));
  for (const page of pages) if (page.isPacked) readPage(page, page.stored, rows, table, at);
  const gzipped = pages.filter(({ isPacked }) => !isPacked);
  for (let from = 0; from < gzipped.length; ) {
    let [to, size] = [from, 0];
    do size += (gzipped[to++] as Page).size;
    while (to < gzipped.length && size + (gzipped[to] as Page).size <= TOGETHER);
    readTogether(gzipped.slice(from, to), size, rows, table, at);
    from = to;
  }
}

/** Empties `rows` rows of a column from row `at` on. */
export function readNothing({ key, type }: Column, rows: number, table: Table, at: number): void {
  if (type === 'text') table.texts[key]?.fill(null, at, at + rows);
  else table.numbers[key]?.fill(Number.NaN, at, at + rows);
}

/** The page of a chunk; our writer makes one per chunk. */
interface Page {
  column: Column;
  /** Definition levels in Parquet's hybrid encoding; null if every row has a value. */
  levels: Uint8Array | null;
  stored: Uint8Array;
  /** True for whole numbers packed as differences; other values are gzipped. */
  isPacked: boolean;
  /** Size of its values in bytes, decompressed. */
  size: number;
}

/** Values of the format's enumerations. */
const DATA_PAGE_V2 = 3;
const PLAIN = 0;
const DELTA_BINARY_PACKED = 5;

function pageIn({ column, bytes }: Chunk, rows: number): Page {
  const reader = new ThriftReader(bytes);
  let [type, unpacked, stored] = [-1, 0, 0];
  let sum: number | null = null;
  let page = { values: -1, nulls: 0, encoding: -1, levels: 0 };
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 1) type = reader.integer();
    else if (id === 2) unpacked = reader.integer();
    else if (id === 3) stored = reader.integer();
    else if (id === 4) sum = reader.integer();
    else if (id === 8) page = aboutPage(reader);
    else reader.pass();
  }
  const isPacked = page.encoding === DELTA_BINARY_PACKED && column.type === 'integer';
  if (type !== DATA_PAGE_V2 || !(isPacked || page.encoding === PLAIN) || page.values !== rows)
    throw new Error(`${column.key}: not a page of a snapshot`);
  const [start, end] = [reader.at + page.levels, reader.at + stored];
  // Older files have no sums.
  if (sum !== null && (crc32(bytes.subarray(reader.at, end)) | 0) !== sum)
    throw new Error(`${column.key}: the page is not what its checksum says`);
  return {
    column,
    levels: page.nulls === 0 ? null : bytes.subarray(reader.at, start),
    stored: bytes.subarray(start, end),
    isPacked,
    size: unpacked - page.levels,
  };
}

function aboutPage(reader: ThriftReader) {
  const page = { values: -1, nulls: 0, encoding: -1, levels: 0 };
  for (let id = reader.field(0); id !== 0; id = reader.field(id)) {
    if (id === 1) page.values = reader.integer();
    else if (id === 2) page.nulls = reader.integer();
    else if (id === 4) page.encoding = reader.integer();
    else if (id === 5) page.levels = reader.integer();
    else reader.pass();
  }
  return page;
}

/** Reads gzipped pages whose values take `size` bytes in all. */
function readTogether(pages: readonly Page[], size: number, rows: number, table: Table, at: number): void {
  const values = unpack(pages, size);
  let from = 0;
  for (const page of pages) {
    readPage(page, values.subarray(from, from + page.size), rows, table, at);
    from += page.size;
  }
  // A slice of a larger buffer must not be released.
  if (values.byteLength + 1 === values.buffer.byteLength) release([values.buffer]);
}

/** Reads the values of a page, which are no longer gzipped. */
function readPage({ column, levels, isPacked }: Page, bytes: Uint8Array, rows: number, table: Table, at: number): void {
  const filled = levels && rowsWithValue(levels, rows);
  const { [column.key]: numbers } = table.numbers;
  const { [column.key]: texts } = table.texts;
  if (texts) readTexts(bytes, filled, texts, at, rows);
  else if (numbers) {
    const read = isPacked ? unpackDeltas : column.type === 'integer' ? readIntegers : readDecimals;
    readNumbers(read, bytes, filled, numbers, at, rows);
  }
}

/**
 * Decompresses the values of all pages into one buffer, which works because consecutive gzip members form one file.
 * workerd counts whole chunks against the limit, so the chunk size must exceed the size by one.
 */
function unpack(pages: readonly Page[], size: number): Uint8Array {
  const chunkSize = Math.max(size, 64) + 1;
  const packed = joined(pages.map((page) => page.stored));
  const values = gunzipSync(packed, { chunkSize, maxOutputLength: 2 * chunkSize });
  release([packed.buffer]);
  if (values.length !== size) throw new Error(`pages hold ${values.length} bytes where ${size} were written`);
  return values;
}

/** Returns the indexes of rows with a value, from definition levels in Parquet's hybrid encoding. */
function rowsWithValue(levels: Uint8Array, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  let filled = 0;
  let row = 0;
  let at = 0;
  while (row < count) {
    if (at >= levels.length) throw new RangeError('the levels of a page end too early');
    let head = 0;
    for (let shift = 0; at < levels.length; shift += 7) {
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

/** Returns the bytes of `count` numbers at an address aligned for typed arrays. */
function aligned(bytes: Uint8Array, count: number): Uint8Array {
  if (bytes.length !== 8 * count) throw new RangeError(`a page holds ${bytes.length} bytes for ${count} numbers`);
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

type ReadNumbers = (bytes: Uint8Array, count: number, numbers: Numbers, at: number) => void;

function readNumbers(
  read: ReadNumbers,
  bytes: Uint8Array,
  filled: Uint32Array | null,
  numbers: Numbers,
  at: number,
  rows: number,
): void {
  if (filled === null) {
    read(bytes, rows, numbers, at);
    return;
  }
  const values = new Float64Array(filled.length);
  read(bytes, filled.length, values, 0);
  numbers.fill(Number.NaN, at, at + rows);
  for (let index = 0; index < filled.length; index++) numbers[at + (filled[index] as number)] = values[index] as number;
}

const TWO_TO_32 = 2 ** 32;

function readIntegers(bytes: Uint8Array, count: number, numbers: Numbers, at: number): void {
  const { buffer, byteOffset } = aligned(bytes, count);
  const low = new Uint32Array(buffer, byteOffset, 2 * count);
  const high = new Int32Array(buffer, byteOffset, 2 * count);
  for (let index = 0; index < count; index++)
    numbers[at + index] = (high[index * 2 + 1] as number) * TWO_TO_32 + (low[index * 2] as number);
}

function readDecimals(bytes: Uint8Array, count: number, numbers: Numbers, at: number): void {
  const { buffer, byteOffset } = aligned(bytes, count);
  numbers.set(new Float64Array(buffer, byteOffset, count), at);
}

/** Keeps a byte order mark at the start of a name, because it is part of the name. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readTexts(bytes: Uint8Array, filled: Uint32Array | null, texts: Texts, at: number, rows: number): void {
  if (filled) texts.fill(null, at, at + rows);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = from + LENGTH_BYTES + view.getUint32(from, true);
    if (to > bytes.length) throw new RangeError('the texts of a page end too early');
    // The lengths become characters too when a page is decoded as a whole, and not all are valid UTF-8.
    view.setUint32(from, 0);
    ends.push(to);
    from = to;
  }
  const page = new PageTexts(bytes);
  for (let index = 0; index < ends.length; index++)
    texts[at + (filled ? (filled[index] as number) : index)] = page.next(ends[index] as number);
}

/** Bytes of the length before each text. */
const LENGTH_BYTES = 4;
/** Number of texts of a page that are remembered. Tags and names of alliances repeat often. */
const PLACES = 512;
/** V8 copies slices of up to this many characters. A longer slice would keep all texts of the page in memory. */
const COPIED = 12;

/** Decodes the texts of a page in order. Cuts them from the decoded page, because each call of a decoder takes longer. */
class PageTexts {
  readonly #bytes: Uint8Array;
  /** The bytes as characters, from which ASCII texts are cut, so that they take a byte a character. */
  readonly #letters: string;
  readonly #known: string[] = new Array(PLACES).fill('');
  readonly #starts = new Uint32Array(PLACES);
  readonly #ends = new Uint32Array(PLACES);
  /** The page as text, from its first text that is not ASCII on. */
  #decoded: string | null = null;
  #at = 0;
  /** Units of UTF-16 before `#at`. */
  #units = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#letters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }

  /** Returns the next text, which ends at `to`. */
  next(to: number): string {
    const bytes = this.#bytes;
    const from = this.#at + LENGTH_BYTES;
    const start = this.#units + LENGTH_BYTES;
    let [seen, hash, units] = [0, to - from, 0];
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      seen |= byte;
      hash = (Math.imul(hash, 31) + byte) | 0;
      units += unitsOf(byte);
    }
    this.#at = to;
    this.#units = start + units;
    const place = (hash ^ (hash >>> 9)) & (PLACES - 1);
    if (!this.#isAt(place, from, to)) {
      this.#starts[place] = from;
      this.#ends[place] = to;
      this.#known[place] = seen < 0x80 ? cut(this.#letters, from, to) : this.#decode(start, start + units);
    }
    return this.#known[place] as string;
  }

  /** Returns whether the text at a place in the cache has the same bytes. */
  #isAt(place: number, from: number, to: number): boolean {
    const bytes = this.#bytes;
    let other = this.#starts[place] as number;
    if ((this.#ends[place] as number) - other !== to - from) return false;
    for (let at = from; at < to; at++) if (bytes[at] !== bytes[other++]) return false;
    return true;
  }

  #decode(start: number, end: number): string {
    this.#decoded ??= DECODER.decode(this.#bytes);
    return cut(this.#decoded, start, end);
  }
}

/** Returns the units of UTF-16 that begin with a byte of UTF-8. Four bytes are a surrogate pair. */
const unitsOf = (byte: number): number => ((byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1);

/** Returns a part of a page's text without keeping the page in memory. */
function cut(page: string, from: number, to: number): string {
  if (to - from <= COPIED) return page.slice(from, to);
  const middle = Math.min(from + COPIED, to);
  return page.slice(from, middle) + cut(page, middle, to);
}
