import type { RouterRoute } from 'hono/types';
import * as z from 'zod';
import { MAX_KEYS } from '../domain/accounts/account.ts';
import { admin } from './middleware/admin.ts';
import { type Promised, promiseOf } from './middleware/answers.ts';
import { bot } from './middleware/bot.ts';
import { scopeOf, signedIn } from './middleware/session.ts';
import { type Checked, checkOf, headerName } from './middleware/validate.ts';
import { TAGS } from './openapi-tags.ts';

/**
 * The API's own description (OpenAPI 3.1), read off the routes: what they validate with, what they answer and who may
 * call them.
 */

type Json = Record<string, unknown>;

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

function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

const IN: Partial<Record<Checked['target'], string>> = { param: 'path', query: 'query', header: 'header' };

/** Path, query and header parameters: one each for the fields of the schema that checks them. */
function parametersOf({ path, handlers }: Call): Json[] {
  const checked = handlers.flatMap((handler) => {
    const check = checkOf(handler);
    const where = check && IN[check.target];
    if (!where) return [];
    const { properties = {}, required = [] } = schemaOf(check.schema) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name: where === 'header' ? headerName(name) : name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema,
    }));
  });
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const bare = inPath.filter((name) => !checked.some((field) => field.in === 'path' && field.name === name));
  return [...bare.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })), ...checked];
}

function bodyOf({ handlers }: Call): Json | undefined {
  const check = handlers.map(checkOf).find((one) => one?.target === 'json');
  return check && { required: true, content: { 'application/json': { schema: schemaOf(check.schema) } } };
}

/** Who may call: anybody, a user's session or key, an admin's session, a bot. */
function securityOf({ handlers }: Call): Json[] {
  if (handlers.includes(bot)) return [{ bot: [] }];
  if (handlers.includes(admin)) return [{ session: ['admin'] }];
  if (!handlers.includes(signedIn)) return [];
  const scope = handlers.map(scopeOf).find((one) => one !== undefined);
  return scope ? [{ session: [] }, { key: [scope] }] : [{ session: [] }];
}

const refusal = { $ref: '#/components/schemas/Refusal' };
const REFUSED = { description: 'Refused: `msg` says why.', content: { 'application/json': { schema: refusal } } };
const BYTES = { schema: { type: 'string', format: 'binary' } };

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: 1 }, data },
});

const promisedIn = ({ handlers }: Call): Promised | undefined =>
  handlers.map(promiseOf).find((one) => one !== undefined);

function responsesOf(promised: Promised | undefined): Json {
  // OpenAPI knows no sockets and its lint wants a success of every call: said as what comes after the answer.
  if (promised?.status === 101)
    return {
      101: { description: 'The socket is open.' },
      200: { description: 'Its messages: JSON texts.' },
      '4XX': REFUSED,
    };
  if (promised?.status === 303)
    return {
      303: { description: 'The page is at `Location`.' },
      200: { description: 'That page, for clients that follow.' },
      '4XX': REFUSED,
    };
  const files = (promised?.files ?? []).map((type) => [type, BYTES]);
  const data = promised?.schema === null ? null : promised ? schemaOf(promised.schema, 'output') : {};
  const content = { ...Object.fromEntries(files), ...(data ? { 'application/json': { schema: envelope(data) } } : {}) };
  return { 200: { description: promised?.schema?.description ?? 'Done.', content }, '4XX': REFUSED };
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

const operation = (call: Call): Json => {
  const promised = promisedIn(call);
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
};

const FRAME = {
  openapi: '3.1.0',
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: '__Host-muster_session', description: 'Set by POST /v1/login.' },
      key: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key of My Account, of which there can be ${MAX_KEYS}. Scopes: read, order.`,
      },
      bot: { type: 'http', scheme: 'bearer', description: 'The token of a bot group (docs/fleet-api.md).' },
    },
    schemas: {
      Refusal: {
        type: 'object',
        required: ['success', 'msg', 'request_id'],
        properties: {
          success: { const: 0 },
          msg: { type: 'string', description: 'A sentence that says what to do.' },
          request_id: { type: 'string', description: 'Names the request; the header X-Request-Id has it too.' },
          reason: {
            enum: ['eula', 'two_factor', 'unverified'],
            description: 'Where a page does more than show the sentence.',
          },
        },
      },
    },
  },
};

const DESCRIPTION =
  'Every answer is `{ "success": 1, "data": … }` or `{ "success": 0, "msg": "…" }` with the fitting status. ' +
  'Money is in US dollars, times are epoch milliseconds unless a field says otherwise.';

/** A copy on somebody's own machine names no server: where its description came from is where it is. */
const isLocalHost = (origin: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(origin);

/** A path as OpenAPI writes it. */
const templateOf = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?\??/g, '{$1}');

/** The description of the API that these routes make, served at `origin`. */
export function describeApi(routes: readonly RouterRoute[], origin: string): Json {
  const paths: Record<string, Json> = {};
  const calls = callsOf(routes);
  for (const call of calls) {
    const path = templateOf(call.path);
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) };
  }
  const used = new Set(calls.map(tagOf));
  const tags = [...new Map(Object.values(TAGS).map((tag) => [tag.name, tag])).values()];
  return {
    ...FRAME,
    info: {
      title: 'Muster',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Licence of Muster', url: `${origin}/eula` },
    },
    servers: [{ url: isLocalHost(origin) ? '/' : origin }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
  };
}
