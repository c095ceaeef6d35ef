import { store } from './stored.ts';
import { showReasonsOnTap } from './ui/show-reasons.ts';

/** Loads what can wait until a page is drawn: the offline page (public/offline.js), notes on tap, and the font. */

/** After this time in ms, a page keeps the font in which it is being read; another one would lay it out again. */
const SOON_MS = 1500;
/** How long a late font waits, in ms, because data of the page comes first. */
const LATE_MS = 3000;

/** Resolves when the reader goes on to another page. */
const nextPage = () =>
  new Promise<void>((resolve) =>
    window.navigation?.addEventListener('navigate', ({ destination }) => {
      if (new URL(destination.url).pathname !== location.pathname) resolve();
    }),
  );

/**
 * Loads the product's font and uses it. If it is late, the next page begins with it (public/first-paint.js). A
 * first page begins in the reader's own font of the same proportions (ui/tokens.css), because on a phone 48 kB of font
 * would delay the script. Letters of other scripts load if they occur.
 */
async function loadFont(): Promise<void> {
  const { dataset } = document.documentElement;
  if (dataset.font === undefined) {
    if (performance.now() > SOON_MS) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await document.fonts.load('1em "Inter Variable"');
    store('font', 'loaded');
    if (performance.now() > SOON_MS) await nextPage();
    dataset.font = '';
  }
  await import('@fontsource-variable/inter/wght.css?others');
}

void navigator.serviceWorker?.register('/offline.js').catch(() => undefined);
showReasonsOnTap(document);
void loadFont().catch(() => undefined);
