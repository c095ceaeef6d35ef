/** A place at work; `touch` says that it still goes on, `leave` gives the place to the next. */
export interface Place {
  touch(): void;
  leave(): void;
}

const POLL_MS = 20;

/**
 * Lets so many work at once and makes the others wait, for work that is dear in memory. Who waits asks again instead
 * of being called: in an isolate a promise of another request must not be relied on. A place that was not touched for
 * `staleMs` counts as left: a client that vanished gives no other sign.
 */
export class Gate {
  readonly #limit: number;
  readonly #staleMs: number;
  readonly #touched = new Map<symbol, number>();

  constructor(limit: number, staleMs: number) {
    this.#limit = limit;
    this.#staleMs = staleMs;
  }

  async enter(): Promise<Place> {
    while (this.#taken() >= this.#limit) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const place = Symbol('place');
    const touch = () => {
      this.#touched.set(place, Date.now());
    };
    touch();
    return { touch, leave: () => this.#touched.delete(place) };
  }

  #taken(): number {
    const oldest = Date.now() - this.#staleMs;
    for (const [place, touched] of this.#touched) if (touched < oldest) this.#touched.delete(place);
    return this.#touched.size;
  }
}
