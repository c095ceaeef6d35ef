/** Work in short steps, for idle moments: a page is not to stand still for it. */
export interface IdleWork<Made> {
  /** Does one more step; true where nothing is left. */
  step(): boolean;
  /** What the work makes; steps that are left are done at once. */
  get(): Made;
}

/** The work whose steps end where `steps` yields. */
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

/** What a moment may take: a frame that was about to be drawn still is. */
const MOMENT_MS = 6;

/** Does works, one after the other, while the browser has nothing else to do. The answer is to be called to stop it. */
export function inIdleMoments(works: readonly IdleWork<unknown>[]): () => void {
  let stopped = false;
  const moment = () => {
    const until = performance.now() + MOMENT_MS;
    while (!stopped && performance.now() < until) if (works.every(({ step }) => step())) return;
    if (!stopped) wait();
  };
  // Safari does not tell of idle moments.
  const wait = () => (self.requestIdleCallback ?? setTimeout)(moment);
  wait();
  return () => {
    stopped = true;
  };
}
