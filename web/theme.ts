import { store } from './stored.ts';

/** Themes; 'system' is the default. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEY = 'theme';

/** Returns the current theme, which public/first-paint.js applied before the first paint. */
export const chosenTheme = (): Theme =>
  THEMES.find((theme) => theme === globalThis.document?.documentElement.dataset.theme) ?? 'system';

/** Applies and stores a theme. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // If storage is disabled, the choice lasts until the page closes.
  store(KEY, theme === 'system' ? null : theme);
  dispatchEvent(new Event('themechange'));
}
