/**
 * Work that several requests want at the same time, done once. A promise belongs to the request that began it and never
 * settles where that one is cut off, so the others wait for it only so long, and its failure is not theirs.
 */

/** How long a request waits for another's work before it does the same by itself. */
const PATIENCE_MS = 2000;

type Settled<Value> = { value: Value } | { error: unknown };

export class Shared<Value> {
  readonly #patience: number;
  readonly #coming = new Map<string, Promise<Value>>();

  constructor(patience = PATIENCE_MS) {
    this.#patience = patience;
  }

  /** What `make` answers, or what another request's does that has begun under the same name. */
  async get(name: string, make: () => Promise<Value>): Promise<Value> {
    const first = this.#coming.get(name);
    if (!first) return this.#begin(name, make);
    const settled = await this.#within(first);
    if (settled && 'value' in settled) return settled.value;
    // Of all who waited in vain one does it anew, and what becomes of that is everybody's.
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

  /** What became of it within the time that one waits; undefined where nothing did. */
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
