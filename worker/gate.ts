/** A place at work; `touch` says that it still goes on, `leave` gives the place to the next. */
export interface Place {
  touch(): void;
  leave(): void;
}

const POLL_MS = 20;
/** Who waits and has not asked for so long has gone, as a request does that is cut off. */
const GONE_MS = 1000;

/**
 * Lets so many work at once and makes the others wait in order, for work that is dear in memory or time. Who waits asks
 * again instead of being called: in an isolate a promise of another request must not be relied on. A place that was not
 * touched for `staleMs` counts as left: a client that vanished gives no other sign.
 */
export class Gate {
  readonly #limit: number;
  readonly #staleMs: number;
  readonly #touched = new Map<symbol, number>();
  /** Who waits, the longest first, and when each asked last. */
  readonly #waiting = new Map<symbol, number>();

  constructor(limit: number, staleMs: number) {
    this.#limit = limit;
    this.#staleMs = staleMs;
  }

  async enter(): Promise<Place> {
    const place = Symbol('place');
    while (!this.#isNext(place)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    this.#waiting.delete(place);
    const touch = () => {
      this.#touched.set(place, Date.now());
    };
    touch();
    return { touch, leave: () => this.#touched.delete(place) };
  }

  #isNext(place: symbol): boolean {
    const now = Date.now();
    this.#waiting.set(place, now);
    drop(this.#touched, now - this.#staleMs);
    drop(this.#waiting, now - GONE_MS);
    const [first] = this.#waiting.keys();
    return first === place && this.#touched.size < this.#limit;
  }
}

/** Drops what was last heard of before a moment. */
function drop(heard: Map<symbol, number>, moment: number): void {
  for (const [each, at] of heard) if (at < moment) heard.delete(each);
}
