/** Pages that everybody may read. Only these have an address per language; other pages follow the reader's choice. */

const PUBLIC =
  /^\/(?:faq|login|register|password_reset|verify-email|eula|privacy|imprint|removal|maps|api-docs|recipes|leaderboard(?:\/.*)?|(?:cod-)?dashboards\/.*|reports\/shared\/.*|shared\/.*)?\/?$/;

export const isPublicPath = (path: string): boolean => PUBLIC.test(path);

/**
 * Parts of a catalogue that pages load: `first` for the frame of all pages and the boards, `home` for the home page,
 * the FAQ and the login, `open` for other public pages.
 */
export const PAGE_PARTS = ['first', 'home', 'open', 'signed-in', 'admin'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

const BOARDS = /^\/leaderboard(?:\/.*)?$/;
const HOME = /^\/(?:faq|login)?\/?$/;
const ADMIN = /^\/admin(?:\/|$)/;

/** Returns the parts of a catalogue that the page at this path needs. */
export function partsOfPage(path: string): readonly PagePart[] {
  if (BOARDS.test(path)) return ['first'];
  if (HOME.test(path)) return ['first', 'home'];
  if (isPublicPath(path)) return ['first', 'open'];
  return ['first', 'open', 'signed-in', ...(ADMIN.test(path) ? (['admin'] as const) : [])];
}
