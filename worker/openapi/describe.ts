import type { RouterRoute } from 'hono/types';
import { admin } from '../middleware/admin.ts';
import { type Promised, promiseOf } from '../middleware/answers.ts';
import { bot } from '../middleware/bot.ts';
import { readsOf } from '../middleware/reads.ts';
import { scopeOf, signedIn } from '../middleware/session.ts';
import { type Checked, checkOf, headerName } from '../middleware/validate.ts';
import { describeCopy } from './copy.ts';
import { exampleOf } from './examples.ts';
import { type Json, schemaOf } from './schemas.ts';
import { TAGS } from './tags.ts';

/**
 * The API's own description (OpenAPI 3.1), read off the routes: what they validate with, what they answer and who may
 * call them. The build writes it down (scripts/contract.ts), because it takes half a second to make.
 */

export interface Call {
  method: string;
  path: string;
  /** Of the route, in order, after those of the paths that it lies below. */
  handlers: object[];
}

const isBelow = (path: string, pattern: string): boolean =>
  pattern.endsWith('/*') && (pattern === '/*' || path.startsWith(pattern.slice(0, -1)));

/** The API's calls; middleware of many paths is no call. */
export function callsOf(routes: readonly RouterRoute[]): Call[] {
  const shared = routes.filter(({ method, path }) => method === 'ALL' && path.startsWith('/v1/') && path !== '/v1/*');
  const calls = Map.groupBy(
    routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/') && !path.includes('*')),
    ({ method, path }) => `${method} ${path}`,
  );
  return [...calls.values()].flatMap((entries) => {
    const [first] = entries;
    if (!first) return [];
    const { method, path } = first;
    const above = shared.filter((entry) => isBelow(path, entry.path));
    return [{ method, path, handlers: [...above, ...entries].map(({ handler }) => handler) }];
  });
}

const firstOf = <Found>({ handlers }: Call, find: (handler: object) => Found | undefined): Found | undefined =>
  handlers.map(find).find((one) => one !== undefined);

const IN: Partial<Record<Checked['target'], string>> = { param: 'path', query: 'query', header: 'header' };

/** Path, query and header parameters: one for each field of the schema that checks them. */
const parametersOf = ({ handlers }: Call): Json[] =>
  handlers.flatMap((handler) => {
    const check = checkOf(handler);
    const where = check && IN[check.target];
    if (!where) return [];
    const { properties = {}, required = [] } = schemaOf(check.schema) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, examples, ...schema }]) => {
      const needed = where === 'path' || required.includes(name);
      const example = (examples as unknown[] | undefined)?.[0];
      return {
        name: where === 'header' ? headerName(name) : name,
        in: where,
        required: needed,
        ...(description ? { description } : {}),
        ...(needed || example !== undefined ? { example: example ?? exampleOf(schema, name) } : {}),
        schema,
      };
    });
  });

const BYTES = { type: 'string', format: 'binary' };
/** Files of rows as other tools write them are arrays. */
const JSON_FILE = { anyOf: [{ type: 'object' }, { type: 'array', items: {} }] };
const fileSchema = (type: string): Json =>
  type === 'application/json' ? JSON_FILE : /^text\/|json$/.test(type) ? { type: 'string' } : BYTES;

function bodyOf(call: Call): Json | undefined {
  const types = firstOf(call, readsOf);
  if (types)
    return {
      required: true,
      content: Object.fromEntries(types.map((type) => [type, { schema: type.endsWith('/json') ? {} : BYTES }])),
    };
  const check = call.handlers.map(checkOf).find((one) => one?.target === 'json');
  if (!check) return undefined;
  const schema = schemaOf(check.schema);
  return { required: true, content: { 'application/json': { schema, example: exampleOf(schema) } } };
}

