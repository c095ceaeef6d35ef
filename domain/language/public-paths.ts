/** Pages that everybody may read. Only these have an address per language; other pages follow the reader's choice. */

const PUBLIC =
  /^\/(?:faq|login|register|password_reset|verify-email|eula|privacy|imprint|removal|maps|api-docs|recipes|leaderboard(?:\/.*)?|(?:cod-)?dashboards\/.*|reports\/shared\/.*|shared\/.*)?\/?$/;

export const isPublicPath = (path: string): boolean => PUBLIC.test(path);

/** Parts of a catalogue that pages load: `first` for those that most visits begin with, `open` for other public ones. */
export const PAGE_PARTS = ['first', 'open', 'signed-in', 'admin'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

const ADMIN = /^\/admin(?:\/|$)/;
const FIRST = /^\/(?:faq|login|leaderboard(?:\/.*)?)?\/?$/;

/** Returns the parts of a catalogue that the page at this path needs. */
export function partsOfPage(path: string): readonly PagePart[] {
  if (FIRST.test(path)) return ['first'];
  if (isPublicPath(path)) return ['first', 'open'];
  return ADMIN.test(path) ? PAGE_PARTS : ['first', 'open', 'signed-in'];
}
