import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage, signIn } from '../support/browser.ts';
import { ended, order, signedIn, waitFor } from '../support/client.ts';
import { coloured, copyToLookAt } from './sitter.ts';

/**
 * `npm run pictures` takes the pictures of a simulated kingdom's results for the home page and the README, in both
 * themes. Nobody in them is real.
 */

const ROOT = resolve(import.meta.dirname, '../..');
/** Its strongest governors have names that every computer's fonts can draw. */
const KINGDOM = 1001;
const GOVERNORS = 1000;

/** The home page's part of the screen: the top of the results, without the user's bar. */
const SHOWN = { width: 1200, height: 720 };
const WEBP_QUALITY = 0.72;

/** Converts a picture to WebP in the browser, the only encoder here. */
const asWebp = (blank: Page, png: Buffer): Promise<Buffer> =>
  blank
    .evaluate(
      async ([data, quality]) => {
        const image = await createImageBitmap(await (await fetch(data)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height);
        canvas.getContext('2d')?.drawImage(image, 0, 0);
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
        return Array.from(bytes);
      },
      [`data:image/png;base64,${png.toString('base64')}`, WEBP_QUALITY] as const,
    )
    .then((bytes) => Buffer.from(bytes));

const { address, remove } = await copyToLookAt();
const browser = await launchBrowser();
try {
  const client = await signedIn(address);
  const { items } = await waitFor(client, await order(client, 'rok', [KINGDOM], GOVERNORS), ended);
  const { page } = await openPage(browser, address, { width: 1440, height: 900 });
  const blank = await browser.newPage();
  await page.goto('/login');
  await page.getByRole('button', { name: 'I understand' }).click();
  await signIn(page);
  await page.waitForURL('**/dashboard');
  await page.goto(`/order/${items[0]?.item_id}`);
  const counted = `${GOVERNORS.toLocaleString('en-US')} governors`;
  await page.getByRole('status').filter({ hasText: counted }).waitFor();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await coloured(page);
  await page.screenshot({ path: join(ROOT, 'docs/screenshot.png') });
  await page.setViewportSize({ ...SHOWN, height: 900 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await coloured(page);
    const top = (await page.locator('#main').boundingBox())?.y ?? 0;
    const png = await page.screenshot({ clip: { x: 0, y: top, ...SHOWN } });
    writeFileSync(join(ROOT, `web/routes/-home/results-${colorScheme}.webp`), await asWebp(blank, png));
  }
} finally {
  await browser.close();
  await remove();
}
