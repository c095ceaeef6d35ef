import { join } from 'node:path';
import { inChromium } from '../chromium.ts';
import { type Bar, median, milliseconds, printTable } from '../report.ts';

/** A table in Chromium: the functions of the pages of comparisons and events. */

const TIMES = 20;
/** A page that is looked at has been scored before. */
const WARM = 3;
const MOST_MS = 50;

/** How long a table of so many rows takes when somebody moves a weight, sorts it or looks for a name; `what` names the bar. */
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
