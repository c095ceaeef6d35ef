import { type Locale, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import type { PagePart } from '../../domain/language/public-paths.ts';
import type { Catalogue } from '../../domain/language/text.ts';
import type { Env } from '../env.ts';

/** The built web: its page and metadata from the build. */

const notes = new Map<string, unknown>();

/** Returns a JSON file written by the build, cached for the isolate's lifetime, or null if it cannot be read now. */
async function noteOf<Note>({ ASSETS }: Env, origin: string, name: string): Promise<Note | null> {
  if (notes.has(name)) return notes.get(name) as Note;
  const answer = await ASSETS.fetch(`${origin}/${name}`);
  if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) {
    // An unread body would be held open.
    await answer.body?.cancel();
    return null;
  }
  const note = (await answer.json()) as Note;
  notes.set(name, note);
  return note;
}

/**
 * A language's catalogue for pages and the Worker, and the scripts with the parts of public pages (scripts/messages).
 */
export interface BuiltCatalogue extends Catalogue {
  scripts: Readonly<Partial<Record<PagePart, string>>>;
}

/** Returns a language's catalogue; null for English, or if it cannot be read now. */
export const catalogueOf = async (env: Env, origin: string, locale: Locale): Promise<BuiltCatalogue | null> =>
  locale === SOURCE_LOCALE ? null : noteOf<BuiltCatalogue>(env, origin, `locales/${locale}.json`);

/** What the head of a route's page preloads (from scripts/route-preloads.ts). */
export interface RouteNeeds {
  /** Scripts and styles of the route and its layouts, besides those of every page. */
  files: string[];
  /** The route needs a signed-in user, so its script first asks who that is. */
  guarded: boolean;
}

const NOTHING: RouteNeeds = { files: [], guarded: false };

const partsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** True if a router path (`/players/$id`) matches the address, ignoring case like the router. */
const leadsTo = (path: string, parts: readonly string[]): boolean => {
  const wanted = partsOf(path);
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith('$') || part.toLowerCase() === parts[index]?.toLowerCase())
  );
};

/** True if the web has a screen at this path, or if the build's list cannot be read now. */
export async function isPage(env: Env, origin: string, pathname: string): Promise<boolean> {
  const paths = await noteOf<string[]>(env, origin, 'pages.json');
  return paths?.some((path) => leadsTo(path, partsOf(pathname))) ?? true;
}

/** Returns what the page at this path needs after its first script (scripts/route-preloads.ts). */
export async function needsOf(env: Env, origin: string, pathname: string): Promise<RouteNeeds> {
  const needs = await noteOf<Record<string, RouteNeeds>>(env, origin, 'route-preloads.json');
  const parts = partsOf(pathname);
  return Object.entries(needs ?? {}).find(([path]) => leadsTo(path, parts))?.[1] ?? NOTHING;
}

/**
 * Returns the style sheets of the classes in a page's markup that neither every page nor `linked` has. Several sheets
 * may have the same classes.
 */
export async function stylesOf(env: Env, origin: string, html: string, linked: readonly string[]): Promise<string[]> {
  const sheets = (await noteOf<Record<string, string[]>>(env, origin, 'page-styles.json')) ?? {};
  const lists = new Set(html.match(/ class="[^"]*/g));
  const lacking = new Set([...lists].flatMap((list) => list.slice(' class="'.length).split(' ')));
  const adds = (file: string): boolean =>
    (sheets[file] ?? []).reduce((some, name) => lacking.delete(name) || some, false);
  linked.forEach(adds);
  return Object.keys(sheets).filter(adds);
}

/** Returns the built page, which is the same for every path. */
export const builtPage = ({ ASSETS }: Env, origin: string): Promise<Response> => ASSETS.fetch(`${origin}/`);

/** Returns the gzipped start of the API description, which ends before its last brace (scripts/contract.ts). */
export async function builtContract({ ASSETS }: Env, origin: string): Promise<Uint8Array> {
  const answer = await ASSETS.fetch(`${origin}/contract.json.gz`);
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  await answer.body?.cancel();
  throw new Error('The build has no contract.json.gz.');
}
