import { build } from 'vite';
import { launchBrowser } from '../test/support/browser.ts';

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
