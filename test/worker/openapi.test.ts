import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { app } from '../../worker/app.ts';
import { admin } from '../../worker/middleware/admin.ts';
import { promiseOf } from '../../worker/middleware/answers.ts';
import { bot } from '../../worker/middleware/bot.ts';
import { anyone, scopeOf, signedIn } from '../../worker/middleware/session.ts';
import { describeApi } from '../../worker/openapi/describe.ts';
import { caller } from './client.ts';
import { brokenPromises } from './hold-answers.ts';
import { CALLS, nameOf } from './routes.ts';

type Schema = Record<string, unknown>;

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { schema: Schema & { properties: { data: Schema } } }> }>;
}

const described = async () => {
  const response = await caller().fetch('/v1/openapi.json');
  return (await response.json()) as {
    openapi: string;
    tags: { name: string }[];
    paths: Record<string, Record<string, Operation>>;
  };
};

describe('every route declares', () => {
  /** The position of the guard that reads the caller. */
  const guardAt = (handlers: readonly object[]): number =>
    Math.max(handlers.lastIndexOf(signedIn), handlers.lastIndexOf(admin));

  it('who may call it', () => {
    const guards: object[] = [anyone, signedIn, admin, bot];
    expect(CALLS.length).toBeGreaterThan(90);
    expect(CALLS.filter(({ handlers }) => !handlers.some((one) => guards.includes(one))).map(nameOf)).toEqual([]);
    // Public routes have no guard, and a key's scope needs a guard behind it.
    const torn = CALLS.filter(
      ({ handlers }) => handlers.includes(anyone) && handlers.some((one) => one !== anyone && guards.includes(one)),
    );
    expect(torn.map(nameOf)).toEqual([]);
    const loose = CALLS.filter(({ handlers }) => handlers.some(scopeOf) && guardAt(handlers) < 0);
    expect(loose.map(nameOf)).toEqual([]);
  });

  it('a key’s scope before the guard that reads it', () => {
    const late = CALLS.filter(({ handlers }) => handlers.findIndex(scopeOf) > guardAt(handlers));
    expect(late.map(nameOf)).toEqual([]);
  });

  it('what it answers', () => {
    const silent = CALLS.filter(({ handlers }) => !handlers.some(promiseOf));
    expect(silent.map(nameOf)).toEqual([]);
  });
});

it('every route works with and without a trailing slash', () => {
  const found = (method: string, path: string) =>
    app.router.match(method, app.getPath(new Request(`http://muster.test${path}`)))[0].length;
  const lost = CALLS.filter(({ method, path }) => {
    const address = path.replace(/:\w+(\{[^}]*\})?/g, '1').replace(/\/$/, '');
    return found(method, address) < 2 || found(method, `${address}/`) !== found(method, address);
  });
  expect(lost.map(nameOf)).toEqual([]);
});

describe('the check of calls against the description', () => {
  const flaws = (data: unknown) =>
    brokenPromises(new Request('http://muster.test/v1/search?q=a'), Response.json({ success: 1, data }));

  it('reports anything missing or extra in an answer', async () => {
    const governor = { game: 'rok', governor_id: 1, name: 'A', alliance_tag: '', kingdom_id: 1001 };
    const found = { governors: [governor], alliances: [], kingdoms: [] };
    const beside = 'must NOT have additional properties';
    expect(await flaws(found)).toEqual([]);
    expect(await flaws({ ...found, more: 1 })).toEqual([`/data ${beside} 'more'`]);
    expect(await flaws({ ...found, governors: [{ ...governor, power: 1 }] })).toEqual([
      `/data/governors/* ${beside} 'power'`,
    ]);
    expect(await flaws({ ...found, alliances: null })).toEqual(['/data/alliances must be array']);
    const refused = (body: object) =>
      brokenPromises(new Request('http://muster.test/v1/search?q=a'), Response.json(body, { status: 400 }));
    expect(await refused({ success: 0, msg: 'q: is missing.', code: 'invalid', request_id: '1' })).toEqual([]);
    expect(await refused({ error: 'no' })).toHaveLength(1);
  });

  it('reports an accepted request that breaks the description', async () => {
    const sent = (path: string) =>
      brokenPromises(
        new Request(`http://muster.test${path}`),
        Response.json({ success: 1, data: { governors: [], alliances: [], kingdoms: [] } }),
      );
    expect(await sent('/v1/search')).toEqual(['sent: lacks q']);
    expect(await sent(`/v1/search?q=${'a'.repeat(201)}`)).toEqual([
      'sent: /value must NOT have more than 200 characters',
    ]);
  });
});

