import { type Locale, localPath } from './locales.ts';

/** Pages that everybody may read. Only these have an address per language; other pages follow the reader's choice. */

const PUBLIC =
  /^\/(?:faq|login|register|password_reset|verify-email|eula|privacy|imprint|removal|maps|api-docs|recipes|leaderboard(?:\/.*)?|(?:cod-)?dashboards\/.*|reports\/shared\/.*|shared\/.*)?\/?$/;

export const isPublicPath = (path: string): boolean => PUBLIC.test(path);

/** Returns the address of a page in a language. The path may have a query. */
export const addressIn = (locale: Locale, path: string): string =>
  isPublicPath(path.split(/[?#]/, 1)[0] ?? '') ? localPath(locale, path) : path;

/**
 * Parts of a catalogue that pages load: `first` for the frame of all pages and the boards' tables; `home` for the home
 * page, the FAQ and the login; `boards` for the overview of boards and the profiles that they lead to; `events` for
 * events and their kingdoms; `open` for other public pages.
 */
export const PAGE_PARTS = ['first', 'home', 'boards', 'events', 'open', 'signed-in', 'admin'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

/** Parts of pages where visitors arrive. Only those pages load them, besides the first. */
export const LANDING_PARTS = ['home', 'boards', 'events'] as const satisfies PagePart[];

const TABLES = /^\/leaderboard\/(?:governor|alliance|kingdom)\/?$/;
const LANDINGS: Readonly<Record<(typeof LANDING_PARTS)[number], RegExp>> = {
  home: /^\/(?:faq|login)?\/?$/,
  boards: /^\/leaderboard(?:\/.*)?$/,
  events: /^\/(?:cod-)?dashboards\/.*$/,
};
const ADMIN = /^\/admin(?:\/|$)/;

/** Returns the parts of a catalogue that the page at this path needs. */
export function partsOfPage(path: string): readonly PagePart[] {
  if (TABLES.test(path)) return ['first'];
  const landing = LANDING_PARTS.find((part) => LANDINGS[part].test(path));
  if (landing) return ['first', landing];
  if (isPublicPath(path)) return ['first', 'open'];
  return ['first', 'open', 'signed-in', ...(ADMIN.test(path) ? (['admin'] as const) : [])];
}
