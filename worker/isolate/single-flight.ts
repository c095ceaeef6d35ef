/**
 * Single flight: concurrent requests for the same work share one run. A promise dies with the request that created it,
 * so other requests wait for it only `PATIENCE_MS`. The first run's failure is not theirs.
 */

/** How long a request waits for another's work before it does the work itself. */
const PATIENCE_MS = 2000;

type Settled<Value> = { value: Value } | { error: unknown };

export class SingleFlight<Value> {
  readonly #patience: number;
  readonly #coming = new Map<string, Promise<Value>>();

  constructor(patience = PATIENCE_MS) {
    this.#patience = patience;
  }

  /** Returns the result of `make`, or of the run already in flight under the same name. */
  async get(name: string, make: () => Promise<Value>): Promise<Value> {
    const first = this.#coming.get(name);
    if (!first) return this.#begin(name, make);
    const settled = await this.#within(first);
    if (settled && 'value' in settled) return settled.value;
    // If the first run failed or stalled, one of the waiting callers runs it again. All share that outcome, errors
    // included.
    const second = this.#coming.get(name);
    const again = second && second !== first ? await this.#within(second) : undefined;
    if (!again) return this.#begin(name, make);
    if ('error' in again) throw again.error;
    return again.value;
  }

  #begin(name: string, make: () => Promise<Value>): Promise<Value> {
    const own = make().finally(() => {
      if (this.#coming.get(name) === own) this.#coming.delete(name);
    });
    this.#coming.set(name, own);
    return own;
  }

  /** Waits for a run up to the patience. Returns undefined if it did not settle in time. */
  async #within(coming: Promise<Value>): Promise<Settled<Value> | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.#patience, undefined);
    });
    const settled = coming.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    return Promise.race([settled, late]).finally(() => clearTimeout(timer));
  }
}
