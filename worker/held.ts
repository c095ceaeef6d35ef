/** What an entry takes beside its value: small answers of many names would fill an isolate unseen. */
export const ENTRY_BYTES = 512;

/** Things in memory up to a number of bytes, their names counted: what nobody has asked for the longest goes first. */
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

  /** Keeps a value of so many bytes; one that is larger than the room is not kept. */
  put(name: string, value: Value, bytes: number): void {
    this.drop(name);
    // A letter has two bytes at most.
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
