/**
 * A growing buffer of UTF-8 bytes. Rows are written as bytes and not as strings: a hundred thousand rows of strings
 * cost several times the memory and the time (docs/decisions/xlsx.md).
 */
export class Bytes {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 64 * 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** A copy of what was written; the buffer is empty after it and keeps its memory. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length) as Uint8Array<ArrayBuffer>;
    this.#length = 0;
    return taken;
  }

  /** What was written, without a copy: only good until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Bytes made before, copied in. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    if (bytes.length > 32) {
      this.#bytes.set(bytes, this.#length);
      this.#length += bytes.length;
      return;
    }
    // A loop beats `set` on the few bytes between two cells.
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < bytes.length; index++) target[at++] = bytes[index] as number;
    this.#length = at;
  }

  text(value: string): void {
    this.#reserve(value.length * 3);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        const { written } = ENCODER.encodeInto(value.slice(index), target.subarray(at));
        this.#length = at + written;
        return;
      }
      target[at++] = code;
    }
    this.#length = at;
  }

  /** A finite number as JSON writes it; whole ones, which nearly all are, digit by digit without a string. */
  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      this.text(String(value));
      return;
    }
    this.#reserve(16);
    let size = 1;
    for (let limit = 10; value >= limit; limit *= 10) size++;
    let at = this.#length + size;
    this.#length = at;
    let rest = value;
    // Below 2^31 the division is one of machine integers, so what lies above is taken off first.
    while (rest > 0x7fffffff) {
      const high = Math.floor(rest / 10_000);
      let low = rest - high * 10_000;
      for (let digit = 0; digit < 4; digit++) {
        const next = (low / 10) | 0;
        this.#bytes[--at] = 48 + low - next * 10;
        low = next;
      }
      rest = high;
    }
    let small = rest | 0;
    do {
      const next = (small / 10) | 0;
      this.#bytes[--at] = 48 + small - next * 10;
      small = next;
    } while (small > 0);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

const ENCODER = new TextEncoder();

/** The UTF-8 bytes of a string. */
export const utf8 = (value: string): Uint8Array => ENCODER.encode(value);
