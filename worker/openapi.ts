import type { RouterRoute } from 'hono/types';
import * as z from 'zod';
import { admin } from './middleware/admin.ts';
import { bot } from './middleware/bot.ts';
import { scopeFor } from './middleware/scopes.ts';
import { signedIn } from './middleware/session.ts';
import { type Checked, checkOf } from './middleware/validate.ts';
import { SUMMARIES } from './openapi-summaries.ts';

/** The API's own description (OpenAPI 3.1), read off the routes: what they validate with and who may call them. */

type Json = Record<string, unknown>;

interface Call {
  method: string;
  path: string;
  handlers: object[];
}

/** The API's calls, each with its handlers in order; middleware of many paths is no call. */
function callsOf(routes: readonly RouterRoute[]): Call[] {
  const calls = Map.groupBy(
    routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/') && !path.includes('*')),
    ({ method, path }) => `${method} ${path}`,
  );
  return [...calls.values()].flatMap((entries) => {
    const [first] = entries;
    return first ? [{ method: first.method, path: first.path, handlers: entries.map(({ handler }) => handler) }] : [];
  });
}

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  return rest;
};

/** Query and path parameters: one each for the fields of the schema that checks them. */
function parametersOf({ path, handlers }: Call): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const fields = (target: Checked['target']): Json[] =>
    handlers.flatMap((handler) => {
      const check = checkOf(handler);
      if (check?.target !== target) return [];
      const { properties = {}, required = [] } = schemaOf(check.schema) as {
        properties?: Record<string, Json>;
        required?: string[];
      };
      return Object.entries(properties).map(([name, schema]) => ({
        name,
        in: target === 'param' ? 'path' : 'query',
        required: target === 'param' || required.includes(name),
        schema,
      }));
    });
  const checked = fields('param');
  const bare = inPath.filter((name) => !checked.some((field) => field.name === name));
  return [
    ...checked,
    ...bare.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...fields('query'),
  ];
}

function bodyOf({ handlers }: Call): Json | undefined {
  const check = handlers.map(checkOf).find((one) => one?.target === 'json');
  return check && { required: true, content: { 'application/json': { schema: schemaOf(check.schema) } } };
}

/** Who may call: anybody, a user's session or key, an admin's session, a bot. */
function securityOf({ method, path, handlers }: Call): Json[] {
  if (path.startsWith('/v1/fleet/') || handlers.includes(bot)) return [{ bot: [] }];
  if (path.startsWith('/v1/admin/') || handlers.includes(admin)) return [{ session: ['admin'] }];
  if (!handlers.includes(signedIn)) return [];
  const scope = scopeFor(method, path.replace(/:\w+/g, '1'));
  return scope ? [{ session: [] }, { key: [scope] }] : [{ session: [] }];
}

const refusal = { $ref: '#/components/schemas/Refusal' };
const envelope = {
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: 1 }, data: {} },
};

const operation = (call: Call): Json => {
  const { summary, data } = SUMMARIES[`${call.method} ${call.path}`] ?? { summary: `${call.method} ${call.path}` };
  const body = bodyOf(call);
  return {
    summary,
    tags: [call.path.split('/')[2] ?? ''],
    parameters: parametersOf(call),
    ...(body ? { requestBody: body } : {}),
    security: securityOf(call),
    responses: {
      200: { description: data ?? 'Done.', content: { 'application/json': { schema: envelope } } },
      '4XX': { description: 'Refused: `msg` says why.', content: { 'application/json': { schema: refusal } } },
    },
  };
};

const FRAME = {
  openapi: '3.1.0',
  info: {
    title: 'Muster',
    version: '1',
    description:
      'Every answer is `{ "success": 1, "data": … }` or `{ "success": 0, "msg": "…" }` with the fitting status. ' +
      'Money is in US dollars, times are epoch milliseconds unless a field says otherwise.',
  },
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: '__Host-muster_session', description: 'Set by POST /v1/login.' },
      key: { type: 'http', scheme: 'bearer', description: 'An API key of My Account. Scopes: read, order.' },
      bot: { type: 'http', scheme: 'bearer', description: 'The token of a bot group (docs/fleet-api.md).' },
    },
    schemas: {
      Refusal: {
        type: 'object',
        required: ['success', 'msg'],
        properties: {
          success: { const: 0 },
          msg: { type: 'string', description: 'A sentence that says what to do.' },
          reason: { enum: ['eula', 'two_factor'], description: 'Where a page does more than show the sentence.' },
        },
      },
    },
  },
};

/** The description of the API that these routes make, served at `origin`. */
export function describeApi(routes: readonly RouterRoute[], origin: string): Json {
  const paths: Record<string, Json> = {};
  for (const call of callsOf(routes)) {
    const path = call.path.replace(/:(\w+)(\{[^}]*\})?\??/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) };
  }
  return { ...FRAME, servers: [{ url: origin }], paths };
}
