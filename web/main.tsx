import '@fontsource-variable/inter/wght.css';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { nameMissingPart, noteLeaving } from './new-version.ts';
import { createApp } from './router.tsx';
import { tellReasons } from './ui/tell-reasons.ts';

/** An empty page is noticed after some tenth of a second. */
const NOTICED_MS = 100;

function start(): void {
  const { client, router } = createApp();
  tellReasons(document);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');

  // As a transition, which is drawn in short pieces: what the server wrote can be read, scrolled and pressed meanwhile.
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

  // While another screen is on its way, its skeleton may be shorter than what was there. The router would take the jump
  // for a place that somebody scrolled to, and keep it for whoever turns back.
  const skip = (event: Event) => event.target === document && router.state.isLoading && event.stopPropagation();
  addEventListener('scroll', skip, true);
  // What a page that comes back still fetched when it was left ended then.
  addEventListener('pageshow', ({ persisted }) => persisted && router.invalidate());

  // Until the first screen is there, what the server wrote stays on the page. Where it wrote nothing, a screen whose
  // answers are here by now (the page's head asked for them) is drawn at once, and bar and skeleton before one that takes
  // longer.
  const noticed = new Promise<void>((resolve) => root.childElementCount === 0 && setTimeout(resolve, NOTICED_MS));
  Promise.race([router.load(), noticed]).then(draw, draw);
}

addEventListener('beforeunload', noteLeaving);
addEventListener('vite:preloadError', ({ payload }) => nameMissingPart(payload));
// The page for when there is no connection (public/offline.js), fetched once nothing else is waited for.
addEventListener('load', () => void navigator.serviceWorker?.register('/offline.js').catch(() => undefined));
// After a breath: to read the script and to make the router of it, in one go, is long for a slow phone.
setTimeout(start);
