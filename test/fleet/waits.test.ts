import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileReport } from '../../domain/scans/file-report.ts';
import { MAX_REPORTED_FILES, MAX_REPORTED_PROBLEMS } from '../../domain/scans/file-report.ts';
import type { CallError } from '../../fleet/client.ts';
import type { Source } from '../../fleet/sources/source.ts';

/**
 * How long the agent waits, and for what, on a clock that moves only when everybody waits. The service is a function
 * that answers as each test says.
 */

const clock = vi.hoisted(() => {
  const state = { now: 0, sleepers: [] as { until: number; wake: () => void }[] };
  return {
    state,
    /** Every wait that was begun, in milliseconds. */
    waits: [] as number[],
    sleep(ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> {
      return new Promise((wake, refuse) => {
        if (signal?.aborted) return refuse(signal.reason);
        clock.waits.push(ms);
        const sleeper = { until: state.now + ms, wake: () => wake(value) };
        state.sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          state.sleepers = state.sleepers.filter((each) => each !== sleeper);
          refuse(signal.reason);
        });
      });
    },
    later(wake: () => void, ms: number) {
      state.sleepers.push({ until: state.now + ms, wake });
      return { unref: () => undefined };
    },
  };
});
vi.mock('node:timers/promises', () => ({ setTimeout: clock.sleep }));
vi.mock('node:timers', () => ({ setTimeout: clock.later }));

// Other files of this run may have read the agent with the real clock already, and are to have it again afterwards.
vi.resetModules();
const { fleetClient } = await import('../../fleet/client.ts');
const { runAgent, TokenRefused } = await import('../../fleet/run-agent.ts');
afterAll(() => vi.resetModules());

/** Wakes whoever waits until then, one after the other. */
async function pass(ms: number): Promise<void> {
  const end = clock.state.now + ms;
  for (;;) {
    await new Promise((settle) => setImmediate(settle));
    await new Promise((settle) => setImmediate(settle));
    const next = clock.state.sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
    if (!next) break;
    clock.state.sleepers = clock.state.sleepers.filter((each) => each !== next);
    clock.state.now = next.until;
    next.wake();
  }
  clock.state.now = end;
}

beforeEach(() => {
  vi.restoreAllMocks();
  clock.state.now = 0;
  clock.state.sleepers = [];
  clock.waits.length = 0;
});

interface Call {
  at: number;
  path: string;
  url: string;
  body: Record<string, unknown>;
  init: RequestInit;
}

/** A service that notes what it is asked and answers what `answer` says: data, a response, or an error. */
function service(answer: (call: Call, index: number) => unknown) {
  const calls: Call[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const path = new URL(url).pathname.replace('/v1/fleet/', '');
    const call = { at: clock.state.now, path, url, body: JSON.parse(String(init.body)), init };
    calls.push(call);
    const answered = await answer(call, calls.length - 1);
    if (answered instanceof Error) throw answered;
    return answered instanceof Response ? answered : Response.json({ success: 1, data: answered });
  };
  return { calls, fetch, to: (path: string) => calls.filter((call) => call.path === path) };
}

const refusal = (status: number, msg?: string, headers: Record<string, string> = {}): Response =>
  msg === undefined
    ? new Response('<html>', { status, headers })
    : Response.json({ success: 0, msg }, { status, headers });

/** What the service leases while there is no work. */
const NOTHING = { tasks: [], ask_again_ms: 120_000 };

