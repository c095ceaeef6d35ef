import { HOUR_MS } from './days.ts';

/** Work that goes on by itself: what fails is put aside, a little longer each time, and stops nothing else. */

export const FIRST_WAIT_MS = 30_000;
export const LONGEST_WAIT_MS = 6 * HOUR_MS;

/** For how long work is put aside that has been tried so often: 30 s, then twice as long each time, six hours at most. */
export const waitAfter = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, tries - 1), LONGEST_WAIT_MS);
