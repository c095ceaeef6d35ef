import { gunzipSync } from 'node:zlib';
import { app } from '../../worker/app.ts';
import { promiseOf } from '../../worker/middleware/answers.ts';
import { flawsOfAnswer, flawsOfRequest } from './contract.ts';
import { watched } from './open-work.ts';
import { wronglyTold } from './told-to-browsers.ts';

/**
 * Holds every answer of the suite to what its route promises: the envelope's data to its schema, with nothing beside
 * it, and files to their media types; to what browsers and caches are told of it; and to having waited for what it began. The file that runs before each test file (setup.ts) loads it beside the app that
 * the tests call, and asks it after each test.
 */

const broken: string[] = [];

/** The body as JSON; boards are sent packed, as they are stored. */
async function bodyOf(response: Response): Promise<object> {
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return JSON.parse((packed ? gunzipSync(bytes) : bytes).toString());
}

/** A part of an address as the router reads it: what cannot be decoded stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The route that a request came to, with what its address holds; null if it came to none. */
function routeOf(request: Request): { name: string; params: Record<string, string> } | null {
  const { pathname } = new URL(request.url);
  const [matched, stash] = app.router.match(request.method === 'HEAD' ? 'GET' : request.method, app.getPath(request));
  // Of two routes that fit, the first answers.
  const first = matched.find(([[handler]]) => promiseOf(handler));
  if (!first || !pathname.startsWith('/v1/')) return null;
  const [[, route], places] = first;
  const partAt = (at: string | number) => decoded(String(typeof at === 'number' ? stash?.[at] : at));
  const params = Object.entries(places).map(([name, at]) => [name, partAt(at)]);
  return { name: `${route.method} ${route.path}`, params: Object.fromEntries(params) };
}

/** Where an answer, or a request that the service took, is not as the description of the API says. */
export async function brokenPromises(request: Request, response: Response, sent?: unknown): Promise<string[]> {
  const route = routeOf(request);
  if (!route || request.method === 'HEAD') return [];
  const flaws = await flawsOfAnswer(route.name, response, () => bodyOf(response));
  return response.status < 400 ? [...flaws, ...flawsOfRequest(route.name, request, route.params, sent)] : flaws;
}

/** What a request carries, if it is JSON; a copy, because the service reads the body itself. */
async function jsonOf(request: Request): Promise<unknown> {
  if (!request.body || !request.headers.get('content-type')?.includes('json')) return undefined;
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asked for a new password, nobody is told by the time whether there is such an account: its mail is written after. */
const WRITES_AFTER = new Set(['/v1/password-reset']);

/**
 * What a request began in the database and did not wait for: it would be lost with the isolate, and nobody would hear
 * that it failed. What may come after the answer has a database of its own.
 */
const unfinished = (request: Request, open: ReadonlySet<string>): string[] =>
  WRITES_AFTER.has(new URL(request.url).pathname) ? [] : [...open].map((sql) => `did not wait for ${sql}`);

const { fetch } = app;
app.fetch = async (request, bindings, ...rest) => {
  const { env, open } = watched(bindings ?? {});
  const copy = request.body ? request.clone() : request;
  const response = await fetch(request, env, ...rest);
  const { pathname } = new URL(request.url);
  const flaws = [
    ...unfinished(request, open),
    ...wronglyTold(pathname, response),
    ...(await brokenPromises(request, response, response.status < 400 ? await jsonOf(copy) : undefined)),
  ];
  broken.push(...flaws.map((flaw) => `${request.method} ${pathname} ${flaw.replace(/\.\d+(?=\W)/g, '.*')}`));
  return response;
};

/** What was broken since it was last asked. */
export const brokenSince = (): string[] => [...new Set(broken.splice(0))];
