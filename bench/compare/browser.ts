import { join } from 'node:path';
import { build } from 'vite';
import { launchBrowser } from '../../test/support/browser.ts';
import { type Bar, median, milliseconds, printTable } from '../report.ts';

/** Rescoring in Chromium: the page's own functions, bundled as the page is. */

const ROWS = 20_000;
const TIMES = 20;
/** A page that is looked at has been scored before. */
const WARM = 3;

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'rescoring.ts'), formats: ['iife'], name: 'bench' },
    },
  });
  const [{ output }] = built as unknown as [{ output: { code: string }[] }];
  return output[0]?.code ?? '';
}

/** How long 20,000 rows take when somebody moves a weight. */
export async function rescored(): Promise<Bar[]> {
  const code = await bundle();
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: code });
    const times = await page.evaluate(
      ([rows, count]) =>
        (globalThis as unknown as { bench: { rescore(rows: number, times: number): number[] } }).bench.rescore(
          rows,
          count,
        ),
      [ROWS, TIMES] as const,
    );
    const [first = Number.NaN] = times;
    const usual = median(times.slice(WARM));
    printTable([
      {
        'in Chromium': `${ROWS} rows scored, ranked and sorted anew`,
        first: milliseconds(first),
        usual: milliseconds(usual),
      },
    ]);
    return [{ what: 'milliseconds to rescore 20,000 rows in a browser', reached: usual, wanted: 50, below: true }];
  } finally {
    await browser.close();
  }
}
