import { crc32, inflateRawSync } from 'node:zlib';

/** The subset of zip that xlsx needs: read the file made by exceljs and write one entry by entry. */

export interface ZipEntry {
  name: string;
  method: 0 | 8;
  crc: number;
  size: number;
  /** As stored in the zip: compressed if the method is 8. */
  data: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DESCRIPTOR = 0x08074b50;
/** Sizes and checksum follow the data, because they are not known before it. */
const SIZES_FOLLOW = 1 << 3;
const UTF8_NAMES = 1 << 11;
/** 1 January 1980, the earliest date in zip. The document's own time is in its properties. */
const DATE = 0x21;

/** Returns the entries of a zip from its central directory. */
export function unzip(zip: Uint8Array): ZipEntry[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - 22;
  if (end < 0 || view.getUint32(end, true) !== END) throw new Error('not a zip without comment');
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength));
    const method = view.getUint16(at + 10, true);
    if (method !== 0 && method !== 8) throw new Error(`zip entry ${name}: unknown method ${method}`);
    entries.push({
      name,
      method,
      crc: view.getUint32(at + 16, true),
      size: view.getUint32(at + 24, true),
      data: zip.subarray(start, start + view.getUint32(at + 20, true)),
    });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

/** Returns the content of an entry. */
export const contentOf = ({ method, data, size }: ZipEntry): Uint8Array =>
  method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(size, 1) });

interface Listed {
  name: Uint8Array;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** Writes a zip piece by piece. Each method returns the next bytes. Entries must stay below 4 GB. */
export class ZipWriter {
  readonly #listed: Listed[] = [];
  #offset = 0;
  #open: Listed | undefined;

  /** Adds a whole entry. */
  add({ name, method, crc, size, data }: ZipEntry): Uint8Array[] {
    const entry = this.#list(name, 0, method);
    Object.assign(entry, { crc, size, packed: data.length });
    return this.#pass([localHeader(entry), data]);
  }

  /** Starts an entry whose deflated content follows by `write`. */
  begin(name: string): Uint8Array[] {
    this.#open = this.#list(name, SIZES_FOLLOW, 8);
    return this.#pass([localHeader(this.#open)]);
  }

  /** Adds a piece to the open entry: `packed` is `content` in raw deflate. */
  write(content: Uint8Array, packed: Uint8Array): Uint8Array[] {
    const open = this.#opened();
    open.crc = crc32(content, open.crc);
    open.size += content.length;
    open.packed += packed.length;
    return this.#pass([packed]);
  }

  /** Closes the open entry. */
  end(): Uint8Array[] {
    const { crc, packed, size } = this.#opened();
    this.#open = undefined;
    return this.#pass([fields([4, DESCRIPTOR], [4, crc], [4, packed], [4, size])]);
  }

  /** Returns the central directory, which completes the zip. */
  finish(): Uint8Array[] {
    const start = this.#offset;
    const directory = this.#listed.flatMap((entry) => [centralHeader(entry), entry.name]);
    const size = directory.reduce((sum, { length }) => sum + length, 0);
    const count = this.#listed.length;
    return [...directory, fields([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, start], [2, 0])];
  }

  #list(name: string, flags: number, method: number): Listed {
    const entry = {
      name: new TextEncoder().encode(name),
      flags: flags | UTF8_NAMES,
      method,
      crc: 0,
      packed: 0,
      size: 0,
      offset: this.#offset,
    };
    this.#listed.push(entry);
    return entry;
  }

  #opened(): Listed {
    if (!this.#open) throw new Error('no zip entry is open');
    return this.#open;
  }

  #pass(pieces: Uint8Array[]): Uint8Array[] {
    for (const { length } of pieces) this.#offset += length;
    return pieces;
  }
}

/** Little-endian fields, each as its size in bytes and its value. */
function fields(...list: [size: 2 | 4, value: number][]): Uint8Array {
  const bytes = new Uint8Array(list.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of list) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

const common = ({ flags, method, crc, packed, size, name }: Listed): [2 | 4, number][] => [
  [2, 20],
  [2, flags],
  [2, method],
  [2, 0],
  [2, DATE],
  [4, crc],
  [4, packed],
  [4, size],
  [2, name.length],
  [2, 0],
];

function localHeader(entry: Listed): Uint8Array {
  const head = fields([4, LOCAL], ...common(entry));
  const bytes = new Uint8Array(head.length + entry.name.length);
  bytes.set(head);
  bytes.set(entry.name, head.length);
  return bytes;
}

const centralHeader = (entry: Listed): Uint8Array =>
  fields([4, CENTRAL], [2, 20], ...common(entry), [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.offset]);
