import { describe, expect, it } from 'vitest';
import { app } from '../../worker/app.ts';
import { SUMMARIES } from '../../worker/openapi-summaries.ts';
import { caller } from './client.ts';

interface Operation {
  summary: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: { 'application/json': { schema: Record<string, unknown> } } };
}

const described = async () => {
  const response = await caller().fetch('/v1/openapi.json');
  return (await response.json()) as { openapi: string; paths: Record<string, Record<string, Operation>> };
};

const calls = [
  ...new Set(
    app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/') && !path.includes('*'))
      .map(({ method, path }) => `${method} ${path}`),
  ),
];

describe('the description of the API', () => {
  it('has every call, and says what each is for', async () => {
    const { openapi, paths } = await described();
    expect(openapi).toBe('3.1.0');
    const there = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(there.sort()).toEqual(calls.map((call) => call.replace(/\{[^}]*\}/g, '')).sort());
    expect(calls.filter((call) => !SUMMARIES[call])).toEqual([]);
    expect(Object.keys(SUMMARIES).filter((call) => !calls.includes(call))).toEqual([]);
  });

  it('takes bodies and parameters from the schemas that validate them', async () => {
    const { paths } = await described();
    const order = paths['/v1/order/create']?.post;
    expect(order?.requestBody?.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['orders'],
      properties: { orders: { type: 'array', minItems: 1, maxItems: 100 } },
    });
    const download = paths['/v1/order/{id}/download']?.get;
    expect(download?.parameters).toContainEqual({
      name: 'type',
      in: 'query',
      required: true,
      schema: { type: 'string', enum: ['csv', 'xlsx', 'json', 'parquet'] },
    });
    expect(download?.parameters).toContainEqual(expect.objectContaining({ name: 'id', in: 'path', required: true }));
  });

  it('says who may call', async () => {
    const { paths } = await described();
    expect(paths['/v1/orders']?.get?.security).toEqual([{ session: [] }, { key: ['read'] }]);
    expect(paths['/v1/order/create']?.post?.security).toEqual([{ session: [] }, { key: ['order'] }]);
    expect(paths['/v1/account']?.get?.security).toEqual([{ session: [] }]);
    expect(paths['/v1/admin/figures']?.get?.security).toEqual([{ session: ['admin'] }]);
    expect(paths['/v1/fleet/lease']?.post?.security).toEqual([{ bot: [] }]);
    expect(paths['/v1/login']?.post?.security).toEqual([]);
  });
});