describe('the description of the API', () => {
  it.each(['gzip', 'identity'])('is served from the build as the routes define it, as %s', async (encoding) => {
    const answer = await caller().fetch('/v1/openapi.json', { headers: { 'accept-encoding': encoding } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const served = await answer.json();
    const made: unknown = JSON.parse(JSON.stringify(describeApi(app.routes, env.SITE_ORIGIN)));
    expect(served, 'The build is older than the routes: npm run build').toEqual(made);
  });

  it('has every call, with a summary and an id of its own', async () => {
    const { openapi, paths } = await described();
    expect(openapi).toBe('3.1.0');
    const there = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(there.sort()).toEqual(CALLS.map((call) => nameOf(call).replace(/\{[^}]*\}/g, '')).sort());
    const all = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(all.filter(({ summary }) => !/^[A-Z][^/]+$/.test(summary))).toEqual([]);
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[A-Za-z]\w*$/.test(id))).toEqual([]);
    expect(ids).toContain('getOrderByIdDownload');
  });

  it('puts every call under a described heading', async () => {
    const { tags, paths } = await described();
    const used = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.tags));
    expect([...new Set(used)].sort()).toEqual(tags.map(({ name }) => name).sort());
  });

  it('takes bodies, parameters and headers from the schemas that validate them', async () => {
    const { paths } = await described();
    const order = paths['/v1/order/create']?.post;
    expect(order?.requestBody?.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['orders'],
      properties: { orders: { type: 'array', minItems: 1, maxItems: 100 } },
    });
    expect(order?.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    );
    const download = paths['/v1/order/{id}/download']?.get;
    expect(download?.parameters).toContainEqual({
      name: 'type',
      in: 'query',
      required: true,
      description: expect.any(String),
      example: 'csv',
      schema: { type: 'string', enum: ['csv', 'xlsx', 'json', 'parquet'] },
    });
    expect(download?.parameters).toContainEqual(expect.objectContaining({ name: 'id', in: 'path', required: true }));
    const board = paths['/v1/governor/rankings/{game}']?.get;
    expect(board?.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual([
      ...['path game', 'query type', 'query day', 'query count', 'query page', 'query sort', 'query ascending'],
      'query language',
    ]);
  });

  it('lists what comes back, and its content types', async () => {
    const { paths } = await described();
    const contentOf = (path: string, method = 'get', status = '200') =>
      paths[path]?.[method]?.responses[status]?.content ?? {};
    expect(contentOf('/v1/orders')['application/json']?.schema.properties.data).toMatchObject({
      type: 'object',
      required: ['orders', 'live', 'next'],
    });
    expect(Object.keys(contentOf('/v1/order/{id}/download'))).toEqual([
      'application/json',
      'text/csv',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.apache.parquet',
    ]);
    expect(Object.keys(contentOf('/v1/cards/{file}'))).toEqual(['image/png']);
    expect(Object.keys(paths['/v1/orders/live']?.get?.responses ?? {})).toEqual(['101', '200', '4XX', '5XX']);
    const bare = contentOf('/v1/kingdom/rankings/{game}')['application/json']?.schema.properties.data;
    expect(bare?.anyOf).toEqual([
      expect.objectContaining({ type: 'object' }),
      expect.objectContaining({ type: 'array' }),
    ]);
  });

  it('lists who may call', async () => {
    const { paths } = await described();
    expect(paths['/v1/orders']?.get?.security).toEqual([{ session: [] }, { key: ['read'] }]);
    expect(paths['/v1/order/create']?.post?.security).toEqual([{ session: [] }, { key: ['order'] }]);
    expect(paths['/v1/account']?.get?.security).toEqual([{ session: [] }]);
    expect(paths['/v1/admin/figures']?.get?.security).toEqual([{ session: ['admin'] }]);
    expect(paths['/v1/fleet/lease']?.post?.security).toEqual([{ bot: [] }]);
    expect(paths['/v1/login']?.post?.security).toEqual([]);
  });
});
