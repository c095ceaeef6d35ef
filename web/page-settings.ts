import { createContext, use } from 'react';
import { PAGE_SETTINGS, type PageSettings } from '../domain/service/page-settings.ts';

const Settings = createContext<PageSettings | null>(null);

/** Provides the deployment's settings. A context, because the Worker renders pages of several requests at once. */
export const SettingsProvider = Settings;

/** Returns the deployment's settings. */
export function useSettings(): PageSettings {
  const settings = use(Settings);
  if (!settings) throw new Error('The page has no settings.');
  return settings;
}

let read: PageSettings | undefined;

/** Returns the settings in the page's head. Only in a browser. */
export function headSettings(): PageSettings {
  read ??= JSON.parse(document.head.querySelector<HTMLMetaElement>(`[name=${PAGE_SETTINGS}]`)?.content ?? '');
  return read as PageSettings;
}
