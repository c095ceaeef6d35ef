import { isUtf8 } from 'node:buffer';
import { t } from '../domain/language/text.ts';
import { ScanFileRefused } from './limits.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const CHUNK_BYTES = 512 * 1024;
const HEAD_BYTES = 64 * 1024;

/**
 * Detects a text's encoding: UTF-16 or UTF-8 by byte order mark or content, else Windows-1252, which loses names in
 * other scripts. Throws if the bytes are not text.
 */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 1000);
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] as number) + 1;
  });
  const half = head.length / 4;
  if ((zeros[1] as number) > half && zeros[0] === 0) return 'utf-16le';
  if ((zeros[0] as number) > half && zeros[1] === 0) return 'utf-16be';
  if (zeros[0] || zeros[1]) throw new ScanFileRefused(t('This is neither text nor a workbook: it holds bytes of 0.'));
  return isUtf8(bytes.subarray(0, wholeCharacters(bytes))) ? 'utf-8' : 'windows-1252';
}

/** Returns where the last complete UTF-8 character ends, because a truncated file may end within one. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Decodes the beginning of a text, which shows its format and delimiter. */
export const headOf = (bytes: Uint8Array, encoding: Encoding): string =>
  textsOf(bytes.subarray(0, HEAD_BYTES), encoding).next().value ?? '';

/** Decodes a text in pieces, without its byte order mark, so that a file of 20 MB never exists in memory twice. */
export function* textsOf(bytes: Uint8Array, encoding: Encoding): Generator<string, void, undefined> {
  if (encoding === 'utf-8') return yield* utf8Texts(bytes);
  const decoder = new TextDecoder(encoding);
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    yield decoder.decode(bytes.subarray(from, from + CHUNK_BYTES), { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** Cuts between characters and decodes each piece alone; stream decoding takes three times as long. */
function* utf8Texts(bytes: Uint8Array): Generator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  for (let from = begins(bytes, 0xef, 0xbb, 0xbf) ? 3 : 0; from < bytes.length; ) {
    const piece = bytes.subarray(from, from + CHUNK_BYTES);
    const end = from + piece.length === bytes.length ? piece.length : wholeCharacters(piece);
    yield decoder.decode(piece.subarray(0, end));
    from += end;
  }
}

/** Returns whether the bytes start with the given ones. */
export const begins = (bytes: Uint8Array, ...with_: number[]): boolean =>
  with_.every((byte, index) => bytes[index] === byte);
