import { brotliDecompressSync } from 'node:zlib';

/**
 * Which characters a WOFF2 font really has. What the packages list by ranges is what a browser should ask the file
 * for, and that is more: a character without a shape would be drawn as a box.
 */

/** Tables that come transformed unless their version is 3; all others are as they are in version 0 (WOFF2, 5.1). */
const GLYF_AND_LOCA = [10, 11];
const CMAP = 0;
const ANY_TAG = 63;

function tableOf(font: Buffer, wanted: number): Buffer {
  let at = 48;
  const base128 = (): number => {
    for (let value = 0; ; ) {
      const byte = font[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let offset = 0;
  let found: [from: number, to: number] | undefined;
  for (let left = font.readUInt16BE(12); left > 0; left--) {
    const flags = font[at++] ?? 0;
    const tag = flags & 63;
    if (tag === ANY_TAG) at += 4;
    let length = base128();
    const version = flags >> 6;
    if (GLYF_AND_LOCA.includes(tag) ? version !== 3 : version !== 0) length = base128();
    if (tag === wanted) found = [offset, offset + length];
    offset += length;
  }
  if (!found) throw new Error('The font has no such table.');
  return brotliDecompressSync(font.subarray(at, at + font.readUInt32BE(20))).subarray(...found);
}

/** Code points of a table of segments (format 4), which reaches to 65,535. */
function* segments(table: Buffer): Generator<number> {
  const size = table.readUInt16BE(6);
  for (let at = 0; at < size; at += 2) {
    const end = table.readUInt16BE(14 + at);
    const start = table.readUInt16BE(16 + size + at);
    const delta = table.readUInt16BE(16 + 2 * size + at);
    const place = 16 + 3 * size + at;
    const range = table.readUInt16BE(place);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = range === 0 ? code + delta : table.readUInt16BE(place + range + 2 * (code - start));
      if ((glyph & 0xffff) !== 0) yield code;
    }
  }
}

/** Code points of a table of groups (format 12), which has all of Unicode. */
function* groups(table: Buffer): Generator<number> {
  for (let at = 16; at < 16 + 12 * table.readUInt32BE(12); at += 12)
    for (let code = table.readUInt32BE(at); code <= table.readUInt32BE(at + 4); code++) yield code;
}

/** First and last code point of each run of characters that the font can draw. */
export function charactersOf(font: Buffer): [from: number, to: number][] {
  const cmap = tableOf(font, CMAP);
  const codes = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) for (const code of segments(table)) codes.add(code);
    if (format === 12) for (const code of groups(table)) codes.add(code);
  }
  const runs: [number, number][] = [];
  for (const code of [...codes].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else runs.push([code, code]);
  }
  return runs;
}
