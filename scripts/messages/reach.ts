import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PAGE_PARTS, type PagePart } from '../../domain/language/public-paths.ts';
import { ROOT } from '../settings.ts';

/** Which files visitors, signed-in users, admins and the Worker load, so that each gets its part of the catalogues only. */

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
/** Routes that most visits begin with (`FIRST` in domain/language/public-paths.ts). */
const isFirst = (file: string): boolean => /^web\/routes\/(?:__root|index|-home|-?faq|login|leaderboard)\b/.test(file);
const isTree = (file: string): boolean => file === TREE;

/** Returns which parts of a catalogue hold a message, from the files that it is in. */
export function partsByFile(): (files: readonly string[]) => CataloguePart[] {
  const routes = globSync('web/routes/**/*.{ts,tsx}', { cwd: ROOT });
  const first = reachedFrom(['web/main.tsx', ...routes.filter(isFirst)], isTree);
  const open = reachedFrom(
    routes.filter((file) => !isSignedIn(file) && !isAdmin(file)),
    isTree,
  );
  const pages: Record<PagePart, ReadonlySet<string>> = {
    first,
    open,
    'signed-in': reachedFrom(routes.filter(isSignedIn), isTree),
    admin: reachedFrom(routes.filter(isAdmin), isTree),
  };
  const worker = reachedFrom(['worker/index.ts'], (file) => file.startsWith('dist/'));
  return (files) => {
    const isIn = (reached: ReadonlySet<string>) => files.some((file) => reached.has(file));
    const page = PAGE_PARTS.find((part) => isIn(pages[part]));
    return [...(page ? [page] : []), ...(isIn(worker) ? (['worker'] as const) : [])] satisfies CataloguePart[];
  };
}
