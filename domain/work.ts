import { HOUR_MS } from './days.ts';

/** Background jobs retry with exponential backoff; a failed job does not stop the others. */

export const FIRST_WAIT_MS = 30_000;
export const LONGEST_WAIT_MS = 6 * HOUR_MS;

/** Returns the backoff after some tries, in ms: 30 s, then doubling up to six hours. */
export const waitAfter = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, tries - 1), LONGEST_WAIT_MS);
