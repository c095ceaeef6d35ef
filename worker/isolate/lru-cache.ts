/** Bytes counted per entry in addition to its value, so that many small values cannot fill the isolate. */
export const ENTRY_BYTES = 512;

/** What all caches of an isolate may hold together, in bytes. */
const ALL_BYTES = 56 * 2 ** 20;

let room = (): number => ALL_BYTES;
let uses = 0;
/** The caches of the isolate. Those of objects that were evicted disappear. */
const caches = new Set<WeakRef<LruCache<unknown>>>();

/** Sets how many bytes the isolate has for caches beside other work. Returns the function that applies it. */
export function boundCaches(free: () => number): () => void {
  room = () => Math.min(ALL_BYTES, Math.max(0, free()));
  return trim;
}

/** Returns the caches that are still in use. */
function alive(): LruCache<unknown>[] {
  return [...caches].flatMap((reference) => {
    const cache = reference.deref();
    if (!cache) caches.delete(reference);
    return cache ?? [];
  });
}

/** Drops entries, the least recently used of all caches first, until the rest has room. */
function trim(): void {
  const all = alive();
  const most = room();
  let bytes = all.reduce((sum, cache) => sum + cache.bytes, 0);
  while (bytes > most) {
    const oldest = all.filter((cache) => cache.bytes > 0).sort((one, other) => one.oldest - other.oldest)[0];
    if (!oldest) return;
    bytes -= oldest.dropOldest();
  }
}

/** An LRU cache limited by bytes. Keys count as well. All caches of an isolate share its memory. */
export class LruCache<Value> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, { value: Value; bytes: number; used: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    caches.add(new WeakRef<LruCache<unknown>>(this));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** When the least recently used entry was used, in uses of all caches. */
  get oldest(): number {
    const [first] = this.#entries.values();
    return first?.used ?? Number.POSITIVE_INFINITY;
  }

  get(name: string): Value | undefined {
    const found = this.#entries.get(name);
    if (!found) return undefined;
    found.used = ++uses;
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
    this.#entries.set(name, { value, bytes: all, used: ++uses });
    this.#bytes += all;
    while (this.#bytes > this.#maxBytes) this.dropOldest();
    trim();
  }

  /** Drops the least recently used entry and returns its bytes. */
  dropOldest(): number {
    const before = this.#bytes;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.drop(oldest);
    return before - this.#bytes;
  }

  drop(name: string): void {
    const found = this.#entries.get(name);
    if (!found) return;
    this.#entries.delete(name);
    this.#bytes -= found.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
