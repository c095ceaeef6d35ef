import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { LANDING_PARTS, PAGE_PARTS, type PagePart } from '../../domain/language/public-paths.ts';
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
/** Routes of each part (domain/language/public-paths.ts). */
const ROUTES: Readonly<Record<Exclude<PagePart, 'open'>, RegExp>> = {
  first: /^web\/routes\/(?:__root|leaderboard\/(?:governor|alliance|kingdom))\.tsx$/,
  home: /^web\/routes\/(?:index|-home|-?faq|login)\b/,
  boards: /^web\/routes\/leaderboard\b/,
  events: /^web\/routes\/(?:cod-)?dashboards\b/,
  'signed-in': /^web\/routes\/_signed-in\b/,
  admin: /^web\/routes\/admin\b/,
};
const isTree = (file: string): boolean => file === TREE;
/** Boards and profiles know the games, but only tables of scans show the titles of their columns. */
const isTreeOrColumns = (file: string): boolean => isTree(file) || file === 'domain/games/games.ts';

const LANDINGS: readonly PagePart[] = LANDING_PARTS;

/** Returns which parts of a catalogue hold a message, from the files that it is in. */
export function partsByFile(): (files: readonly string[]) => CataloguePart[] {
  const routes = globSync('web/routes/**/*.{ts,tsx}', { cwd: ROOT });
  const isOther = (file: string) => !Object.values(ROUTES).some((those) => those.test(file));
  const of = (part: keyof typeof ROUTES) => routes.filter((file) => ROUTES[part].test(file));
  const pages: Record<PagePart, ReadonlySet<string>> = {
    first: reachedFrom(['web/main.tsx', ...of('first')], isTreeOrColumns),
    home: reachedFrom(of('home'), isTree),
    // The overview lists events, whose camps follow the data.
    boards: reachedFrom(['domain/games/camps.ts', ...of('boards')], isTreeOrColumns),
    events: reachedFrom(of('events'), isTree),
    open: reachedFrom(routes.filter(isOther), isTree),
    'signed-in': reachedFrom(of('signed-in'), isTree),
    admin: reachedFrom(of('admin'), isTree),
  };
  const worker = reachedFrom(['worker/index.ts'], (file) => file.startsWith('dist/'));
  return (files) => {
    const isIn = (reached: ReadonlySet<string>) => files.some((file) => reached.has(file));
    const reached = PAGE_PARTS.filter((part) => isIn(pages[part]));
    // Pages load all parts before theirs, except for those of landings.
    const next = reached.find((part) => !LANDINGS.includes(part));
    const parts = next === 'first' ? [] : reached.filter((part) => LANDINGS.includes(part));
    return [...parts, ...(next ? [next] : []), ...(isIn(worker) ? (['worker'] as const) : [])];
  };
}
