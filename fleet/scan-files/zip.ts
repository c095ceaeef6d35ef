import { inflateRawSync } from 'node:zlib';

/** Entries of a zip archive in memory: what an xlsx file is. */

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
/** The largest part of a scan that is believed: a whole kingdom's sheet is under 1 MB. A zip bomb is past it. */
const MAX_PART_BYTES = 100_000_000;

export interface Zip {
  names: string[];
  /** The unpacked bytes of an entry, or null where there is none; throws past 100 MB and on damage. */
  part(name: string): Buffer | null;
}

interface Entry {
  method: number;
  packed: number;
  offset: number;
}

/** Opens an archive by its directory; throws a sentence where it is none. */
export function openZip(bytes: Buffer): Zip {
  const entries = directoryOf(bytes);
  return {
    names: [...entries.keys()],
    part(name) {
      const entry = entries.get(name);
      return entry ? unpack(bytes, entry) : null;
    },
  };
}

function directoryOf(bytes: Buffer): Map<string, Entry> {
  // The end record is 22 bytes and a comment of up to 65,535.
  let end = bytes.length - 22;
  const first = Math.max(0, end - 0xffff);
  while (end >= first && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < first) throw new Error('This is no xlsx file (no zip archive).');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Error('The xlsx file is damaged: its directory is cut short.');
    const name = bytes.readUInt16LE(at + 28);
    entries.set(bytes.toString('utf8', at + 46, at + 46 + name), {
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function unpack(bytes: Buffer, { method, packed, offset }: Entry): Buffer {
  if (offset + 30 > bytes.length) throw new Error('The xlsx file is damaged: a part is missing.');
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(start, start + packed);
  if (method === STORED) return data;
  if (method !== DEFLATED) throw new Error('The xlsx file is packed in a way that this does not read.');
  try {
    return inflateRawSync(data, { maxOutputLength: MAX_PART_BYTES });
  } catch (cause) {
    throw new Error('A part of the xlsx file is damaged or unpacks to more than 100 MB.', { cause });
  }
}
