import type { Numbers } from './rows.ts';

/** With fewer lines, one may have the sum of all others by chance. */
const LEAST_ADDED = 10;

/**
 * Returns whether the last power is the sum of all before it. Such a spreadsheet total looks like a governor with
 * everybody's power if its id column counts the ids.
 */
export function endsWithTotal(powers: Numbers): boolean {
  const last = powers.length - 1;
  let sum = 0;
  for (let row = 0; row < last; row++) sum += powers[row] as number;
  // If all are 0, each is the sum of the others.
  return last >= LEAST_ADDED && sum > 0 && sum === powers[last];
}
