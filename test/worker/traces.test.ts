import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import type { Env } from '../../worker/env.ts';
import { stackOf } from '../../worker/errors.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { forgetHealth } from '../../worker/services/service/check-health.ts';
import { caller, db, production, send } from './client.ts';

/** From a caller's report to the log: one id in header, refusal and log, on every route. */

afterEach(() => {
  vi.restoreAllMocks();
});

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PATHS = [
  '/v1/health',
  '/v1/governor/rankings?type=power&count=-1&page=0',
  '/v1/kingdom/rankings/rok/',
  '/v1/kingdom/rankings/rok/?type=nothing',
  '/v1/dashboards/1/',
  '/v1/dashboards/1/data?start=1&end=2',
  '/v1/stats/global',
  '/v1/cards/rok/kingdom-power/2026-01-01/1.png',
  '/v1/orders/',
  '/v1/openapi.json',
  '/v1/nowhere',
  '/',
  '/faq',
  '/leaderboard',
  '/players/1',
  '/dashboards/1',
  '/s/nothing',
  '/robots.txt',
  '/nowhere',
];

it.each(PATHS)('%s has a different id for every request', async (path) => {
  const answers = [await caller().fetch(path), await caller().fetch(path)];
  const [first, second] = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(first).toMatch(ID);
  expect(second).toMatch(ID);
  expect(first).not.toBe(second);
  const [answer] = answers as [Response];
  if (answer.status < 400 || !answer.headers.get('content-type')?.includes('json')) return;
  expect(await answer.json()).toMatchObject({ success: 0, request_id: first });
});

it('ignores an id made up by the caller', async () => {
  const made = 'e2d8f4a6-0000-4000-8000-000000000000';
  const answer = await caller().fetch('/v1/health', { headers: { 'x-request-id': made } });
  expect(answer.headers.get('x-request-id')).not.toBe(made);
});

/** Bindings with a failing bucket, so that boards, dashboards and stats fail. */
const broken = (): Env =>
  production({
    STORE: new Proxy(env.STORE, { get: () => () => Promise.reject(new Error('the bucket is away')) }),
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  });

it.each([
  '/v1/stats/global',
  '/v1/alliance/rankings/rok?type=power&count=-1&page=0',
  '/leaderboard/alliance',
  '/v1/health',
])('a failure of %s can be found in the log by the id of its answer', async (path) => {
  forgetManifest();
  forgetHealth();
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const noDatabase = { withSession: () => ({ getBookmark: () => null, prepare: null }), prepare: null };
  const bindings = path === '/v1/health' ? { ...broken(), DB: noDatabase as never } : broken();
  const answer = await send(`${path}${path.includes('?') ? '&' : '?'}token=secret`, {}, bindings);
  const id = answer.headers.get('x-request-id');
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain(id);
  expect(JSON.parse(String(errors.mock.calls[0]?.[0]))).toMatchObject({ request: id, path: path.replace(/\?.*/, '') });
  expect(JSON.parse(String(lines.mock.calls[0]?.[0]))).toMatchObject({
    request: id,
    method: 'GET',
    path: path.replace(/\?.*/, ''),
    status: 500,
    ms: expect.any(Number),
  });
  for (const [line] of [...errors.mock.calls, ...lines.mock.calls]) expect(line).not.toContain('secret');
});

it('logs one line per request of a deployment, without the tokens in its address', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const bindings = production({ STRIPE_WEBHOOK_SECRET: 'whsec_x' });
  await send('/v1/health?a=secret', {}, bindings);
  await send('/v1/shared/secret/rows', {}, bindings);
  await send('/s/secret', {}, bindings);
  expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)).path)).toEqual([
    '/v1/health',
    '/v1/shared/…/rows',
    '/s/…',
  ]);
});

it('logs what broke and where, without the values involved', async () => {
  const error = await db.run(sql`SELECT ${'secret@mail.example'} FROM nowhere`).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('secret@mail.example');
  const said = stackOf(error);
  expect(said).not.toContain('secret');
  expect(said).toContain('FROM nowhere');
  expect(said).toContain('no such table');
  expect(said).toContain('traces.test');
  expect(stackOf(new Error('fetch of https://a.test/b?token=secret failed'))).toContain('https://a.test/b?… failed');
  expect(stackOf('plain')).toBe('plain');
});

it.each(['/v1/orders', '/faq'])('a closed service answers with a Retry-After: %s', async (path) => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const answer = await send(path, {}, production({ CLOSED: 'Back at noon.', STRIPE_WEBHOOK_SECRET: 'whsec_x' }));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
});
