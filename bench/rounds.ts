import { processorTime } from './memory.ts';
import { median } from './report.ts';

/** One round of a repeated measurement. */

export interface Round {
  ms: number;
  /** Processor time in ms. */
  processor: number;
}

/** Measures the time of an action and the processor time that process `pid` used for it. */
export async function timed(pid: number, act: () => Promise<unknown>): Promise<Round> {
  const [start, before] = [performance.now(), processorTime(pid)];
  await act();
  return { ms: performance.now() - start, processor: processorTime(pid) - before };
}

/** Returns the medians of time and processor time. */
export const middle = (rounds: readonly Round[]): Round => ({
  ms: median(rounds.map(({ ms }) => ms)),
  processor: median(rounds.map(({ processor }) => processor)),
});
