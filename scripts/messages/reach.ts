import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PAGE_PARTS, type PagePart } from '../../domain/language/public-paths.ts';
import { ROOT } from '../settings.ts';

/**
 * Which files visitors, signed-in users, admins and the Worker load, so that each gets its part of the catalogues only.
 */

export type CataloguePart = PagePart | 'worker';

/** Types carry no texts. */
const TYPES = /^(?:import|export) type [^;]*;/gm;
const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"](\.[^'"]+)['"]/g;

/** Returns the files that some files import, with themselves. */
function reachedFrom(roots: readonly string[], leaveOut: (file: string) => boolean): Set<string> {
  const seen = new Set<string>();
  const waiting = [...roots];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || leaveOut(file) || !/\.tsx?$/.test(file) || !existsSync(join(ROOT, file))) continue;
    seen.add(file);
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').replace(TYPES, '').matchAll(IMPORT))
      waiting.push(normalize(join(dirname(file), path.replace(/\?.*$/, ''))));
  }
  return seen;
}

const TREE = 'web/route-tree.gen.ts';
const isAdmin = (file: string): boolean => /^web\/routes\/admin\b/.test(file);
const isSignedIn = (file: string): boolean => /^web\/routes\/_signed-in\b/.test(file);
/** Routes of the parts `first` and `home` (domain/language/public-paths.ts). */
const isFirst = (file: string): boolean => /^web\/routes\/(?:__root|leaderboard)\b/.test(file);
const isHome = (file: string): boolean => /^web\/routes\/(?:index|-home|-?faq|login)\b/.test(file);
const isOther = (file: string): boolean => ![isAdmin, isSignedIn, isFirst, isHome].some((is) => is(file));
const isTree = (file: string): boolean => file === TREE;
/** Boards know the games, but only tables of scans show the titles of their columns. */
const isTreeOrColumns = (file: string): boolean => isTree(file) || file === 'domain/games/games.ts';

/** Returns which parts of a catalogue hold a message, from the files that it is in. */
export function partsByFile(): (files: readonly string[]) => CataloguePart[] {
  const routes = globSync('web/routes/**/*.{ts,tsx}', { cwd: ROOT });
  const reach = (is: (file: string) => boolean, also: string[] = [], leaveOut = isTree) =>
    reachedFrom([...also, ...routes.filter(is)], leaveOut);
  const pages: Record<PagePart, ReadonlySet<string>> = {
    first: reach(isFirst, ['web/main.tsx'], isTreeOrColumns),
    home: reach(isHome),
    open: reach(isOther),
    'signed-in': reach(isSignedIn),
    admin: reach(isAdmin),
  };
  const worker = reachedFrom(['worker/index.ts'], (file) => file.startsWith('dist/'));
  return (files) => {
    const isIn = (reached: ReadonlySet<string>) => files.some((file) => reached.has(file));
    const [page, next] = PAGE_PARTS.filter((part) => isIn(pages[part]));
    // Pages load all parts before theirs, except for the home page's.
    const parts = page === 'home' && next ? [page, next] : [page];
    return [...parts.filter((part) => part !== undefined), ...(isIn(worker) ? (['worker'] as const) : [])];
  };
}
