/** A slot in use. `touch` says that the work continues; `release` frees the slot. */
export interface Slot {
  touch(): void;
  release(): void;
}

const POLL_MS = 20;
/** A caller that stopped polling for this long has disconnected. */
const GONE_MS = 1000;

/**
 * A semaphore: limits how many callers run at once, for work that needs much memory or time. The rest queue in order.
 * Waiting callers poll, because a promise created by another request is unreliable in an isolate. A slot not touched
 * for `staleMs` counts as free, because a client that disconnects gives no other sign.
 */
export class Semaphore {
  readonly #limit: number;
  readonly #staleMs: number;
  readonly #touched = new Map<symbol, number>();
  /** Waiting callers, longest first, with the time that each last polled. */
  readonly #waiting = new Map<symbol, number>();

  constructor(limit: number, staleMs: number) {
    this.#limit = limit;
    this.#staleMs = staleMs;
  }

  async acquire(): Promise<Slot> {
    const slot = Symbol('slot');
    while (!this.#isNext(slot)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    this.#waiting.delete(slot);
    const touch = () => {
      this.#touched.set(slot, Date.now());
    };
    touch();
    return { touch, release: () => this.#touched.delete(slot) };
  }

  #isNext(slot: symbol): boolean {
    const now = Date.now();
    this.#waiting.set(slot, now);
    drop(this.#touched, now - this.#staleMs);
    drop(this.#waiting, now - GONE_MS);
    const [first] = this.#waiting.keys();
    return first === slot && this.#touched.size < this.#limit;
  }
}

/** Deletes entries last seen before `moment`. */
function drop(heard: Map<symbol, number>, moment: number): void {
  for (const [each, at] of heard) if (at < moment) heard.delete(each);
}
