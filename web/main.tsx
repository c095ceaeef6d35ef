import '@fontsource-variable/inter/wght.css';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { nameMissingPart, noteLeaving } from './new-version.ts';
import { createApp } from './router.tsx';

/** An empty page becomes noticeable after about a tenth of a second. */
const NOTICED_MS = 100;

function start(): void {
  const { client, router } = createApp();
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');

  // A transition renders in short slices, so the server's HTML stays usable meanwhile.
  const draw = () =>
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </StrictMode>,
      ),
    );

  // While a page loads, its skeleton may be shorter than the previous page. Without this, the router would store the
  // resulting scroll position as the user's.
  const skip = (event: Event) => event.target === document && router.state.isLoading && event.stopPropagation();
  addEventListener('scroll', skip, true);
  // Requests were cancelled when the page entered the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => persisted && router.invalidate());

  // Keep the server's HTML until the first page has loaded. If there is none, render as soon as the page has its data
  // (preloaded by the page's head), or after `NOTICED_MS` with a skeleton.
  const noticed = new Promise<void>((resolve) => root.childElementCount === 0 && setTimeout(resolve, NOTICED_MS));
  Promise.race([router.load(), noticed]).then(draw, draw);
}

addEventListener('beforeunload', noteLeaving);
addEventListener('vite:preloadError', ({ payload }) => nameMissingPart(payload));
// Notes on tap and the offline page (public/offline.js), after everything else has loaded.
const loadNotes = () => import('./ui/show-reasons.ts').then(({ showReasonsOnTap }) => showReasonsOnTap(document));
addEventListener('load', () => void loadNotes().catch(() => undefined));
addEventListener('load', () => void navigator.serviceWorker?.register('/offline.js').catch(() => undefined));
// In a separate task, because parsing the script and building the router together would block a slow phone for long.
setTimeout(start);
