import { PAGE_SETTINGS, type PageSettings } from '../domain/service/page-settings.ts';

/** The deployment's settings, from the page's head. */
export const SETTINGS: PageSettings = JSON.parse(
  document.head.querySelector<HTMLMetaElement>(`[name=${PAGE_SETTINGS}]`)?.content ?? '',
);