/** Who may call: anybody, a user's session or key, an admin's session, a bot. */
function securityOf(call: Call): Json[] {
  const { handlers } = call;
  if (handlers.includes(bot)) return [{ bot: [] }];
  if (handlers.includes(admin)) return [{ session: ['admin'] }];
  if (!handlers.includes(signedIn)) return [];
  const scope = firstOf(call, scopeOf);
  return scope ? [{ session: [] }, { key: [scope] }] : [{ session: [] }];
}

const refusal = { $ref: '#/components/schemas/Refusal' };
const REFUSED = { description: 'Refused: `msg` says why.', content: { 'application/json': { schema: refusal } } };
const FAILED = { ...REFUSED, description: 'The service failed, or is closed for a while: `msg` says which.' };
const REFUSALS = { '4XX': REFUSED, '5XX': FAILED };

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { const: 1, description: '1: the call did what it is for.' },
    data: { description: 'What the call answers.', ...data },
  },
});

function responsesOf(promised: Promised | undefined): Json {
  // OpenAPI cannot describe sockets, and its linters ask for a success of every call.
  if (promised?.status === 101)
    return {
      101: { description: 'The socket is open.' },
      200: { description: 'Its messages: JSON texts.' },
      ...REFUSALS,
    };
  if (promised?.status === 303)
    return {
      303: { description: 'The page is at `Location`.' },
      200: { description: 'That page, for clients that follow.' },
      ...REFUSALS,
    };
  const files = (promised?.files ?? []).map((type) => [type, { schema: fileSchema(type) }]);
  const schema = promised?.schema && envelope(schemaOf(promised.schema, 'output'));
  const content = {
    ...(schema ? { 'application/json': { schema, example: exampleOf(schema) } } : {}),
    ...Object.fromEntries(files),
  };
  // Files beside data in the envelope are kept exports, which come in parts too (worker/http/ranges.ts).
  const part =
    schema && files.length > 0
      ? {
          206: {
            description: 'The part that `Range` asks for.',
            content: Object.fromEntries([...files, ['application/json', { schema: {} }]]),
          },
        }
      : {};
  return { 200: { description: promised?.schema?.description ?? 'Done.', content }, ...part, ...REFUSALS };
}

/** A name for a call, as clients name their functions: getOrderByIdDownload. */
const operationId = ({ method, path }: Call): string =>
  [
    method.toLowerCase(),
    ...path
      .replace(/\{[^{}]*\}/g, '')
      .split('/')
      .slice(2),
  ]
    .flatMap((part) => (part.startsWith(':') ? ['by', ...part.slice(1).split('_')] : part.split(/[-.]/)))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

const tagOf = ({ path }: Call): string => {
  const [, , noun = ''] = path.split('/');
  return TAGS[noun]?.name ?? noun;
};

/** What one call takes and answers. */
export function describeCall(call: Call): Json {
  const promised = firstOf(call, promiseOf);
  const body = bodyOf(call);
  return {
    operationId: operationId(call),
    summary: promised?.summary ?? `${call.method} ${call.path}`,
    tags: [tagOf(call)],
    parameters: parametersOf(call),
    ...(body ? { requestBody: body } : {}),
    security: securityOf(call),
    responses: responsesOf(promised),
  };
}

/** A path as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?\??/g, '{$1}');

/** Describes the calls that these routes make: the part of the API's description that is the same on every copy. */
export function describeCalls(routes: readonly RouterRoute[]): Json {
  const paths: Record<string, Json> = {};
  const calls = callsOf(routes);
  for (const call of calls) {
    const path = templateOf(call.path);
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describeCall(call) };
  }
  const used = new Set(calls.map(tagOf));
  const tags = [...new Map(Object.values(TAGS).map((tag) => [tag.name, tag])).values()];
  return { openapi: '3.1.0', tags: tags.filter(({ name }) => used.has(name)), paths };
}

/** Describes the API that these routes make and a copy at `origin` serves. */
export const describeApi = (routes: readonly RouterRoute[], origin: string): Json => ({
  ...describeCalls(routes),
  ...describeCopy(origin),
});
