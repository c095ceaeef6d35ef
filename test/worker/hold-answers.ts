import { gunzipSync } from 'node:zlib';
import { app } from '../../worker/app.ts';
import { type Promised, promiseOf } from '../../worker/middleware/answers.ts';
import { watched } from './open-work.ts';
import { wronglyTold } from './told-to-browsers.ts';

/**
 * Holds every answer of the suite to what its route promises: the envelope's data to its schema, with nothing beside
 * it, and files to their media types; to what browsers and caches are told of it; and to having waited for what it began. The file that runs before each test file (setup.ts) loads it beside the app that
 * the tests call, and asks it after each test.
 */

const broken: string[] = [];

/** Fields that are in an answer and not in its schema, which parsing leaves out. */
function unknownIn(data: unknown, parsed: unknown, path = 'data'): string[] {
  if (typeof data !== 'object' || data === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(data).flatMap(([key, value]) =>
    key in parsed
      ? unknownIn(value, (parsed as Record<string, unknown>)[key], `${path}.${key}`)
      : [`${path}.${key} is not in the schema`],
  );
}

function flawsOf(promised: Promised, { success, data }: { success?: unknown; data?: unknown }): string[] {
  if (success !== 1) return ['is not in the envelope'];
  const result = promised.schema?.safeParse(data);
  if (!result) return ['is JSON, and no schema was promised'];
  if (result.success) return unknownIn(data, result.data);
  return result.error.issues.map(({ path, message }) => `data.${path.join('.')}: ${message}`);
}

const mediaType = (response: Response): string => response.headers.get('content-type')?.split(';')[0] ?? '';

/** The body as JSON; boards are sent packed, as they are stored. */
async function bodyOf(response: Response): Promise<object> {
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return JSON.parse((packed ? gunzipSync(bytes) : bytes).toString());
}

/** Where an answer is not what its route promised; nothing where the route promises nothing. */
export async function brokenPromises(request: Request, response: Response): Promise<string[]> {
  const [matched] = app.router.match(request.method, app.getPath(request));
  const promised = matched.flatMap(([[handler]]) => promiseOf(handler) ?? [])[0];
  // A refusal is no promise of a route's, and what a caller has still is not sent again.
  if (!promised || response.status === 304 || response.status >= 400) return [];
  if (response.status !== promised.status) return [`answers ${response.status}, not ${promised.status}`];
  if (response.status !== 200) return [];
  const type = mediaType(response);
  const inEnvelope = promised.schema !== null && type === 'application/json';
  if (!inEnvelope && promised.files.includes(type)) return [];
  if (type !== 'application/json') return [`is ${type || 'of no type'}`];
  // A file of JSON has no envelope; what asks for JSON does.
  if (promised.files.includes(type) && !request.headers.get('accept')?.includes('application/json')) return [];
  return flawsOf(promised, await bodyOf(response));
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
  const response = await fetch(request, env, ...rest);
  const { pathname } = new URL(request.url);
  const flaws = [
    ...unfinished(request, open),
    ...wronglyTold(pathname, response),
    ...(await brokenPromises(request, response)),
  ];
  broken.push(...flaws.map((flaw) => `${request.method} ${pathname} ${flaw.replace(/\.\d+(?=\W)/g, '.*')}`));
  return response;
};

/** What was broken since it was last asked. */
export const brokenSince = (): string[] => [...new Set(broken.splice(0))];
