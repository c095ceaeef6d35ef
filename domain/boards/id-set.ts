import { release } from '../release.ts';

/** Low bits of an id, which select its place inside a block. */
const BLOCK = 2 ** 16;
/** Number of ids from which a bitmap of a block takes less memory than a list. */
const DENSE = BLOCK / 16;
const FIRST_LENGTH = 8;

/** The ids of a block: a bitmap, or a sorted list with room for more. */
type Block = { bits: Uint8Array } | { list: Uint16Array; count: number };

/**
 * A set of governors' ids. Games number accounts one after another, so ids lie close together. A block of 65,536
 * neighbouring ids takes two bytes an id, and at most 8 kB. Of 200 million ids, 20 million take some 27 MB; a hash set
 * of them takes 225 MB.
 */
export class IdSet {
  readonly #blocks = new Map<number, Block>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    const block = this.#blocks.get(Math.floor(id / BLOCK));
    if (!block) return false;
    const low = id % BLOCK;
    if ('bits' in block) return ((block.bits[low >> 3] as number) & (1 << (low & 7))) !== 0;
    const at = placeIn(block, low);
    return at < block.count && block.list[at] === low;
  }

  /** Adds an id. Returns whether the set lacked it. */
  add(id: number): boolean {
    const high = Math.floor(id / BLOCK);
    const low = id % BLOCK;
    let block = this.#blocks.get(high);
    if (!block) {
      block = { list: new Uint16Array(FIRST_LENGTH), count: 0 };
      this.#blocks.set(high, block);
    }
    if ('list' in block && block.count === DENSE) {
      block = { bits: bitmapOf(block.list) };
      this.#blocks.set(high, block);
    }
    const isNew = 'bits' in block ? setBit(block.bits, low) : insert(block, low);
    if (isNew) this.#size++;
    return isNew;
  }

  /** Frees its memory at once. It must not be used afterwards. */
  free(): void {
    release(Array.from(this.#blocks.values(), (block) => ('bits' in block ? block.bits : block.list).buffer));
  }
}

/** Returns the index of the first id that is not below `low`. */
function placeIn({ list, count }: { list: Uint16Array; count: number }, low: number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as number) < low) from = middle + 1;
    else to = middle;
  }
  return from;
}

function insert(block: { list: Uint16Array; count: number }, low: number): boolean {
  const at = placeIn(block, low);
  if (at < block.count && block.list[at] === low) return false;
  if (block.count === block.list.length) {
    const longer = new Uint16Array(2 * block.count);
    longer.set(block.list);
    block.list = longer;
  }
  block.list.copyWithin(at + 1, at, block.count);
  block.list[at] = low;
  block.count++;
  return true;
}

function setBit(bits: Uint8Array, low: number): boolean {
  const byte = bits[low >> 3] as number;
  const bit = 1 << (low & 7);
  if ((byte & bit) !== 0) return false;
  bits[low >> 3] = byte | bit;
  return true;
}

function bitmapOf(list: Uint16Array): Uint8Array {
  const bits = new Uint8Array(BLOCK / 8);
  for (const low of list) setBit(bits, low);
  return bits;
}
