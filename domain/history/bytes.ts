import type { Numbers } from '../scans/rows.ts';

/** Variable-length numbers: seven bits a byte, low bits first, the eighth bit set if more follow. Exact up to 2^53. */

export const MORE = 128;

/** Largest buffer, in bytes, that several results share. Each result keeps the whole buffer alive. */
const MOST_SHARED = 16_384;

/** More bytes than a number takes. */
const LONGEST = 10;

const ENCODER = new TextEncoder();
// Not fatal, because a name may have half of a pair of surrogates. A mark of byte order belongs to the name.
const DECODER = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

// The first scan of a new isolate runs in the interpreter, where calls are slow. Numbers are therefore written in loops
// over local variables, without a method call per byte.
export class ByteWriter {
  #bytes = new Uint8Array(256);
  /** Index of the first byte that was not taken yet. */
  #start = 0;
  #length = 0;

  /** Writes a whole number from 0. */
  whole(value: number): void {
    if (!(value >= 0)) throw new Error(`${value} is not a whole number`);
    if (this.#length + LONGEST > this.#bytes.length) this.#room(LONGEST);
    this.#length = putWhole(this.#bytes, this.#length, value);
  }

  /**
   * Writes the numbers of a row in these columns, each after its head if there are heads, and leaves out NaN. Stops at a
   * number that is not whole, without writing it, and returns its place; -1 if there is none.
   */
  wholes(heads: readonly number[] | null, columns: readonly Numbers[], row: number, from: number): number {
    const most = (columns.length - from) * 2 * LONGEST;
    if (this.#length + most > this.#bytes.length) this.#room(most);
    const bytes = this.#bytes;
    let at = this.#length;
    let place = from;
    for (; place < columns.length; place++) {
      let rest = (columns[place] as Numbers)[row] as number;
      // Of most numbers, which takes no division.
      let small = rest | 0;
      const isSmall = small === rest && small >= 0;
      if (!isSmall && !(rest >= 0 && rest % 1 === 0)) {
        if (Number.isNaN(rest)) continue;
        break;
      }
      if (heads) {
        let head = heads[place] as number;
        for (; head >= MORE; head >>= 7) bytes[at++] = (head & 127) | MORE;
        bytes[at++] = head;
      }
      if (!isSmall) {
        for (; rest >= 0x8000_0000; rest = Math.floor(rest / MORE)) bytes[at++] = (rest % MORE) | MORE;
        small = rest;
      }
      for (; small >= MORE; small >>= 7) bytes[at++] = (small & 127) | MORE;
      bytes[at++] = small;
    }
    this.#length = at;
    return place < columns.length ? place : -1;
  }

  /**
   * Writes the differences of whole numbers from others, except those that are 0. The sign is in the lowest bit, because
   * zigzag of 2^53 is not exact in a double.
   */
  differences(values: readonly number[], from: readonly number[]): void {
    const most = values.length * LONGEST;
    if (this.#length + most > this.#bytes.length) this.#room(most);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let place = 0; place < values.length; place++) {
      const value = (values[place] as number) - (from[place] as number);
      if (value === 0) continue;
      const sign = value < 0 ? 1 : 0;
      let rest = sign ? -value : value;
      const first = ((rest % 64) << 1) | sign;
      if (rest < 64) {
        bytes[at++] = first;
        continue;
      }
      bytes[at++] = first | MORE;
      rest = Math.floor(rest / 64);
      for (; rest >= 0x8000_0000; rest = Math.floor(rest / MORE)) bytes[at++] = (rest % MORE) | MORE;
      for (; rest >= MORE; rest >>= 7) bytes[at++] = (rest & 127) | MORE;
      bytes[at++] = rest;
    }
    this.#length = at;
  }

  /** Writes a text with its length in bytes in front. */
  text(value: string): void {
    // Three bytes per unit of UTF-16 at most, so that the length of a short text is one byte.
    const most = value.length * 3;
    if (most < MORE) {
      if (this.#length + most >= this.#bytes.length) this.#room(most + 1);
      const start = this.#length + 1;
      // In a new isolate this takes half of the time of a loop over the characters.
      const { written } = ENCODER.encodeInto(value, this.#bytes.subarray(start));
      this.#length = start + written;
      this.#bytes[start - 1] = written;
      return;
    }
    const bytes = ENCODER.encode(value);
    this.whole(bytes.length);
    this.raw(bytes);
  }

  raw(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns what was written since the last call, as a view of memory that several results share. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(this.#start, this.#length);
    this.#start = this.#length;
    return taken;
  }

  #room(count: number): void {
    const begun = this.#bytes.subarray(this.#start, this.#length);
    const grown = new Uint8Array(Math.max(Math.min(this.#bytes.length * 2, MOST_SHARED), (begun.length + count) * 2));
    grown.set(begun);
    [this.#bytes, this.#start, this.#length] = [grown, 0, begun.length];
  }
}

/** Writes a whole number at a position. Returns the position after it. */
function putWhole(into: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  // Bit operations are exact up to 2^31.
  for (; rest >= 0x8000_0000; rest = Math.floor(rest / MORE)) into[at++] = (rest % MORE) | MORE;
  for (; rest >= MORE; rest >>= 7) into[at++] = (rest & 127) | MORE;
  into[at++] = rest;
  return at;
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  /** Position of the next byte. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get ended(): boolean {
    return this.at >= this.#bytes.length;
  }

  whole(): number {
    const bytes = this.#bytes;
    let at = this.at;
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let factor = MORE; byte >= MORE; factor *= MORE) {
      byte = bytes[at++] as number;
      value += (byte & 127) * factor;
    }
    if (at > bytes.length) throw new Error('a history ends too early');
    this.at = at;
    return value;
  }

  text(): string {
    const length = this.whole();
    return length === 0 ? '' : DECODER.decode(this.raw(length));
  }

  raw(length: number): Uint8Array {
    if (this.at + length > this.#bytes.length) throw new Error('a history ends too early');
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
