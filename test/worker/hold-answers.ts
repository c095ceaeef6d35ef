import { gunzipSync } from 'node:zlib';
import { app } from '../../worker/app.ts';
import { promiseOf } from '../../worker/middleware/answers.ts';
import { flawsOfAnswer, flawsOfRequest } from './contract.ts';
import { watched } from './open-work.ts';
import { wronglyTold } from './told-to-browsers.ts';

/**
 * Checks every answer of the suite: its data against its schema, files against their media types, headers for browsers
 * and caches, and that the request left no unfinished database work. setup.ts loads it with the app before each test
 * file, and asks for violations after each test.
 */

const broken: string[] = [];

/** Returns the body as JSON. Boards are sent gzipped, as they are stored. */
async function bodyOf(response: Response): Promise<object> {
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return JSON.parse((packed ? gunzipSync(bytes) : bytes).toString());
}

/** Decodes a part of a path as the router does: unchanged if it cannot be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the route of a request with its parameters, or null if it has none. */
function routeOf(request: Request): { name: string; params: Record<string, string> } | null {
  const { pathname } = new URL(request.url);
  const [matched, stash] = app.router.match(request.method === 'HEAD' ? 'GET' : request.method, app.getPath(request));
  // If two routes match, the first answers.
  const first = matched.find(([[handler]]) => promiseOf(handler));
  if (!first || !pathname.startsWith('/v1/')) return null;
  const [[, route], places] = first;
  const partAt = (at: string | number) => decoded(String(typeof at === 'number' ? stash?.[at] : at));
  const params = Object.entries(places).map(([name, at]) => [name, partAt(at)]);
  return { name: `${route.method} ${route.path}`, params: Object.fromEntries(params) };
}

/** Returns how an answer, or a request that the service accepted, differs from the API description. */
export async function brokenPromises(request: Request, response: Response, sent?: unknown): Promise<string[]> {
  const route = routeOf(request);
  if (!route || request.method === 'HEAD') return [];
  const flaws = await flawsOfAnswer(route.name, response, () => bodyOf(response));
  return response.status < 400 ? [...flaws, ...flawsOfRequest(route.name, request, route.params, sent)] : flaws;
}

/** Returns a request's JSON, if any, from a copy, because the service reads the body itself. */
async function jsonOf(request: Request): Promise<unknown> {
  if (!request.body || !request.headers.get('content-type')?.includes('json')) return undefined;
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Password resets write their mail after the answer, so that its timing does not reveal accounts. */
const WRITES_AFTER = new Set(['/v1/password-reset']);

/**
 * Returns database work that a request began without waiting for it. The platform could drop it, and nobody would hear
 * of a failure. Work that may run after the answer uses a database of its own.
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

/** Returns violations since the last call. */
export const brokenSince = (): string[] => [...new Set(broken.splice(0))];
