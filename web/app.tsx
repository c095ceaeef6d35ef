import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useSyncExternalStore } from 'react';
import { locale } from '../domain/language/current.ts';
import type { PageSettings } from '../domain/service/page-settings.ts';
import { SettingsProvider } from './page-settings.ts';
import type { createApp } from './router.tsx';
import { LanguageProvider } from './ui/use-locale.ts';

/** Tells when the page's language changes; never in the Worker. */
type OnLanguage = (listener: () => void) => () => void;
const NEVER: OnLanguage = () => () => undefined;

/** The whole page, in the browser and in the Worker. */
export const App = ({
  client,
  router,
  settings,
  onLanguage = NEVER,
}: Pick<ReturnType<typeof createApp>, 'client' | 'router'> & { settings: PageSettings; onLanguage?: OnLanguage }) => (
  <StrictMode>
    <SettingsProvider value={settings}>
      <QueryClientProvider client={client}>
        <LanguageProvider value={useSyncExternalStore(onLanguage, locale, locale)}>
          <RouterProvider router={router} />
        </LanguageProvider>
      </QueryClientProvider>
    </SettingsProvider>
  </StrictMode>
);
