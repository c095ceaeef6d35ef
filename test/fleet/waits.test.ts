import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallError } from '../../fleet/client.ts';

/** How long a call waits before it is made again. */

vi.mock('node:timers/promises', async () => ({ setTimeout: (await import('./clock.ts')).clock.sleep }));
vi.mock('node:timers', async () => ({ setTimeout: (await import('./clock.ts')).clock.later }));

// Other files of this run may have read the agent with the real clock already, and are to have it again afterwards.
vi.resetModules();
const { clock, NOTHING, pass, refusal, service } = await import('./clock.ts');
const { fleetClient } = await import('../../fleet/client.ts');
afterAll(() => vi.resetModules());

beforeEach(() => {
  vi.restoreAllMocks();
  clock.reset();
});

describe('a call', () => {
  const beat = {} as Parameters<ReturnType<typeof fleetClient>['lease']>[0];

  test('goes to its path with its token, also if the address ends with slashes', async () => {
    const { calls, fetch } = service(() => NOTHING);
    const client = fleetClient({ url: 'http://muster.test//', token: 'secret', fetch });
    expect(await client.lease({ bot_id: 'b', games: ['rok'], count: 1 })).toEqual(NOTHING);
    await client.tellFiles({ bot_id: 'b', files: [] });
    expect(calls.map(({ url }) => url)).toEqual(
      ['lease', 'files'].map((path) => `http://muster.test/v1/fleet/${path}`),
    );
    expect(calls[0]?.body).toEqual({ bot_id: 'b', games: ['rok'], count: 1 });
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    });
  });

  test('without an answer is tried five times with growing waits, then reports why it failed', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const lost = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED', message: 'long' } });
    const { calls, fetch } = service(() => lost);
    const failed = fleetClient({ url: 'http://muster.test', token: 't', fetch })
      .lease(beat)
      .catch((error: CallError) => error);
    await pass(60_000);
    expect(await failed).toMatchObject({
      status: 0,
      message: 'The service could not be reached (ECONNREFUSED). The agent tries again until it can be.',
    });
    expect(calls).toHaveLength(5);
    expect(clock.waits).toEqual([250, 500, 1000, 2000].map((ms) => ms * 0.75));
    vi.restoreAllMocks();
  });

  test.each([
    [Object.assign(new Error('x'), { name: 'TimeoutError', cause: { code: 'Y' } }), 'no answer in time'],
    [Object.assign(new Error('x'), { cause: { message: 'socket hang up' } }), 'socket hang up'],
    [new Error('x'), 'x'],
  ])('that is lost says what was wrong: %s', async (error, why) => {
    const client = fleetClient({ url: 'http://muster.test', token: 't', fetch: service(() => error).fetch, tries: 1 });
    await expect(client.lease(beat)).rejects.toThrow(`The service could not be reached (${why}).`);
    expect(clock.waits).toEqual([]);
  });

  test('waits as long as Retry-After says, and retries no refusal', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const answers = [refusal(429, 'Slowly.', { 'retry-after': '7' }), refusal(503, undefined, { 'retry-after': '60' })];
    const { calls, fetch } = service((_, index) => answers[index] ?? refusal(409, 'No such lease.'));
    const failed = fleetClient({ url: 'http://muster.test', token: 't', fetch })
      .lease(beat)
      .catch((error: CallError) => error);
    await pass(7000 + 60_000);
    expect(await failed).toMatchObject({ status: 409, message: 'No such lease.', refused: true });
    expect(calls.map(({ at }) => at)).toEqual([0, 7000, 67_000]);
  });

  test.each([
    [() => refusal(500), 500, 'The service answered 500 without a reason.'],
    [() => new Response('<html>', { status: 200 }), 502, 'The service answered 200 without a reason.'],
    [() => Response.json({ success: 0, msg: 'No.' }), 502, 'No.'],
    [() => Response.json({ success: 1, data: {}, msg: 'No.' }, { status: 403 }), 403, 'No.'],
  ])('that brings no data fails', async (answer, status, message) => {
    const client = fleetClient({ url: 'http://muster.test', token: 't', fetch: service(answer).fetch, tries: 1 });
    await expect(client.lease(beat)).rejects.toMatchObject({ status, message });
  });

  test('ends with the agent, also between tries, and times out after a minute and a half', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const stop = new AbortController();
    const { calls, fetch } = service(() => new Error('lost'));
    const ended = fleetClient({ url: 'http://muster.test', token: 't', fetch, signal: stop.signal })
      .lease(beat)
      .catch((error: Error) => error);
    await pass(0);
    stop.abort(new Error('stopped'));
    expect(await ended).toMatchObject({ message: 'stopped' });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(90_000);
    timeout.mockRestore();
  });
});
