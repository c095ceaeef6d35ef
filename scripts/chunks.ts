import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;

const ENTRY = /\/web\/main\.tsx$/;
/** The boards, where most visitors arrive. */
const BOARDS = /\/routes\/leaderboard\/(governor|alliance|kingdom)\.tsx/;
/** What these packages' index files name but no first screen uses: left to the bundler, which sees what is used. */
const ASIDE =
  /\/node_modules\/(@tanstack\/.*(infiniteQueryObserver|queriesObserver|mutationObserver|use(Mutation|Infinite|Queries|Suspense)))/;

const ICON = /\/lucide\/dist\/esm\/icons\/([a-z0-9-]+)\.mjs$/;

const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Who imports a module; of an icon, which its package's index imports for all, those that name it. */
function importersOf(id: string, context: Context): readonly string[] {
  const importers = context.getModuleInfo(id)?.importers ?? [];
  const icon = ICON.exec(id)?.[1];
  if (!icon) return importers;
  const named = new RegExp(`\\b${pascal(icon)}\\b`);
  return importers
    .flatMap((index) => context.getModuleInfo(index)?.importers ?? [])
    .filter((user) => named.test(context.getModuleInfo(user)?.code ?? ''));
}

/** A module and those that pull it in by plain imports, however far up. */
function above(id: string, context: Context, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const importer of importersOf(id, context)) above(importer, context, seen);
  return seen;
}

/**
 * Which chunk a module goes into: `first`, what every page runs; `board`, what a board adds to that. Left alone, the
 * bundler makes a dozen small files of the two, which pack worse and of which every lazy import carries a list.
 */
export function firstScreens(id: string, context: Context): string | null {
  if (ASIDE.test(id)) return null;
  const all = [...above(id, context)];
  if (all.some((one) => ENTRY.test(one))) return 'first';
  return all.some((one) => BOARDS.test(one)) ? 'board' : null;
}

/** What many of the other screens share, in one file for all of them. */
export const KIT = { name: 'kit', test: /\/(web\/(ui|components|table|api)|domain)\//, minShareCount: 3 };

/** Chunks that keep their names; others go by a hash, because the lists of lazy imports are part of the first file. */
const NAMED = /^(first|board|kit|typed)$/;

export const chunkName = ({ name }: { name: string }): string =>
  NAMED.test(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js';

/** Of what a lazy import needs, only styles and what all share are fetched with it: the lists are part of the first file. */
export const fetchedAhead = (_: string, files: string[], { hostType }: { hostType: 'html' | 'js' }): string[] =>
  hostType === 'html' ? files : files.filter((file) => /(kit|typed)-[^/]*$|\.css$/.test(file));
