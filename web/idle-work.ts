/**
 * Work in short steps, for idle moments: a page is not to stand still for it. Whoever needs it before waits for what is
 * left of it.
 */
export class IdleWork<Made> {
  readonly #steps: Iterator<void, Made, void>;
  #made: { value: Made } | undefined;

  constructor(steps: Iterator<void, Made, void>) {
    this.#steps = steps;
  }

  /** What the work makes; steps that are left are done at once. */
  get(): Made {
    for (;;) {
      if (this.#made) return this.#made.value;
      this.step();
    }
  }

  /** Does one more step; true where nothing is left. */
  step(): boolean {
    if (this.#made) return true;
    const { done, value } = this.#steps.next();
    if (done) this.#made = { value };
    return done === true;
  }
}

/** What a moment may take: a frame that was about to be drawn still is. */
const MOMENT_MS = 6;

/** Does works, one after the other, while the browser has nothing else to do. The answer is to be called to stop it. */
export function inIdleMoments(works: readonly IdleWork<unknown>[]): () => void {
  const idle = typeof requestIdleCallback === 'function';
  let handle = 0;
  const next = () => {
    const until = performance.now() + MOMENT_MS;
    for (const work of works)
      while (!work.step())
        if (performance.now() >= until) {
          wait();
          return;
        }
  };
  const wait = () => {
    handle = idle ? requestIdleCallback(next) : Number(setTimeout(next, MOMENT_MS));
  };
  wait();
  return () => (idle ? cancelIdleCallback(handle) : clearTimeout(handle));
}
