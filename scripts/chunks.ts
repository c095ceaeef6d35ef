import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;

const ENTRY = /\/web\/main\.tsx$/;
/** Groups of related screens. Code shared by screens of different groups is kept apart from code of a single group. */
const AREAS: readonly (readonly [name: string, routes: RegExp])[] = [
  ['home', /\/routes\/index\.tsx/],
  ['faq', /\/routes\/faq\.tsx/],
  ['boards', /\/routes\/leaderboard\/index\.tsx/],
  ['board', /\/routes\/leaderboard\/(governor|alliance|kingdom)\.tsx/],
  ['event', /\/routes\/(cod-)?dashboards\/\$dashboardId\.tsx/],
  ['room', /\/routes\/(cod-)?dashboards\/\$dashboardId_/],
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
/** Groups where visitors arrive. Nothing unneeded is added to their chunks. */
const LANDINGS = ['home', 'faq', 'board', 'event', 'room', 'form'];
/** Code shared by more groups than this, apart from the landings, goes into one common file. */
const MANY = 2;

/**
 * Modules in these packages' indexes that no first screen uses. They are left to the bundler, which knows what is used.
 */
const ASIDE =
  /\/node_modules\/(@tanstack\/.*(infiniteQueryObserver|queriesObserver|mutationObserver|use(Mutation|Infinite|IsFetching|Queries|Suspense)))/;

const ICON = /\/lucide\/dist\/esm\/icons\/([a-z0-9-]+)\.mjs$/;

const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** API calls typed by the routes. Every page that is not read-only makes some. */
const CALLS = /\/node_modules\/hono\/|\/web\/api\/typed\.ts/;

/** Rows of editors, which comparisons and events load once somebody edits. */
const EDITORS = /\/web\/components\/rows\//;

/** Small parts, joined with others because each request delays an event's first screen on a phone by 7 ms. */
const JOINED: readonly (readonly [name: string, parts: RegExp])[] = [
  ['rows', /\/web\/ui\/unknown[.\w]*$/],
  [
    'figures',
    /\/(domain\/(events\/event|difference\/(doubts|percentages))|web\/(components\/(camps|events\/(event-words|room-link)|difference\/(gain|camp-mark)[.\w]*)|chart\/sparkline[.\w]*))\.(tsx?|css)$/,
  ],
  ['event-report', /\/web\/components\/difference\/difference-rows\.ts$/],
  ['event-room', /\/web\/api\/following\.ts$/],
  ['event-room-report', /\/domain\/known\.ts$/],
  // Apart from what most signed-in pages share, because few of them use these.
  ['narrow', /\/domain\/(narrow|games\/titles)\.ts$/],
  ['reasons', /\/domain\/orders\/reasons\.ts$/],
];

/** Returns the importers of a module. For an icon, which its package's index imports, it returns those that name it. */
function importersOf(id: string, context: Context): readonly string[] {
  const importers = context.getModuleInfo(id)?.importers ?? [];
  const icon = ICON.exec(id)?.[1];
  if (!icon) return importers;
  const named = new RegExp(`\\b${pascal(icon)}\\b`);
  return importers
    .flatMap((index) => context.getModuleInfo(index)?.importers ?? [])
    .filter((user) => named.test(context.getModuleInfo(user)?.code ?? ''));
}

/** Returns a module and everything that statically imports it, directly or not. */
function above(id: string, context: Context, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const importer of importersOf(id, context)) above(importer, context, seen);
  return seen;
}

/**
 * Returns the chunk of a module: `first` for what every page runs; `board` for what a board adds; `event-report` for
 * what events and reports share; `kit` for what many groups share, and `desk` if the results are not among them. The
 * bundler alone would make a dozen small files of each, which compress worse. A single file would make visitors of an
 * event download code for admins.
 */
export function chunkOf(id: string, context: Context): string | null {
  if (ASIDE.test(id)) return null;
  if (CALLS.test(id)) return 'calls';
  if (EDITORS.test(id)) return 'editors';
  const joined = JOINED.find(([, parts]) => parts.test(id));
  if (joined) return joined[0];
  const all = [...above(id, context)];
  if (all.some((one) => ENTRY.test(one))) return 'first';
  const areas = AREAS.filter(([, routes]) => all.some((one) => routes.test(one))).map(([name]) => name);
  // Nearly every visitor arrives at one of the first two. A form alone does not need the code of tables.
  if (areas.includes('board') && (areas.includes('home') || areas.includes('form'))) return 'first';
  // Table code that boards share with others is small.
  if (areas.includes('board') && areas.length > 1) return 'rows';
  const landings = areas.filter((name) => LANDINGS.includes(name));
  const others = areas.filter((name) => !LANDINGS.includes(name));
  if (landings.length === 0 && others.length < 2) return null;
  // Code of all signed-in pages is separate from code that only some of them need.
  if (landings.length === 0 && others.includes('users')) return 'users';
  return [...landings, ...(others.length > MANY ? [others.includes('results') ? 'kit' : 'desk'] : others)].join('-');
}

/**
 * Chunks that keep their names. Others are named by hash only, because names of lazy imports are part of the first
 * file.
 */
const NAMED = /^(first|rows|board|event|kit|desk)$/;

export const chunkName = ({ name }: { name: string }): string =>
  NAMED.test(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js';

/**
 * Lists only styles for preloading with a lazy import. The lists are part of the first file, and scripts name each
 * other anyway.
 */
export const fetchedAhead = (_: string, files: string[], { hostType }: { hostType: 'html' | 'js' }): string[] =>
  hostType === 'html' ? files : files.filter((file) => /\.css$/.test(file));
