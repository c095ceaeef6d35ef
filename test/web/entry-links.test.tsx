import './page.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { afterAll, expect, test, vi } from 'vitest';
import { accountQuery } from '../../web/api/account.ts';
import { eulaQuery } from '../../web/api/licenses.ts';
import { headSettings, SettingsProvider } from '../../web/page-settings.ts';

/** Links between the pages on which users sign in. */

afterAll(() => {
  vi.unstubAllGlobals();
});
vi.stubGlobal('fetch', () => Promise.reject(new TypeError('No network in this test.')));
vi.mock('uplot', () => ({ default: class {} }));
vi.mock('uplot/dist/uPlot.min.css', () => ({}));
vi.stubGlobal('self', globalThis);
vi.stubGlobal('window', { origin: location.origin, scrollTo: () => undefined });
const { routeTree } = await import('../../web/route-tree.gen.ts');

test.each([
  ['/login', ['/register']],
  ['/register', ['/login']],
  ['/eula', ['/login', '/register']],
])('%s passes on where a visitor wanted to go', async (path, targets) => {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(accountQuery.queryKey, null);
  client.setQueryData(eulaQuery(undefined).queryKey, {
    ...{ eula: 'Be fair.', version: 1, holds_from: '', current: 1, versions: [{ version: 1, holds_from: '' }] },
  } as never);
  const history = createMemoryHistory({ initialEntries: [`${path}?from=%2Forders%2Fnew`] });
  const router = createRouter({ routeTree, context: { client }, history, origin: location.origin });
  await router.load();
  const html = renderToString(
    <SettingsProvider value={headSettings()}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SettingsProvider>,
  );
  const main = html.slice(html.indexOf('<main'));
  for (const target of targets) expect(main).toContain(`href="${target}?from=%2Forders%2Fnew"`);
});
