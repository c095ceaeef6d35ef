import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono, type Env as HonoEnv, type MiddlewareHandler } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../../domain/fleet/contract.ts';
import type { Env } from '../../worker/env.ts';
import { Refusal } from '../../worker/errors.ts';
import {
  ANSWERS_VERSION,
  answerOf,
  OtherRevision,
  readAhead,
  streamedAnswer,
} from '../../worker/gateways/dashboard-answers.ts';
import { sendMailsAfter } from '../../worker/middleware/after.ts';
import { limitBodies, limitBody } from '../../worker/middleware/body.ts';
import { secureHeaders } from '../../worker/middleware/headers.ts';
import { limited } from '../../worker/middleware/limits.ts';
import { crossOrigin, sameOrigin } from '../../worker/middleware/origin.ts';

/** Middleware in front of the routes: body sizes, origins, headers and limits; and cached dashboard answers. */

afterEach(() => {
  vi.useRealTimers();
});

const reading = (bindings: Partial<Env>): Env => ({ ...env, ...bindings });

/** Asks an app of one middleware and one route, which answers 'in'. */
async function through(
  middleware: MiddlewareHandler,
  request: Request,
  bindings: Env = env,
  route: (response: Response) => Response = (response) => response,
) {
  const app = new Hono<HonoEnv>();
  app.use(middleware);
  app.all('*', async ({ req }) => {
    await req.arrayBuffer();
    return route(new Response('in'));
  });
  app.onError((error) => new Response(error.message, { status: error instanceof Refusal ? 403 : 500 }));
  const context = createExecutionContext();
  const waits = vi.spyOn(context, 'waitUntil');
  const response = await app.fetch(request, bindings, context);
  await waitOnExecutionContext(context);
  return { text: await response.clone().text(), headers: response.headers, waits: waits.mock.calls.length };
}

const to = (path: string, init: RequestInit = {}) => new Request(`https://muster.test${path}`, init);

describe('a body', () => {
  const sent = (bytes: number, path = '/v1/orders', method = 'POST') =>
    to(path, { method, body: new Uint8Array(bytes), headers: { 'content-length': String(bytes) } });

  it('may have exactly the maximum number of bytes', async () => {
    for (const [most, what] of [
      [999_000, 'It may carry 999 KB at most.'],
      [1_000_000, 'It may carry 1 MB at most.'],
    ] as const) {
      const limit = limitBody(most, 'It may carry {size} at most.');
      expect((await through(limit, sent(most))).text).toBe('in');
      expect((await through(limit, sent(most + 1))).text).toBe(what);
    }
  });

  it('may be larger on file routes only', async () => {
    const large = async (path: string, method?: string) =>
      (await through(limitBodies, sent(MAX_BODY_BYTES + 1, path, method))).text;
    for (const path of ['/v1/scans/import', '/v1/scans/import/', '/v1/admin/events/7/snapshots'])
      expect(await large(path)).toBe('in');
    for (const path of [
      '/v1/scans/import/x/save',
      '/v1/admin/events/7/snapshots/1',
      '/v1/order/create',
      '/x/v1/scans/import',
    ])
      expect(await large(path)).toBe('A call may carry 1 MB at most.');
    expect(await large('/v1/scans/import', 'PUT')).toBe('A call may carry 1 MB at most.');
  });
});

