import { build } from 'vite';
import { launchBrowser } from '../test/support/browser.ts';

/** The page's own functions in Chromium, bundled as the page is. */

async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'bench' } },
  });
  const [{ output }] = built as unknown as [{ output: { code: string }[] }];
  return output[0]?.code ?? '';
}

/** What the function `name` that the module `entry` exports answers in Chromium. */
export async function inChromium<Answer>(entry: string, name: string, ...parameters: number[]): Promise<Answer> {
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
