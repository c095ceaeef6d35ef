import { processorTime } from './memory.ts';
import { median } from './report.ts';

/** Rounds of what is measured again and again. */

export interface Round {
  ms: number;
  /** Milliseconds of processor. */
  processor: number;
}

/** What an act took, and what process `pid` used of the processor for it. */
export async function timed(pid: number, act: () => Promise<unknown>): Promise<Round> {
  const [start, before] = [performance.now(), processorTime(pid)];
  await act();
  return { ms: performance.now() - start, processor: processorTime(pid) - before };
}

/** The middle round. */
export const middle = (rounds: readonly Round[]): Round => ({
  ms: median(rounds.map(({ ms }) => ms)),
  processor: median(rounds.map(({ processor }) => processor)),
});
