import { join } from 'node:path';
import { inChromium } from '../chromium.ts';
import { sized } from '../quick.ts';
import { type Bar, median, milliseconds, printTable } from '../report.ts';

/** Handles a table in Chromium with the functions of the comparison and event pages. */

const TIMES = sized(20, 4);
/** Warm-up runs; a displayed page has been scored before. */
const WARM = 3;
const MOST_MS = 50;

/**
 * Measures how long a table takes to respond when the user changes a weight, sorts it or searches a name. `what` names
 * the bar.
 */
export async function handled(rows: number, what: string): Promise<Bar[]> {
  const entry = join(import.meta.dirname, 'handling.ts');
  const acts = await inChromium<Record<string, number[]>>(entry, 'handle', rows, TIMES);
  const usual = Object.values(acts).map((times) => median(times.slice(WARM)));
  printTable(
    Object.entries(acts).map(([act, times], index) => ({
      [`${rows} rows in Chromium`]: act,
      first: milliseconds(times[0] ?? Number.NaN),
      usual: milliseconds(usual[index] ?? Number.NaN),
    })),
  );
  return [{ what, reached: Math.max(...usual), wanted: MOST_MS, below: true }];
}
