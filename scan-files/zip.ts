import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { t } from '../domain/language/text.ts';
import {
  FREE_GROWTH_BYTES,
  MAX_GROWTH,
  MAX_PART_BYTES,
  MAX_PARTS,
  MAX_SHEET_BYTES,
  ScanFileRefused,
} from './limits.ts';

/** Reads the entries of a zip archive in memory, the container of xlsx files. */

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** Large pieces need fewer steps; each becomes a string while it is read. */
const PIECE_BYTES = 262_144;

export interface Zip {
  has(name: string): boolean;
  /** Returns the unpacked bytes of a small part, or null if there is none. Throws above 5 MB and if damaged. */
  part(name: string): Uint8Array | null;
  /**
   * The same in pieces, for parts that need not fit into memory. Throws if damaged, and above 400 MB in total over all
   * calls.
   */
  pieces(name: string): AsyncGenerator<Uint8Array, void, undefined> | null;
}

interface Entry {
  name: string;
  flags: number;
  method: number;
  check: number;
  packed: number;
  offset: number;
}

const damaged = (what: string): ScanFileRefused => new ScanFileRefused(t('The workbook is damaged: {what}.', { what }));

/** Opens an archive by its directory. Throws a sentence if it is not one. */
export function openZip(bytes: Uint8Array): Zip {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = directoryOf(bytes, view);
  // Counts bytes as they are unpacked, because several sheets may refer to the same part.
  let unpacked = 0;
  const count = (piece: Uint8Array) => {
    unpacked += piece.length;
    if (unpacked > MAX_SHEET_BYTES)
      throw new ScanFileRefused(
        t('The sheets of the workbook unpack to more than {size} MB.', { size: MAX_SHEET_BYTES / 1e6 }),
      );
    if (unpacked > FREE_GROWTH_BYTES && unpacked > bytes.length * MAX_GROWTH)
      throw new ScanFileRefused(
        t('The sheets of the workbook unpack to more than {times} times its size.', { times: MAX_GROWTH }),
      );
  };
  return {
    has: (name) => entries.has(name),
    part(name) {
      const entry = entries.get(name);
      return entry ? unpack(packedBytes(bytes, view, entry), entry) : null;
    },
    pieces(name) {
      const entry = entries.get(name);
      return entry ? piecesOf(packedBytes(bytes, view, entry), entry, count) : null;
    },
  };
}

function directoryOf(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  // The end record has 22 bytes and a comment of up to 65,535.
  let end = bytes.length - 22;
  const first = Math.max(0, end - 0xffff);
  while (end >= first && view.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < first) throw damaged(t('it has no directory, as when its end is cut off'));
  const count = view.getUint16(end + 10, true);
  if (count > MAX_PARTS) throw new ScanFileRefused(t('The workbook has more parts than a workbook.'));
  let at = view.getUint32(end + 16, true);
  const names = new TextDecoder();
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY)
      throw damaged(t('its directory is cut short'));
    const length = view.getUint16(at + 28, true);
    const name = names.decode(bytes.subarray(at + 46, at + 46 + length));
    entries.set(name, {
      name,
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      check: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function packedBytes(bytes: Uint8Array, view: DataView, entry: Entry): Uint8Array<ArrayBuffer> {
  const { offset, packed, flags, method } = entry;
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL_ENTRY) throw damaged(t('a part is missing'));
  if (flags & ENCRYPTED) throw new ScanFileRefused(t('The workbook is locked with a password: save it without one.'));
  if (method !== STORED && method !== DEFLATED)
    throw new ScanFileRefused(t('The workbook is packed in a way that this does not read.'));
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > bytes.length) throw damaged(t('a part is cut short'));
  return bytes.subarray(start, start + packed) as Uint8Array<ArrayBuffer>;
}

function unpack(data: Uint8Array, { method, check }: Entry): Uint8Array {
  if (method === STORED) return checked(data, crc32(data), check);
  let unpacked: Uint8Array;
  try {
    unpacked = inflateRawSync(data, { maxOutputLength: MAX_PART_BYTES });
  } catch {
    throw damaged(t('a part is broken or unpacks to more than {size} MB', { size: MAX_PART_BYTES / 1e6 }));
  }
  return checked(unpacked, crc32(unpacked), check);
}

function checked(bytes: Uint8Array, sum: number, check: number): Uint8Array {
  if (sum !== check) throw damaged(t('a part is not what its checksum says'));
  return bytes;
}

async function* piecesOf(
  data: Uint8Array<ArrayBuffer>,
  { method, check }: Entry,
  count: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (method === STORED) {
    count(data);
    yield checked(data, crc32(data), check);
    return;
  }
  // DecompressionStream in workerd unpacks without backpressure, so a zip bomb would fill the memory.
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflate.end(data);
  let sum = 0;
  const pieces: AsyncIterator<Uint8Array> = inflate[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch(() => {
        throw damaged(t('a sheet cannot be unpacked'));
      });
      if (done) break;
      count(value);
      sum = crc32(value, sum);
      yield value;
    }
  } finally {
    inflate.destroy();
  }
  checked(data, sum, check);
}
