import { join } from 'node:path';
import { build } from 'vite';
import { launchBrowser } from '../../test/support/browser.ts';
import { sized } from '../quick.ts';
import { type Bar, median, milliseconds, printTable } from '../report.ts';

/** Bundles a module like the pages, to run their functions in Chromium. */

async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'bench' } },
  });
  const [{ output }] = built as unknown as [{ output: { code: string }[] }];
  return output[0]?.code ?? '';
}

/** Calls the function `name` exported by `entry` in Chromium and returns its result. */
async function inChromium<Answer>(entry: string, name: string, ...parameters: number[]): Promise<Answer> {
  const code = await bundle(entry);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: code });
    return await page.evaluate(
      ([called, given]) =>
        (globalThis as unknown as { bench: Record<string, (...given: number[]) => Answer> }).bench[called]?.(
          ...given,
        ) as Answer,
      [name, parameters] as const,
    );
  } finally {
    await browser.close();
  }
}

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
