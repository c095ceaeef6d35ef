import { store } from './stored.ts';

/** The theme that a reader chose in this browser; the system decides where nothing was. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';

/** What is chosen: public/theme.js has put it on the page before it was drawn. */
export const chosenTheme = (): Theme =>
  THEMES.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system';

/** Draws the page in a theme, now and from now on. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // Where nothing can be stored, the choice lasts as long as the page.
  store(KEY, theme === 'system' ? null : theme);
  dispatchEvent(new Event('themechange'));
}
