import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { LONGEST_IDLE_MS } from '../../domain/fleet/idle.ts';
import type { FileReport } from '../../domain/scans/file-report.ts';
import { MAX_REPORTED_FILES, MAX_REPORTED_PROBLEMS } from '../../domain/scans/file-report.ts';
import type { Source } from '../../fleet/sources/source.ts';
import type { Call } from './clock.ts';

/** How long the agent waits, and for what. */

vi.mock('node:timers/promises', async () => ({ setTimeout: (await import('./clock.ts')).clock.sleep }));
vi.mock('node:timers', async () => ({ setTimeout: (await import('./clock.ts')).clock.later }));

// Other files of this run may have read the agent with the real clock already, and are to have it again afterwards.
vi.resetModules();
const { clock, HEARD, NOTHING, pass, refusal, service } = await import('./clock.ts');
const { POLL_MS, runAgent, TokenRefused } = await import('../../fleet/run-agent.ts');
afterAll(() => vi.resetModules());

beforeEach(() => {
  vi.restoreAllMocks();
  clock.reset();
});

const SOURCE: Source = {
  name: 's',
  describe: () => 's',
  canScan: async () => ({ rok: 'all', cod: 'all' }),
  scan: async () => ({ unknown: 'None.' }),
};

/** Runs an agent of `bots` for this long against the answers of `answer`. */
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

const idle = ({ path }: Call) => (path === 'lease' ? NOTHING : HEARD());

