import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;

const ENTRY = /\/web\/main\.tsx$/;
/** Screens that are near each other. What several of these share stands apart from what one of them needs alone. */
const AREAS: readonly (readonly [name: string, routes: RegExp])[] = [
  ['home', /\/routes\/index\.tsx/],
  ['faq', /\/routes\/faq\.tsx/],
  ['boards', /\/routes\/leaderboard\/index\.tsx/],
  ['board', /\/routes\/leaderboard\/(governor|alliance|kingdom)\.tsx/],
  ['event', /\/routes\/(cod-)?dashboards\//],
  ['form', /\/routes\/(login|register|password_reset)\.tsx/],
  ['maps', /\/routes\/maps\.tsx/],
  ['results', /\/routes\/(_signed-in\/order\/|shared\/)/],
  ['report', /\/routes\/(_signed-in\/compare|reports\/shared)/],
  ['charts', /\/routes\/_signed-in\/(players|kingdoms|alliances)/],
  ['orders', /\/routes\/_signed-in\/(orders|dashboard|scans|payment|licenses)/],
  ['account', /\/routes\/_signed-in\/account/],
  ['admin', /\/routes\/admin/],
  ['users', /\/routes\/_signed-in\.tsx/],
];
/** Where visitors arrive: to these nothing is added that they do without. */
const LANDINGS = ['home', 'faq', 'board', 'event', 'form'];
/** What more areas than these share besides the landings is in one file for all of them. */
const MANY = 2;

/** What these packages' index files name but no first screen uses: left to the bundler, which sees what is used. */
const ASIDE =
  /\/node_modules\/(@tanstack\/.*(infiniteQueryObserver|queriesObserver|mutationObserver|use(Mutation|Infinite|IsFetching|Queries|Suspense)))/;

const ICON = /\/lucide\/dist\/esm\/icons\/([a-z0-9-]+)\.mjs$/;

const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Calls by the types of the routes: every page that is not for reading alone makes some, whatever else it shares with others. */
const CALLS = /\/node_modules\/hono\/|\/web\/api\/typed\.ts/;

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
 * Which chunk a module goes into: `first`, what every page runs; `board`, what a board adds to that; `event-report`, what
 * events and reports share; `kit`, what many areas do, and `desk`, what many but the results do. Left alone, the bundler
 * makes a dozen small files of each, which pack worse; all in one, a visitor of an event would fetch what only an admin
 * needs.
 */
export function chunkOf(id: string, context: Context): string | null {
  if (ASIDE.test(id)) return null;
  if (CALLS.test(id)) return 'calls';
  const all = [...above(id, context)];
  if (all.some((one) => ENTRY.test(one))) return 'first';
  const areas = AREAS.filter(([, routes]) => all.some((one) => routes.test(one))).map(([name]) => name);
  // Nearly every visitor comes by one of the first two; a form alone need not fetch what tables share.
  if (areas.includes('board') && (areas.includes('home') || areas.includes('form'))) return 'first';
  // Tables: what boards share with others is little, and all of it is small.
  if (areas.includes('board') && areas.length > 1) return 'rows';
  const landings = areas.filter((name) => LANDINGS.includes(name));
  const others = areas.filter((name) => !LANDINGS.includes(name));
  if (landings.length === 0 && others.length < 2) return null;
  // What every page of a user has is not mixed with what only some of them need.
  if (landings.length === 0 && others.includes('users')) return 'users';
  return [...landings, ...(others.length > MANY ? [others.includes('results') ? 'kit' : 'desk'] : others)].join('-');
}

/** Chunks that keep their names; others go by a hash, because the names of lazy imports are part of the first file. */
const NAMED = /^(first|rows|board|event|kit|desk)$/;

export const chunkName = ({ name }: { name: string }): string =>
  NAMED.test(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js';

/** Of what a lazy import needs, only styles are listed beside it: the lists are part of the first file, and its scripts name each other. */
export const fetchedAhead = (_: string, files: string[], { hostType }: { hostType: 'html' | 'js' }): string[] =>
  hostType === 'html' ? files : files.filter((file) => /\.css$/.test(file));
