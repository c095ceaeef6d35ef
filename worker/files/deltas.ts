/**
 * Whole numbers in Parquet's DELTA_BINARY_PACKED (docs/decisions/parquet.md): the differences of consecutive numbers in
 * blocks of 128, each with its least difference, and what exceeds that in as few bits as 32 numbers need.
 */

const BLOCK = 128;
const PARTS = 4;
/** Numbers of a part of a block, which all have the same width. A part of width `n` takes `n` words of 32 bits. */
const PART = BLOCK / PARTS;
const WORD_BITS = 32;
const WORD_BYTES = 4;
const TWO_TO_32 = 2 ** 32;
/** Numbers further apart, or further below 0, cannot be packed, because a step of the packing would not be exact. */
const MOST_APART = 2 ** 51;
/** What exceeds a least difference is at most twice `MOST_APART`. */
const MOST_BITS = 53;
/** The longest varint of such numbers. */
const VARINT_BYTES = 8;
const HEAD_BYTES = 4 * VARINT_BYTES;
const BLOCK_BYTES = VARINT_BYTES + PARTS + PARTS * MOST_BITS * WORD_BYTES;

/**
 * The part in work, and two words that its last numbers may touch. Loops over words run several times as fast as calls
 * per number as long as V8 has not compiled them, which is most of the time that the first file of an isolate takes.
 */
const words = new Int32Array(MOST_BITS + 2);
const wordBytes = new Uint8Array(words.buffer);

/** Returns whether numbers between two bounds can be packed. */
export const isPackable = (least: number, most: number): boolean => least >= -MOST_APART && most - least <= MOST_APART;

/** Packs at least one number. */
export function packDeltas(numbers: Float64Array): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + Math.ceil(numbers.length / BLOCK) * BLOCK_BYTES);
  let at = 0;
  for (const value of [BLOCK, PARTS, numbers.length, folded(numbers[0] as number)]) at = putVarint(bytes, at, value);
  const rests = new Float64Array(BLOCK);
  for (let from = 1; from < numbers.length; from += BLOCK) {
    const count = Math.min(BLOCK, numbers.length - from);
    let least = Infinity;
    for (let index = 0; index < count; index++) {
      const delta = (numbers[from + index] as number) - (numbers[from + index - 1] as number);
      rests[index] = delta;
      if (delta < least) least = delta;
    }
    // A part that is not full is filled up with the least difference.
    rests.fill(least, count);
    at = putVarint(bytes, at, folded(least));
    const widths = at;
    at += PARTS;
    for (let part = 0; part * PART < count; part++) {
      const width = packPart(rests, part * PART, least);
      bytes[widths + part] = width;
      bytes.set(wordBytes.subarray(0, width * WORD_BYTES), at);
      at += width * WORD_BYTES;
    }
  }
  return bytes.slice(0, at);
}

/** Packs a part into `words`. Returns its width. */
function packPart(rests: Float64Array, from: number, least: number): number {
  let most = 0;
  for (let index = from; index < from + PART; index++) {
    const rest = (rests[index] as number) - least;
    rests[index] = rest;
    if (rest > most) most = rest;
  }
  const width = bitsOf(most);
  if (width > WORD_BITS) packWide(rests, from, width);
  else {
    let word = 0;
    for (let index = from, at = 0, filled = 0; index < from + PART; index++) {
      const low = (rests[index] as number) | 0;
      word |= low << filled;
      filled += width;
      if (filled < WORD_BITS) continue;
      words[at++] = word;
      filled -= WORD_BITS;
      word = filled > 0 ? low >>> (width - filled) : 0;
    }
  }
  return width;
}

function packWide(rests: Float64Array, from: number, width: number): void {
  words.fill(0);
  for (let index = from, bit = 0; index < from + PART; index++, bit += width) {
    const rest = rests[index] as number;
    putWord(bit, rest | 0);
    putWord(bit + WORD_BITS, Math.floor(rest / TWO_TO_32));
  }
}

function putWord(bit: number, value: number): void {
  const word = bit >>> 5;
  const shift = bit & 31;
  words[word] = (words[word] as number) | (value << shift);
  if (shift > 0) words[word + 1] = (words[word + 1] as number) | (value >>> (WORD_BITS - shift));
}

/** Returns the number of bits of a whole number. */
const bitsOf = (rest: number): number =>
  rest < TWO_TO_32 ? WORD_BITS - Math.clz32(rest) : 2 * WORD_BITS - Math.clz32(Math.floor(rest / TWO_TO_32));

/** Zigzag encoding: numbers near 0 are small, whatever their sign. */
const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function putVarint(bytes: Uint8Array, from: number, value: number): number {
  let [at, rest] = [from, value];
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
  bytes[at++] = rest;
  return at;
}

/** Unpacks `count` numbers into `numbers` from `from` on. Throws a RangeError if there are not so many. */
export function unpackDeltas(bytes: Uint8Array, count: number, numbers: Float64Array, from: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** (7 * VARINT_BYTES); scale *= 0x80) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a page of whole numbers ends in a number, or has one that is too long');
  };
  if (varint() !== BLOCK || varint() !== PARTS || varint() !== count)
    throw new RangeError('a page of whole numbers has another form');
  let last = unfolded(varint());
  numbers[from] = last;
  const end = from + count;
  for (let start = from + 1; start < end; ) {
    const least = unfolded(varint());
    const widths = at;
    at += PARTS;
    for (let part = 0; part < PARTS && start < end; part++) {
      const width = bytes[widths + part] as number;
      const next = at + width * WORD_BYTES;
      if (!(width <= MOST_BITS && next <= bytes.length)) throw new RangeError('a page of whole numbers ends too early');
      for (let word = 0; word < width; word++) words[word] = view.getInt32(at + word * WORD_BYTES, true);
      at = next;
      const stop = Math.min(start + PART, end);
      last = unpackPart(width, least, last, numbers, start, stop);
      start = stop;
    }
  }
}

/** Unpacks `words` into the numbers from `start` to `stop`. Returns the last one. */
function unpackPart(
  width: number,
  least: number,
  before: number,
  numbers: Float64Array,
  start: number,
  stop: number,
): number {
  if (width > WORD_BITS) return unpackWide(width, least, before, numbers, start, stop);
  let last = before;
  const mask = width < WORD_BITS ? (1 << width) - 1 : -1;
  for (let index = start, bit = 0; index < stop; index++, bit += width) {
    last += least + ((bitsAt(bit) & mask) >>> 0);
    numbers[index] = last;
  }
  return last;
}

function unpackWide(
  width: number,
  least: number,
  before: number,
  numbers: Float64Array,
  start: number,
  stop: number,
): number {
  let last = before;
  const mask = (1 << (width - WORD_BITS)) - 1;
  for (let index = start, bit = 0; index < stop; index++, bit += width) {
    last += least + (bitsAt(bit) >>> 0) + TWO_TO_32 * (bitsAt(bit + WORD_BITS) & mask);
    numbers[index] = last;
  }
  return last;
}

/** Returns 32 bits of `words` from a bit on. */
function bitsAt(bit: number): number {
  const word = bit >>> 5;
  const shift = bit & 31;
  // A shift by 32 bits would be one by 0, so the next word is shifted twice instead of asking.
  return ((words[word] as number) >>> shift) | (((words[word + 1] as number) << 1) << (31 - shift));
}
