import type { Numbers } from './rows.ts';

/** Of fewer lines one may have the power of all others by chance. */
const LEAST_ADDED = 10;

/**
 * Whether the last of these powers is the sum of all before it: the total of a spreadsheet, which looks like a governor
 * with everybody's power where it counts the ids.
 */
export function endsWithTotal(powers: Numbers): boolean {
  const last = powers.length - 1;
  const sum = powers.subarray(0, last).reduce((added, power) => added + power, 0);
  // Of zeros each is the sum of the others.
  return last >= LEAST_ADDED && sum > 0 && sum === powers[last];
}
