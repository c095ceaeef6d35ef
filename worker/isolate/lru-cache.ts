/** Bytes counted per entry in addition to its value, so that many small values cannot fill the isolate. */
export const ENTRY_BYTES = 512;

/** An LRU cache limited by bytes. Keys count as well. */
export class LruCache<Value> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): Value | undefined {
    const found = this.#entries.get(name);
    if (!found) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, found);
    return found.value;
  }

  /** Stores a value of this size in bytes. A value larger than the cache is not stored. */
  put(name: string, value: Value, bytes: number): void {
    this.drop(name);
    // JavaScript strings take at most two bytes per character.
    const all = ENTRY_BYTES + 2 * name.length + bytes;
    if (all > this.#maxBytes) return;
    this.#entries.set(name, { value, bytes: all });
    this.#bytes += all;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.drop(oldest);
    }
  }

  drop(name: string): void {
    const found = this.#entries.get(name);
    if (!found) return;
    this.#entries.delete(name);
    this.#bytes -= found.bytes;
  }
}
