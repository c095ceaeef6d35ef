/** Bytes counted per entry in addition to its value, so that many small values cannot fill the isolate. */
export const ENTRY_BYTES = 512;

/** An LRU cache limited by bytes. Keys count as well. */
export class Held<Value> {
  readonly #room: number;
  readonly #held = new Map<string, { value: Value; bytes: number }>();
  #bytes = 0;

  constructor(room: number) {
    this.#room = room;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): Value | undefined {
    const found = this.#held.get(name);
    if (!found) return undefined;
    this.#held.delete(name);
    this.#held.set(name, found);
    return found.value;
  }

  /** Stores a value of this size in bytes. A value larger than the cache is not stored. */
  put(name: string, value: Value, bytes: number): void {
    this.drop(name);
    // JavaScript strings take at most two bytes per character.
    const all = ENTRY_BYTES + 2 * name.length + bytes;
    if (all > this.#room) return;
    this.#held.set(name, { value, bytes: all });
    this.#bytes += all;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#room) break;
      this.drop(oldest);
    }
  }

  drop(name: string): void {
    const found = this.#held.get(name);
    if (!found) return;
    this.#held.delete(name);
    this.#bytes -= found.bytes;
  }
}
