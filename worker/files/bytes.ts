/** A text that is written again and again, such as the key before a figure: its bytes, four at a time. */
export class Phrase {
  readonly words: Uint32Array;
  /** Bytes. */
  readonly length: number;

  constructor(text: string) {
    const bytes = utf8(text);
    this.length = bytes.length;
    const padded = new DataView(new ArrayBuffer(Math.ceil(bytes.length / 4) * 4));
    bytes.forEach((byte, at) => {
      padded.setUint8(at, byte);
    });
    this.words = Uint32Array.from({ length: padded.byteLength / 4 }, (_, word) => padded.getUint32(4 * word, true));
  }
}

/**
 * A growing buffer of UTF-8 bytes. Rows are written as bytes and not as strings: a hundred thousand rows of strings
 * cost several times the memory and the time (docs/decisions/xlsx.md).
 */
export class Bytes {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;
  readonly #single = new Float64Array(1);

  constructor(capacity = 64 * 1024) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
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

  /** A phrase: between two cells a third of the time of its bytes. */
  phrase({ words, length }: Phrase): void {
    this.#reserve(4 * words.length);
    const view = this.#view;
    const at = this.#length;
    // What the last word has too many is written over by what comes next.
    for (let word = 0; word < words.length; word++) view.setUint32(at + 4 * word, words[word] as number, true);
    this.#length = at + length;
  }

  text(value: string): void {
    this.#reserve(value.length * 3);
    this.#length = writeUtf8(value, this.#bytes, this.#length);
  }

  /** A string as JSON has it. Most need no escape, and are written in the pass that finds it to be so. */
  quoted(value: string): void {
    this.#reserve(value.length * 3 + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code < 0x80) {
        if (code < 0x20 || code === QUOTE || code === BACKSLASH) {
          this.text(JSON.stringify(value));
          return;
        }
        bytes[at++] = code;
      } else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else {
        // Surrogates may be lone, and are escaped then.
        if (code >= 0xd800 && code < 0xe000) {
          this.text(JSON.stringify(value));
          return;
        }
        bytes[at++] = 0xe0 | (code >> 12);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      }
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** `numbers[index]` as `number` writes it. The number itself is not handed over: each would become an object. */
  numberAt(numbers: Float64Array, index: number): void {
    const value = numbers[index] as number;
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

  /** `numbers[index]` as JSON has it: null where there is no value. */
  figureAt(numbers: Float64Array | undefined, index: number): void {
    if (numbers === undefined || Number.isNaN(numbers[index])) this.phrase(NULL);
    else this.numberAt(numbers, index);
  }

  /** A finite number as JSON writes it; whole ones, which nearly all are, digit by digit without a string. */
  number(value: number): void {
    this.#single[0] = value;
    this.numberAt(this.#single, 0);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const REPLACEMENT = 0xfffd;

/**
 * Writes a string as UTF-8 from `at` on and answers where it ends; a lone surrogate becomes U+FFFD. The room (three
 * bytes a unit) is the caller's to see to. Cells are short: a call into TextEncoder costs more than the loop.
 */
export function writeUtf8(value: string, target: Uint8Array, at: number): number {
  let end = at;
  for (let index = 0; index < value.length; index++) {
    let code = value.charCodeAt(index);
    if (code < 0x80) {
      target[end++] = code;
      continue;
    }
    if (code < 0x800) {
      target[end++] = 0xc0 | (code >> 6);
      target[end++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const whole = value.codePointAt(index) as number;
      if (whole > 0xffff) {
        index++;
        target[end++] = 0xf0 | (whole >> 18);
        target[end++] = 0x80 | ((whole >> 12) & 0x3f);
        target[end++] = 0x80 | ((whole >> 6) & 0x3f);
        target[end++] = 0x80 | (whole & 0x3f);
        continue;
      }
      code = REPLACEMENT;
    }
    target[end++] = 0xe0 | (code >> 12);
    target[end++] = 0x80 | ((code >> 6) & 0x3f);
    target[end++] = 0x80 | (code & 0x3f);
  }
  return end;
}

/** The UTF-8 bytes of a string. */
export function utf8(value: string): Uint8Array {
  const bytes = new Uint8Array(value.length * 3);
  return bytes.slice(0, writeUtf8(value, bytes, 0));
}

const NULL = new Phrase('null');