describe('an agent', () => {
  test('without work sends one heartbeat, and polls less and less often', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { to, troubles, outcome } = await agentFor(300_000, idle, { bots: 2, pollMs: 60_000 });
    const timesOf = (path: string, bot: string) =>
      to(path).flatMap(({ at, body }) => (body.bot_id === bot ? [at / 1000] : []));
    expect([timesOf('heartbeat', 'agent-1'), timesOf('heartbeat', 'agent-2')]).toEqual([[0], [0]]);
    // At last as seldom as its own setting says, though the service would wait for longer.
    expect(timesOf('lease', 'agent-1')).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(to('files')).toEqual([]);
    expect([troubles, outcome]).toEqual([[], undefined]);
  });

  test('without work makes 17 calls an hour, which cost less than 0.02 USD a month', async () => {
    const hour = 3_600_000;
    // On average the wait before a call is an eighth shorter than the longest.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const quiet = ({ path }: Call) => (path === 'lease' ? { tasks: [], ask_again_ms: LONGEST_IDLE_MS } : HEARD());
    const { calls } = await agentFor(2 * hour, quiet, { pollMs: POLL_MS });
    const anHour = calls.filter(({ at }) => at >= hour).length;
    expect(anHour).toBe(17);
    // One row each (test/worker/fleet-waits.test.ts). Prices as in docs/costs.md, in USD a million.
    const month = anHour * 24 * 30.4;
    expect((month * (0.3 + 1)) / 1e6).toBeLessThan(0.02);
  });

  test('polls as often as the service says, and often again after work', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const task = { subtask_id: 1, lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'rok', kingdom_id: 1 };
    const tasks = [{ ...task, from_rank: 1, to_rank: 1, full_profile: true }];
    const { to } = await agentFor(40_000, (call) => {
      if (call.path === 'lease') return { tasks: call.at === 21_000 ? tasks : [], ask_again_ms: 5000 };
      return call.path === 'rows' ? { results: [], tasks: [] } : HEARD();
    });
    expect(to('lease').map(({ at }) => at / 1000)).toEqual([0, 1, 3, 7, 12, 17, 22, 27, 32, 37]);
  });

  test('leases nothing until the time that a busy service names, then as much as before', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const task = { subtask_id: 1, lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'rok', kingdom_id: 1 };
    const tasks = [{ ...task, from_rank: 1, to_rank: 1, full_profile: true }];
    const scan = async () => ({ captured_at: 5, source: 's', rows: [{ governor_id: 1, power: 5 }] });
    const { to } = await agentFor(
      9000,
      ({ path, at }) => {
        if (path === 'lease') return { tasks: at === 0 ? tasks : [], ask_again_ms: 60_000 };
        return path === 'rows' ? { results: [], tasks: [], ask_again_ms: 7000 } : HEARD();
      },
      { source: { scan } },
    );
    expect(to('rows')).toMatchObject([{ at: 400, body: { next: { count: 2 } } }]);
    expect(to('lease').map(({ at, body }) => [at, body.count])).toEqual([
      [0, 1],
      [7400, 2],
      [8150, 1],
    ]);
  });

  test.each([
    // The bot has work from that call. It hands it in before it asks for more.
    [1, [400, 40_800], [0, 40_800]],
    [0, [400], [0, 71_150]],
  ])('waits for a service that takes rows slowly, with %i tasks in hand', async (more, rows, leases) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.spyOn(performance, 'now').mockImplementation(() => clock.state.now);
    const task = { subtask_id: 1, lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'rok', kingdom_id: 1 };
    const tasks = [{ ...task, from_rank: 1, to_rank: 1, full_profile: true }];
    const scan = async () => ({ captured_at: 5, source: 's', rows: [{ governor_id: 1, power: 5 }] });
    const { to } = await agentFor(
      75_000,
      async ({ path, at }) => {
        if (path === 'lease') return { tasks: at === 0 ? tasks : [], ask_again_ms: 60_000 };
        if (path !== 'rows') return HEARD();
        const isFirst = at === 400;
        if (isFirst) await clock.sleep(40_000, null);
        return { results: [], tasks: isFirst ? tasks.slice(0, more) : [] };
      },
      { source: { scan } },
    );
    expect(to('rows').map(({ at }) => at)).toEqual(rows);
    expect(to('rows').map(({ body }) => body.next !== undefined)).toEqual([true, false].slice(0, rows.length));
    expect(
      to('lease')
        .map(({ at }) => at)
        .slice(0, 2),
    ).toEqual(leases);
  });

  test('waits for as long as an overloaded service asks, also past a minute', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const busy = (seconds: string) => refusal(503, 'Busy.', { 'retry-after': seconds });
    let asked = 0;
    const { to } = await agentFor(400_000, ({ path }) => {
      if (path !== 'lease') return HEARD();
      asked++;
      return asked === 1 ? busy('20') : asked === 2 ? busy('300') : NOTHING;
    });
    expect(
      to('lease')
        .map(({ at }) => at / 1000)
        .slice(0, 3),
    ).toEqual([0, 20, 320]);
  });

  test('reports a wrong clock, and nothing for a right one', async () => {
    const withClock = (aheadMs: number) =>
      agentFor(20_000, ({ path }) => (path === 'lease' ? NOTHING : { ...HEARD(), now: Date.now() - aheadMs }));
    const [ahead] = (await withClock(10 * 60_000)).troubles;
    expect(ahead).toContain("This machine's clock is 10 minutes ahead of the service's. Set it");
    expect((await withClock(-61_000)).troubles[0]).toContain("clock is 1 minute behind the service's.");
    expect((await withClock(50_000)).troubles).toEqual([]);
  });

  test('polls a failing service every half a minute at most', async () => {
    const { to, troubles } = await agentFor(200_000, ({ path }) => (path === 'lease' ? refusal(400, 'No.') : HEARD()));
    const asked = to('lease').map(({ at }) => at);
    expect(
      asked
        .slice(1)
        .map((at, index) => at - (asked[index] ?? 0))
        .slice(0, 8),
    ).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000));
    expect(new Set(troubles)).toEqual(new Set(['No.']));
    // Its heartbeats report what is wrong.
    expect(
      to('heartbeat')
        .map(({ body }) => body.error)
        .slice(0, 2),
    ).toEqual([null, 'No.']);
  });

  test('works at its pace, counts its work, and uses one scan for a whole item', async () => {
    const task = { lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'cod', kingdom_id: 101, from_rank: 1 };
    const tasks = [1, 2].map((subtask_id) => ({ ...task, subtask_id, to_rank: 1, full_profile: true }));
    let scans = 0;
    const scan = async () => {
      scans++;
      return { captured_at: 5, source: 's', rows: [{ lord_id: 1, power: 5 }] };
    };
    let given = false;
    const { to } = await agentFor(
      62_000,
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
    // After a short answer it asks for one again.
    expect(to('lease')[1]?.body).toMatchObject({ count: 1 });
  });

  test('reports its folder’s files at the start, and again only after a change', async () => {
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

  test('reports files up to the limit, with fewer details if they are too long together', async () => {
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

  test('stops with all its bots if its token is refused, and says so', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { to, outcome } = await agentFor(
      60_000,
      ({ at }) => (at < 2000 ? { ...NOTHING, ...HEARD() } : refusal(401, 'Unknown.')),
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

test('that is stopped tries for three seconds to hand in its rows', async () => {
  const task = { subtask_id: 1, lease: 'l', lease_until: 0, order_id: 1, item_id: 'i', game: 'rok', kingdom_id: 1 };
  const stop = new AbortController();
  const cut: number[] = [];
  const { fetch, to } = service(({ path, init }) => {
    if (path === 'lease') return { ...NOTHING, tasks: [{ ...task, from_rank: 1, to_rank: 1, full_profile: true }] };
    if (path !== 'rows') return HEARD();
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
