import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import type { PageSettings } from '../domain/service/page-settings.ts';
import { SettingsProvider } from './page-settings.ts';
import type { createApp } from './router.tsx';

/** The whole page, in the browser and in the Worker. */
export const App = ({
  client,
  router,
  settings,
}: Pick<ReturnType<typeof createApp>, 'client' | 'router'> & { settings: PageSettings }) => (
  <StrictMode>
    <SettingsProvider value={settings}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SettingsProvider>
  </StrictMode>
);
