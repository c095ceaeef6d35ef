import { writeUtf8 } from '../../domain/utf8.ts';

/** A text that is written many times, such as the key before a figure, as bytes in words of four. */
export class Phrase {
  readonly words: Uint32Array;
  /** Length in bytes. */
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
 * A growing buffer of UTF-8 bytes. Rows are written as bytes, because strings for a hundred thousand rows take several
 * times the memory and time (docs/decisions/xlsx.md).
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

  /** Returns a copy of the content and empties the buffer, which keeps its memory. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length) as Uint8Array<ArrayBuffer>;
    this.#length = 0;
    return taken;
  }

  /** Returns the content without copying; valid only until the next write. */
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

  /** Appends bytes. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    if (bytes.length > 32) {
      this.#bytes.set(bytes, this.#length);
      this.#length += bytes.length;
      return;
    }
    // For the few bytes between two cells, a loop is faster than `set`.
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < bytes.length; index++) target[at++] = bytes[index] as number;
    this.#length = at;
  }

  /** Appends a phrase, in a third of the time of `raw`. */
  phrase({ words, length }: Phrase): void {
    this.#reserve(4 * words.length);
    const view = this.#view;
    const at = this.#length;
    // Excess bytes of the last word are overwritten by the next write.
    for (let word = 0; word < words.length; word++) view.setUint32(at + 4 * word, words[word] as number, true);
    this.#length = at + length;
  }

  /** Appends up to eight bytes of the content again, in a third of the time that writing a number takes. */
  again(from: number, length: number): void {
    this.#reserve(8);
    const [view, at] = [this.#view, this.#length];
    // Excess bytes are overwritten by the next write.
    view.setUint32(at, view.getUint32(from));
    view.setUint32(at + 4, view.getUint32(from + 4));
    this.#length = at + length;
  }

  text(value: string): void {
    this.#reserve(value.length * 3);
    this.#length = writeUtf8(value, this.#bytes, this.#length);
  }

  /** Appends a JSON string. Most strings need no escapes and are written in the same pass that checks for them. */
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
        // Lone surrogates must be escaped, so strings with surrogates go through JSON.stringify.
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

  /** Appends `numbers[index]` like `number`. Takes an index, because passing the number would allocate an object. */
  numberAt(numbers: Float64Array, index: number): void {
    const value = numbers[index] as number;
    if (!Number.isSafeInteger(value) || value < 0) {
      this.text(String(value));
      return;
    }
    this.#reserve(16);
    // Division is fast on 32-bit integers, so larger numbers are split first.
    if (value < 1e9) {
      this.#length += digitsIn(value | 0);
      this.#digits(value | 0, this.#length);
      return;
    }
    const high = Math.floor(value / 1e8);
    let low = (value - high * 1e8) | 0;
    let at = this.#length + digitsIn(high) + 8;
    this.#length = at;
    for (let pair = 0; pair < 4; pair++) {
      const next = (low / 100) | 0;
      at -= 2;
      this.#view.setUint16(at, PAIRS[low - next * 100] as number, true);
      low = next;
    }
    this.#digits(high, at);
  }

  /** Writes the digits of an integer below 2^31, ending before `end`. */
  #digits(integer: number, end: number): void {
    let [rest, at] = [integer | 0, end];
    while (rest >= 100) {
      const next = (rest / 100) | 0;
      at -= 2;
      this.#view.setUint16(at, PAIRS[rest - next * 100] as number, true);
      rest = next;
    }
    if (rest < 10) this.#bytes[at - 1] = 48 + rest;
    else this.#view.setUint16(at - 2, PAIRS[rest] as number, true);
  }

  /** Appends `numbers[index]` as JSON: null if there is no value. */
  figureAt(numbers: Float64Array | undefined, index: number): void {
    if (numbers === undefined || Number.isNaN(numbers[index])) this.phrase(NULL);
    else this.numberAt(numbers, index);
  }

  /** Appends a finite number as JSON. Whole numbers, the usual case, are written digit by digit without a string. */
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

/** The two digits of each number below 100, as stored in memory. */
const PAIRS = Uint16Array.from(
  { length: 100 },
  (_, number) => (48 + Math.floor(number / 10)) | ((48 + (number % 10)) << 8),
);

/** Returns the number of digits of an integer from 0 to 999,999,999. */
const digitsIn = (integer: number): number => {
  if (integer < 10_000) return integer < 100 ? (integer < 10 ? 1 : 2) : integer < 1000 ? 3 : 4;
  if (integer < 1_000_000) return integer < 100_000 ? 5 : 6;
  return integer < 10_000_000 ? 7 : integer < 100_000_000 ? 8 : 9;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the UTF-8 bytes of a string. */
export function utf8(value: string): Uint8Array {
  const bytes = new Uint8Array(value.length * 3);
  return bytes.slice(0, writeUtf8(value, bytes, 0));
}

const NULL = new Phrase('null');
