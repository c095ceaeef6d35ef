import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import './page.ts';
import { headSettings, SettingsProvider } from '../../web/page-settings.ts';

/** Returns the markup of components with links, whose queries find what `client` has. */
export function drawn(components: ReactNode, client = new QueryClient()): string {
  // The router looks for it, because page.ts makes a document. Other tests of the process take it away again.
  Object.assign(globalThis, { self: globalThis });
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory(),
    origin: 'http://muster.test',
  });
  return renderToStaticMarkup(
    <SettingsProvider value={headSettings()}>
      <QueryClientProvider client={client}>
        <RouterContextProvider router={router}>{components}</RouterContextProvider>
      </QueryClientProvider>
    </SettingsProvider>,
  );
}
