import './ui/base.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readPageData } from '../domain/service/page-data.ts';
import { LATE_STYLE, PAGE_DATA } from '../domain/service/rendered-page.ts';
import { App } from './app.tsx';
import { applyLanguageOf, onLanguage } from './language.ts';
import { nameMissingPart, noteLeaving } from './new-version.ts';
import { headSettings } from './page-settings.ts';
import { createApp } from './router.tsx';

/** Removes the title of index.html once React has added that of the page. */
function dropFirstTitle(): void {
  const first = document.querySelector('title');
  new MutationObserver((_, observer) => {
    if (document.head.querySelectorAll('title').length < 2) return;
    first?.remove();
    observer.disconnect();
  }).observe(document.head, { childList: true });
}

async function start(): Promise<void> {
  dropFirstTitle();
  await applyLanguageOf(location.pathname);
  const { client, router, rendering } = createApp();
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const app = <App client={client} router={router} settings={headSettings()} onLanguage={onLanguage} />;

  // While a page loads, its skeleton may be shorter than the previous page. Without this, the router would store the
  // resulting scroll position as the user's.
  const skip = (event: Event) => event.target === document && router.state.isLoading && event.stopPropagation();
  addEventListener('scroll', skip, true);
  // Requests were cancelled when the page entered the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => persisted && router.invalidate());

  if (root.childElementCount === 0) {
    takePresses();
    createRoot(root).render(app);
    return;
  }
  // The Worker has rendered the page (web/server.tsx).
  for (const element of root.querySelectorAll<HTMLElement>(`[${LATE_STYLE}]`)) {
    element.style.cssText = element.getAttribute(LATE_STYLE) ?? '';
    element.removeAttribute(LATE_STYLE);
  }
  const data = document.getElementById(PAGE_DATA);
  if (data) {
    for (const [key, answer, at] of readPageData(data.textContent)) client.setQueryData(key, answer, { updatedAt: at });
    rendering.now = true;
    // The router then renders no boundaries of its own around the page, as in the Worker.
    router.ssr = { manifest: undefined };
  }
  const { pathname } = router.latestLocation;
  await router.load().catch(() => undefined);
  rendering.now = false;
  // Otherwise some data or code is missing, or the user has been sent elsewhere, such as from the home page to their
  // own. The markup then stays until the page is drawn again.
  const isSame = data && !partMissing && router.state.location.pathname === pathname;
  const presses = takePresses();
  if (!isSame) createRoot(root).render(app);
  else {
    startTransition(() => void hydrateRoot(root, app));
    // React hydrates a pressed part at once.
    for (const pressed of presses) pressed.click();
  }
}

/** Returns what was pressed since the first paint, in order. From now on, presses act (public/first-paint.js). */
function takePresses(): HTMLElement[] {
  const { presses, stop } = (window as unknown as { earlyPresses: { presses: HTMLElement[]; stop: () => void } })
    .earlyPresses;
  stop();
  return presses;
}

let partMissing = false;

addEventListener('beforeunload', noteLeaving);
addEventListener('vite:preloadError', ({ payload }) => {
  partMissing = true;
  nameMissingPart(payload);
});
// In a separate task, because parsing the script and building the router together would block a slow phone for long.
setTimeout(async () => {
  await start();
  (self.requestIdleCallback ?? setTimeout)(() => void import('./extras.ts').catch(() => undefined));
});