describe('a call', () => {
  const beat = {} as Parameters<ReturnType<typeof fleetClient>['lease']>[0];

  test('goes to its path with its token, whatever the address ends with', async () => {
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

  test('without an answer is made five times, later each time, and then says why it failed', async () => {
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

  test('waits as long as it is asked to, and for no refusal', async () => {
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

  test('ends with the agent, before its next try as well, and by itself after half a minute', async () => {
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
    expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000);
    timeout.mockRestore();
  });
});

const SOURCE: Source = {
  name: 's',
  describe: () => 's',
  canScan: async () => ({ rok: 'all', cod: 'all' }),
  scan: async () => ({ unknown: 'None.' }),
};

/** An agent of `bots` against the answers of `answer`, for so long. */
async function agentFor(
  ms: number,
  answer: (call: Call, index: number) => unknown,
  about: { source?: Partial<Source>; bots?: number; name?: string; pollMs?: number } = {},
) {
  const { source = {}, ...options } = about;
  const { fetch, to, calls } = service(answer);
  const troubles: string[] = [];
  const stop = new AbortController();
  const running = runAgent(
    {
      url: 'http://muster.test',
      token: 't',
      bots: 1,
      fetch,
      source: { ...SOURCE, ...source },
      trouble: { tell: (text) => troubles.push(text), over: () => undefined },
      ...options,
    },
    stop.signal,
  ).catch((error: Error) => error);
  await pass(ms);
  stop.abort();
  return { to, calls, troubles, outcome: await running };
}

const idle = ({ path }: Call) => (path === 'lease' ? NOTHING : { now: Date.now() });

describe('an agent', () => {
  test('that has nothing to do says every quarter of a minute that it is there, and asks less and less often', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { to, troubles, outcome } = await agentFor(300_000, idle, { bots: 2, pollMs: 60_000 });
    const timesOf = (path: string, bot: string) =>
      to(path).flatMap(({ at, body }) => (body.bot_id === bot ? [at / 1000] : []));
    expect(timesOf('heartbeat', 'agent-1').slice(0, 4)).toEqual([0, 15, 30, 45]);
    expect(timesOf('heartbeat', 'agent-2')).toHaveLength(21);
    // At last as seldom as its own setting says, though the service would wait for longer.
    expect(timesOf('lease', 'agent-1')).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    // The two are counted together: what a bot has sent.
    expect(
      to('heartbeat')
        .filter(({ body }) => body.bot_id === 'agent-1')
        .map(({ body }) => body.packets_count)
        .slice(0, 3),
    ).toEqual([1, 7, 8]);
    expect(to('files')).toEqual([]);
    expect([troubles, outcome]).toEqual([[], undefined]);
  });

  test('asks as often as the service says, and often again once it had work', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const task = { subtask_id: 1, lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'rok', kingdom_id: 1 };
    const tasks = [{ ...task, from_rank: 1, to_rank: 1, full_profile: true }];
    const { to } = await agentFor(40_000, (call) => {
      if (call.path === 'lease') return { tasks: call.at === 21_000 ? tasks : [], ask_again_ms: 5000 };
      return call.path === 'rows' ? { results: [], tasks: [] } : { now: Date.now() };
    });
    expect(to('lease').map(({ at }) => at / 1000)).toEqual([0, 1, 3, 7, 12, 17, 22, 27, 32, 37]);
  });

  test('waits for as long as an overloaded service asks, also past a minute', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const busy = (seconds: string) => refusal(503, 'Busy.', { 'retry-after': seconds });
    let asked = 0;
    const { to } = await agentFor(400_000, ({ path }) => {
      if (path !== 'lease') return { now: Date.now() };
      asked++;
      return asked === 1 ? busy('20') : asked === 2 ? busy('300') : NOTHING;
    });
    expect(
      to('lease')
        .map(({ at }) => at / 1000)
        .slice(0, 3),
    ).toEqual([0, 20, 320]);
  });

  test('names a clock that is wrong, and says nothing of one that is right', async () => {
    const withClock = (aheadMs: number) =>
      agentFor(20_000, ({ path }) => (path === 'lease' ? NOTHING : { now: Date.now() - aheadMs }));
    const [ahead] = (await withClock(10 * 60_000)).troubles;
    expect(ahead).toContain("This machine's clock is 10 minutes ahead of the service's. Set it");
    expect((await withClock(-61_000)).troubles[0]).toContain("clock is 1 minute behind the service's.");
    expect((await withClock(50_000)).troubles).toEqual([]);
  });

  test('whose service is in trouble asks at last every half a minute', async () => {
    const { to, troubles } = await agentFor(200_000, ({ path }) =>
      path === 'lease' ? refusal(400, 'No.') : { now: Date.now() },
    );
    const asked = to('lease').map(({ at }) => at);
    expect(
      asked
        .slice(1)
        .map((at, index) => at - (asked[index] ?? 0))
        .slice(0, 8),
    ).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000));
    expect(new Set(troubles)).toEqual(new Set(['No.']));
    // What is wrong is told with its heartbeats.
    expect(
      to('heartbeat')
        .map(({ body }) => body.error)
        .slice(0, 2),
    ).toEqual([null, 'No.']);
  });

  test('works at its pace, counts what it has done, and takes its scan for the whole of an item', async () => {
    const task = { lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'cod', kingdom_id: 101, from_rank: 1 };
    const tasks = [1, 2].map((subtask_id) => ({ ...task, subtask_id, to_rank: 1, full_profile: true }));
    let scans = 0;
    const scan = async () => {
      scans++;
      return { captured_at: 5, source: 's', rows: [{ lord_id: 1, power: 5 }] };
    };
    let given = false;
    const { to } = await agentFor(
      16_000,
      (call) => {
        if (call.path === 'lease' && !given) {
          given = true;
          return { ...NOTHING, tasks };
        }
        return call.path === 'rows' ? { results: [], tasks: [] } : idle(call);
      },
      { source: { scan } },
    );
    expect(to('rows').map(({ at, body }) => [at, body.next])).toEqual([[800, { games: ['rok', 'cod'], count: 2 }]]);
    expect(scans).toBe(1);
    expect(to('heartbeat')[1]?.body).toMatchObject({
      account_game: 'cod',
      kingdom_id: 101,
      tasking_count: 2,
      tasking_count_failed: 0,
      error: null,
    });
    // A short answer: it asks for one again.
    expect(to('lease')[1]?.body).toMatchObject({ count: 1 });
  });

  test('tells what it read of its folder at the start, and again only once that has changed', async () => {
    let files = [{ path: 'a', problems: [] }] as unknown as FileReport[];
    let refuse = true;
    const { to, troubles } = await agentFor(
      75_000,
      (call) => {
        if (call.path !== 'files') return idle(call);
        if (call.at === 45_000) files = [...files, ...files];
        if (!refuse) return {};
        refuse = false;
        return refusal(400, 'Not now.');
      },
      {
        source: {
          reports: () => (clock.state.now >= 45_000 ? [...files, { path: 'b', problems: [] } as never] : files),
        },
        name: 'x',
      },
    );
    expect(to('files').map(({ at, body }) => [at, body.bot_id, (body.files as unknown[]).length])).toEqual([
      [0, 'x-1', 1],
      [15_000, 'x-1', 1],
      [45_000, 'x-1', 2],
      [60_000, 'x-1', 3],
    ]);
    expect(troubles).toEqual(['Not now.']);
  });

  test('tells of no more files than are taken, and less of each where they say too much together', async () => {
    const problem = { line: 1, column: null, reason: 'x'.repeat(480), dropped: true };
    const reports = (problems: number, count = MAX_REPORTED_FILES + 1) =>
      Array.from({ length: count }, (_, index) => ({
        path: String(index),
        problems: Array(problems).fill(problem),
      })) as unknown as FileReport[];
    const told = async (files: FileReport[]) => {
      const { to } = await agentFor(0, idle, { source: { reports: () => files } });
      return to('files')[0]?.body.files as FileReport[];
    };
    const few = await told(reports(1, 2));
    expect(few.map(({ problems }) => problems.length)).toEqual([1, 1]);
    const many = await told(reports(MAX_REPORTED_PROBLEMS));
    expect(many).toHaveLength(MAX_REPORTED_FILES);
    expect(JSON.stringify(many).length).toBeLessThanOrEqual(500_000);
    const kept = many[0]?.problems.length ?? 0;
    // One halving less would not have fitted.
    expect(kept).toBeGreaterThan(0);
    expect(JSON.stringify(reports(kept * 2, MAX_REPORTED_FILES)).length).toBeGreaterThan(500_000);
  });

  test('whose token is refused stops with all its bots, and says so', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { to, outcome } = await agentFor(
      60_000,
      ({ at }) => (at < 2000 ? { ...NOTHING, now: Date.now() } : refusal(401, 'Unknown.')),
      {
        bots: 2,
      },
    );
    expect(outcome).toBeInstanceOf(TokenRefused);
    expect((outcome as unknown as Error).message).toContain('http://muster.test knows no bot group with this token');
    expect(Math.max(...to('lease').map(({ at }) => at))).toBe(3000);
    expect(to('heartbeat')).toHaveLength(2);
  });
});

test('a stopping agent tries for three seconds to hand in what it holds', async () => {
  const task = { subtask_id: 1, lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'rok', kingdom_id: 1 };
  const stop = new AbortController();
  const cut: number[] = [];
  const { fetch, to } = service(({ path, init }) => {
    if (path === 'lease') return { ...NOTHING, tasks: [{ ...task, from_rank: 1, to_rank: 1, full_profile: true }] };
    if (path !== 'rows') return { now: Date.now() };
    stop.abort();
    return new Promise((_, refuse) =>
      init.signal?.addEventListener('abort', () => {
        cut.push(clock.state.now);
        refuse(new Error('cut'));
      }),
    );
  });
  const scan = async () => ({ captured_at: 5, source: 's', rows: [{ governor_id: 1 }] });
  const source = { ...SOURCE, scan };
  const trouble = { tell: () => undefined, over: () => undefined };
  const running = runAgent(
    { url: 'http://muster.test', token: 't', bots: 1, paceMs: 0, fetch, source, trouble },
    stop.signal,
  );
  await pass(10_000);
  await running;
  expect(to('rows')).toHaveLength(1);
  expect(cut).toEqual([3000]);
});
