import type { Env } from '../env.ts';

/** The web as it was built: its page, and what the build noted about it. */

const notes = new Map<string, unknown>();

/** A JSON file that the build wrote; the same as long as this isolate lives. Null where it cannot be read now. */
async function noteOf<Note>({ ASSETS }: Env, origin: string, name: string): Promise<Note | null> {
  if (notes.has(name)) return notes.get(name) as Note;
  const answer = await ASSETS.fetch(`${origin}/${name}`);
  if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) {
    // A body that nobody reads is held until somebody does.
    await answer.body?.cancel();
    return null;
  }
  const note = (await answer.json()) as Note;
  notes.set(name, note);
  return note;
}

/** What the head of a route's page asks for at once (noted by scripts/route-preloads.ts). */
export interface RouteNeeds {
  /** Scripts and styles of the route and of the layouts around it, besides those of every page. */
  files: string[];
  /** It is for users: who asks is the first thing that its script will want to know. */
  guarded: boolean;
}

const NOTHING: RouteNeeds = { files: [], guarded: false };

const partsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** True where a path of the router (`/players/$id`) leads to that address; like the router, whatever its case. */
const leadsTo = (path: string, parts: readonly string[]): boolean => {
  const wanted = partsOf(path);
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith('$') || part.toLowerCase() === parts[index]?.toLowerCase())
  );
};

/** True where one of the web's screens is at that path; true too where the build's list cannot be read now. */
export async function isPage(env: Env, origin: string, pathname: string): Promise<boolean> {
  const paths = await noteOf<string[]>(env, origin, 'pages.json');
  return paths?.some((path) => leadsTo(path, partsOf(pathname))) ?? true;
}

/** What the page at that path will ask for once its first script has run (scripts/route-preloads.ts). */
export async function needsOf(env: Env, origin: string, pathname: string): Promise<RouteNeeds> {
  const needs = await noteOf<Record<string, RouteNeeds>>(env, origin, 'route-preloads.json');
  const parts = partsOf(pathname);
  return Object.entries(needs ?? {}).find(([path]) => leadsTo(path, parts))?.[1] ?? NOTHING;
}

/** The built page, the same for every path. */
export const builtPage = ({ ASSETS }: Env, origin: string): Promise<Response> => ASSETS.fetch(`${origin}/`);

/** The gzipped beginning of the API's description, which ends before its last brace (scripts/contract.ts). */
export async function builtContract({ ASSETS }: Env, origin: string): Promise<Uint8Array> {
  const answer = await ASSETS.fetch(`${origin}/contract.json.gz`);
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  await answer.body?.cancel();
  throw new Error('The build has no contract.json.gz.');
}
