/** Work in short steps that run while the browser is idle. */
export interface IdleWork<Made> {
  /** Runs one more step. Returns true when finished. */
  step(): boolean;
  /** Returns the result, running the remaining steps at once. */
  get(): Made;
}

/** Turns a generator into idle work; each `yield` ends a step. */
export function idleWork<Made>(steps: Iterator<void, Made, void>): IdleWork<Made> {
  let last: IteratorResult<void, Made> | undefined;
  const step = () => {
    if (!last?.done) last = steps.next();
    return last.done === true;
  };
  const get = () => {
    while (!step());
    return last?.value as Made;
  };
  return { step, get };
}

/** Time budget per idle callback, in ms; short enough not to miss a frame. */
const MOMENT_MS = 6;

/** Runs the given work in idle time, in order. Returns a function that stops it. */
export function runWhenIdle(works: readonly IdleWork<unknown>[]): () => void {
  let stopped = false;
  const moment = () => {
    const until = performance.now() + MOMENT_MS;
    while (!stopped && performance.now() < until) if (works.every(({ step }) => step())) return;
    if (!stopped) wait();
  };
  // Safari lacks requestIdleCallback.
  const wait = () => (self.requestIdleCallback ?? setTimeout)(moment);
  wait();
  return () => {
    stopped = true;
  };
}
