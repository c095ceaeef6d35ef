import type { RouterRoute } from 'hono/types';
import { done } from '../../domain/answers.ts';
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
 * Generates the API description (OpenAPI 3.1) from the routes: what they validate, what they return and who may call
 * them. Written by the build (scripts/contract.ts), because it takes half a second.
 */

export interface Call {
  method: string;
  path: string;
  /** The route's handlers in order, after those of the paths above it. */
  handlers: object[];
}

const isBelow = (path: string, pattern: string): boolean =>
  pattern.endsWith('/*') && (pattern === '/*' || path.startsWith(pattern.slice(0, -1)));

/** Returns the API's calls, without middleware of several paths. */
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

/** Returns path, query and header parameters: one for each field of the schema that validates them. */
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
/** Files in other tools' formats are arrays. */
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

/** Returns who may call: anybody, a user's session or key, an admin's session, a bot. */
function securityOf(call: Call): Json[] {
  const { handlers } = call;
  if (handlers.includes(bot)) return [{ bot: [] }];
  if (handlers.includes(admin)) {
    const byKey = firstOf(call, scopeOf);
    return [{ session: ['admin'] }, ...(byKey ? [{ key: [byKey] }] : [])];
  }
  if (!handlers.includes(signedIn)) return [];
  const scope = firstOf(call, scopeOf);
  return scope ? [{ session: [] }, { key: [scope] }] : [{ session: [] }];
}

const refusal = { $ref: '#/components/schemas/Refusal' };
const REFUSED = { description: 'Refused. `msg` says why.', content: { 'application/json': { schema: refusal } } };
const FAILED = { ...REFUSED, description: 'The service failed or is closed for a while. `msg` says which.' };
const REFUSALS = { '4XX': REFUSED, '5XX': FAILED };

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { const: 1, description: '1: the call succeeded.' },
    data: { description: 'The data of the answer.', ...data },
  },
});

function responsesOf(promised: Promised | undefined): Json {
  // OpenAPI cannot describe sockets, but its linters require a success response for every call.
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
  // A range has the same media types as the whole file, because generated clients have one type for both.
  const part = promised?.parts ? { 206: { description: 'The range requested by `Range`.', content } } : {};
  const otherwise = promised?.schema === done ? 'Success, without data.' : 'Success.';
  return { 200: { description: promised?.schema?.description ?? otherwise, content }, ...part, ...REFUSALS };
}

/** Returns a call's id in the style of function names: getOrderByIdDownload. */
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

/** Describes the input and output of a call. */
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

/** Converts a path to OpenAPI's notation. */
export const templateOf = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?\??/g, '{$1}');

/** Describes the calls of these routes: the part of the API description that is the same for every copy. */
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

/** Describes the whole API of a copy at `origin`. */
export const describeApi = (routes: readonly RouterRoute[], origin: string): Json => ({
  ...describeCalls(routes),
  ...describeCopy(origin),
});