describe('a call from another site', () => {
  const bindings = reading({ ALLOWED_ORIGINS: 'https://app.test, https://other.test' });
  const refusal = 'This call came from another site. Please use the service on its own pages.';

  it.each<[string, Record<string, string>, boolean]>([
    ['POST', {}, true],
    ['POST', { origin: 'https://muster.test' }, true],
    ['POST', { origin: 'https://app.test' }, true],
    ['POST', { origin: 'https://other.test' }, true],
    ['POST', { origin: 'https://evil.test' }, false],
    ['POST', { origin: 'https://muster.test.evil.test' }, false],
    ['POST', { origin: 'http://muster.test' }, false],
    ['POST', { origin: 'null' }, false],
    ['POST', { 'sec-fetch-site': 'same-origin' }, true],
    ['POST', { 'sec-fetch-site': 'none' }, true],
    ['POST', { 'sec-fetch-site': 'same-site' }, false],
    ['POST', { 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { origin: 'https://app.test', 'sec-fetch-site': 'cross-site' }, true],
    ['PUT', { origin: 'https://evil.test' }, false],
    ['PATCH', { origin: 'https://evil.test' }, false],
    ['DELETE', { origin: 'https://evil.test' }, false],
    ['GET', { origin: 'https://evil.test' }, true],
    ['HEAD', { origin: 'https://evil.test' }, true],
    ['OPTIONS', { origin: 'https://evil.test' }, true],
    ['GET', { origin: 'https://evil.test', upgrade: 'websocket' }, false],
    ['GET', { origin: 'https://muster.test', upgrade: 'websocket' }, true],
  ])('%s with %j: %s', async (method, headers, allowed) => {
    const { text } = await through(sameOrigin, to('/v1/orders', { method, headers }), bindings);
    expect(text).toBe(allowed ? (method === 'HEAD' ? '' : 'in') : refusal);
  });

  it('gets CORS headers only if its origin is configured', async () => {
    const allowed = async (origin: string) =>
      (await through(crossOrigin, to('/v1/orders', { headers: { origin } }), bindings)).headers;
    const ours = await allowed('https://app.test');
    expect(ours.get('access-control-allow-origin')).toBe('https://app.test');
    expect(ours.get('access-control-allow-credentials')).toBe('true');
    expect((await allowed('https://evil.test')).get('access-control-allow-origin')).toBeNull();
    const none = reading({ ALLOWED_ORIGINS: '' });
    const { headers } = await through(crossOrigin, to('/', { headers: { origin: '' } }), none);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('an answer is not cached unless its route says so, and keeps its own headers', async () => {
  const plain = (await through(secureHeaders, to('/'))).headers;
  expect(plain.get('cache-control')).toBe('no-store');
  expect(plain.get('content-security-policy')).toContain("default-src 'none'");
  expect(plain.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  const own = new Headers({ 'cache-control': 'public, max-age=60', 'content-security-policy': "default-src 'self'" });
  const kept = await through(secureHeaders, to('/'), env, ({ body }) => new Response(body, { headers: own }));
  expect(kept.headers.get('cache-control')).toBe('public, max-age=60');
  expect(kept.headers.get('content-security-policy')).toBe("default-src 'self'");
  expect(kept.headers.get('x-frame-options')).toBe('DENY');
});

it.each([
  ['POST', '/v1/orders', 1],
  ['DELETE', '/v1/orders', 1],
  ['GET', '/v1/orders', 0],
  ['POST', '/v1/fleet/rows', 0],
  ['POST', '/v1/fleets', 1],
])('mails go out after %s %s: %d', async (method, path, times) => {
  expect((await through(sendMailsAfter as MiddlewareHandler, to(path, { method }))).waits).toBe(times);
});

describe('a limit', () => {
  /** A limiter with a preset answer, which records its calls. */
  const limiter = () => {
    const asked: string[] = [];
    const state = { success: true };
    const limit = async ({ key }: { key: string }) => {
      asked.push(key);
      return { success: state.success };
    };
    return { asked, state, bindings: reading({ FLEET_GROUP: { limit } } as unknown as Partial<Env>) };
  };
  const call = (middleware: MiddlewareHandler, key: string, bindings: Env) =>
    through(middleware, to('/', { headers: { key } }), bindings);
  const limitedBy = (calls?: number) =>
    limited('FLEET_GROUP', (context) => context.req.header('key') ?? '', calls) as MiddlewareHandler;

  it('is checked on every call with a key', async () => {
    const { asked, state, bindings } = limiter();
    const middleware = limitedBy();
    for (const key of ['a', 'a', 'b', '']) expect((await call(middleware, key, bindings)).text).toBe('in');
    expect(asked).toEqual(['a', 'a', 'b']);
    state.success = false;
    expect((await call(middleware, 'a', bindings)).text).toBe(
      'Too many attempts. Please wait a minute, then try again.',
    );
    expect((await call(middleware, '', bindings)).text).toBe('in');
  });

  it('is checked once for several calls of a key within a second', async () => {
    const { asked, state, bindings } = limiter();
    const middleware = limitedBy(3);
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const statuses = async (key: string, times: number) => {
      const all: boolean[] = [];
      for (let time = 0; time < times; time++) all.push((await call(middleware, key, bindings)).text === 'in');
      return all;
    };
    expect(await statuses('a', 3)).toEqual([true, true, true]);
    expect(asked).toEqual(['a']);
    state.success = false;
    expect(await statuses('a', 1)).toEqual([false]);
    expect(await statuses('b', 1)).toEqual([false]);
    state.success = true;
    expect(await statuses('a', 2)).toEqual([false, false]);
    expect(asked).toEqual(['a', 'a', 'b']);
    vi.setSystemTime(now + 999);
    expect(await statuses('b', 1)).toEqual([false]);
    vi.setSystemTime(now + 1000);
    expect(await statuses('b', 1)).toEqual([true]);
    expect(asked).toEqual(['a', 'a', 'b', 'b']);
  });
});

describe('a dashboard', () => {
  /** Objects with preset answers, which record their calls. */
  function objects(answer: () => Response = () => new Response('bytes')) {
    const asked: string[] = [];
    const object = (name: string) => ({
      fetch: async (_: string, init: RequestInit) => {
        asked.push(`${name} ${String(init.body)}`);
        return answer();
      },
    });
    return { asked, bindings: { STORE: env.STORE, DASHBOARD_CACHE: { getByName: object } } as unknown as Env };
  }
  const FIRST = 910_001;
  const question = (revision: number, start = 0) => ({ kind: 'data' as const, revision, start, end: 9 });
  const nothing = async () => {};
  const bytesOf = async (body: ReadableStream | ArrayBuffer | null) => body && new Response(body).text();
  const storedOf = async (revision: number) => {
    const prefix = `answers/dashboards/${FIRST}/`;
    const { objects: found } = await env.STORE.list({ prefix, include: ['customMetadata'] });
    const own = found.filter(({ customMetadata }) => customMetadata?.mark?.startsWith(`r${revision}-`));
    return own.map(({ key }) => key.split('/').at(-1));
  };

  it('computes identical requests once, by revision, kind and range', async () => {
    const { asked, bindings } = objects();
    const before = vi.fn(nothing);
    for (const each of [
      question(1),
      question(1),
      question(2),
      question(1, 5),
      { ...question(1), kind: 'table' as const },
    ])
      expect(await bytesOf(await answerOf(bindings, FIRST, each, before))).toBe('bytes');
    expect(asked).toHaveLength(4);
    expect(before).toHaveBeenCalledTimes(4);
  });

  it('caches neither missing answers nor those of another revision', async () => {
    const missing = objects(() => new Response(null, { status: 409 }));
    await expect(answerOf(missing.bindings, FIRST, question(31), nothing)).rejects.toThrow(OtherRevision);
    await expect(streamedAnswer(missing.bindings, FIRST, question(31), nothing)).rejects.toThrow(OtherRevision);
    let status = 404;
    const gone = objects(() => (status === 404 ? new Response(null, { status }) : new Response('now')));
    expect(await answerOf(gone.bindings, FIRST, question(32), nothing)).toBeNull();
    status = 200;
    expect(await bytesOf(await answerOf(gone.bindings, FIRST, question(32), nothing))).toBe('now');
  });

  it('streams a large answer, stores it, and computes it once', async () => {
    const { asked, bindings } = objects();
    const before = vi.fn(nothing);
    const streamed = async () => bytesOf(await streamedAnswer(bindings, FIRST, question(41), before));
    expect([await streamed(), await streamed()]).toEqual(['bytes', 'bytes']);
    expect([asked.length, before.mock.calls.length]).toEqual([1, 1]);
    expect(await storedOf(41)).toEqual([`v${ANSWERS_VERSION}-data-0-9`]);
  });

  it('never takes a stored answer for one of another revision or range, read ahead or not', async () => {
    const whole = { ...question(51), whole: true };
    for (const [made, text] of [
      [whole, 'old'],
      [{ ...whole, revision: 52 }, 'new'],
      [{ ...whole, revision: 52, end: 10 }, 'longer'],
    ] as const) {
      await readAhead(env.STORE, FIRST, { kind: 'data', whole: true });
      const { asked, bindings } = objects(() => new Response(text));
      const ask = async () => bytesOf(await streamedAnswer(bindings, FIRST, made, nothing));
      expect(await ask()).toBe(text);
      expect(await ask()).toBe(text);
      expect(asked).toHaveLength(1);
    }
    // An answer that was read ahead needs neither object nor bucket.
    await readAhead(env.STORE, FIRST, { kind: 'data', whole: true });
    const nowhere = objects(() => new Response(null, { status: 500 }));
    const last = { ...whole, revision: 52, end: 10 };
    const bindings = { ...nowhere.bindings, STORE: null as unknown as R2Bucket };
    expect(await bytesOf(await answerOf(bindings, FIRST, last, nothing))).toBe('longer');
    expect(nowhere.asked).toEqual([]);
  });

  it.each(['a slow reader that leaves', 'a maker that fails'])(
    'neither buffers nor stores an interrupted large answer: %s',
    async (who) => {
      let pulled = 0;
      const breaksOff = who.startsWith('a maker');
      const { bindings } = objects(() => {
        const pull = (controller: ReadableByteStreamController) => {
          if (breaksOff && pulled === 5) throw new Error('broken off');
          pulled++;
          controller.enqueue(new Uint8Array(64 * 1024));
        };
        return new Response(new ReadableStream({ type: 'bytes', pull }, { highWaterMark: 0 }));
      });
      const asked = question(breaksOff ? 43 : 42);
      const reader = (await streamedAnswer(bindings, FIRST, asked, nothing)).getReader();
      expect((await reader.read()).value?.length).toBeGreaterThan(0);
      await scheduler.wait(50);
      // The piece that was read, and at most the next one.
      expect(pulled).toBeLessThanOrEqual(3);
      if (!breaksOff) await reader.cancel('gone');
      else
        await expect(
          (async () => {
            while (!(await reader.read()).done);
          })(),
        ).rejects.toThrow('broken off');
      // Half an answer is never stored, because the next caller would take it for a whole one.
      expect(await storedOf(asked.revision)).toEqual([]);
    },
  );
});
