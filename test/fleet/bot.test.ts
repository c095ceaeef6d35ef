import { describe, expect, test, vi } from 'vitest';
import { MAX_PREPARING_MINUTES, MAX_SUBTASKS_PER_LEASE, type Task } from '../../domain/fleet/contract.ts';
import { runBot } from '../../fleet/bot.ts';
import { CallError, type FleetClient } from '../../fleet/client.ts';
import type { Scan } from '../../fleet/sources/source.ts';

/** One bot against a service with scripted answers: refusals, errors and the end. */

const AT = Date.UTC(2026, 2, 1);
const task = (subtask_id: number, more: Partial<Task> = {}): Task => ({
  subtask_id,
  lease: `lease-${subtask_id}`,
  lease_until: AT,
  order_id: 1,
  item_id: 'item',
  game: 'rok',
  kingdom_id: 1001,
  from_rank: 1,
  to_rank: 1,
  full_profile: true,
  ...more,
});
const scan: Scan = { captured_at: AT, source: 's', rows: [{ governor_id: 1, power: 5 }] };
const refusal = (message = 'No such lease.', status = 409) => new CallError(status, message);

/** The service's answers, as each test sets them. */
interface Answers extends Omit<FleetClient, 'heartbeat' | 'lease'> {
  heartbeat(body: Body<'heartbeat'>): Promise<void>;
  lease(body: Body<'lease'>): Promise<Task[]>;
}

type Body<Name extends keyof FleetClient> = Parameters<FleetClient[Name]>[0];

/** Runs a bot against these answers until `done` holds; answers every call that it made and the troubles it told. */
async function botUntil(
  done: (calls: Calls) => boolean,
  answers: Partial<Answers>,
  scans = async (
    _: Pick<Task, 'item_id' | 'game' | 'kingdom_id'>,
  ): Promise<Scan | { unknown: string } | { preparing: number }> => scan,
  pollMs = 5,
): Promise<Calls> {
  const calls: Calls = {
    heartbeat: [],
    lease: [],
    leasedAt: [],
    handIn: [],
    fail: [],
    prepare: [],
    troubles: [],
    over: 0,
    refused: 0,
  };
  const stop = new AbortController();
  const client: FleetClient = {
    async heartbeat(body) {
      calls.heartbeat.push(body);
      await answers.heartbeat?.(body);
      return { now: Date.now(), lease_seconds: 10 };
    },
    async lease(body) {
      calls.lease.push(body);
      calls.leasedAt.push(performance.now());
      return { tasks: (await answers.lease?.(body)) ?? [], ask_again_ms: 60_000 };
    },
    async handIn(body) {
      calls.handIn.push(body);
      return (await answers.handIn?.(body)) ?? { results: [], tasks: [] };
    },
    async tellFiles() {},
    async fail(body) {
      calls.fail.push(body);
      await answers.fail?.(body);
    },
    async prepare(body) {
      calls.prepare.push(body);
      await answers.prepare?.(body);
    },
  };
  const trouble = { tell: (text: string) => calls.troubles.push(text), over: () => calls.over++ };
  const refused = () => {
    calls.refused++;
    stop.abort();
  };
  const about = { number: 2, name: 'bot', client, scans, paceMs: 0, pollMs, trouble, refused };
  const canScan = async () => ({ rok: 'all' as const });
  const running = runBot({ ...about, canScan, onClock: () => undefined }, stop.signal);
  try {
    await vi.waitFor(() => expect(done(calls)).toBe(true), { timeout: 20_000, interval: 2 });
  } finally {
    stop.abort();
    await running;
  }
  return calls;
}

interface Calls {
  heartbeat: Body<'heartbeat'>[];
  lease: Body<'lease'>[];
  leasedAt: number[];
  handIn: Body<'handIn'>[];
  fail: Body<'fail'>[];
  prepare: Body<'prepare'>[];
  troubles: string[];
  over: number;
  refused: number;
}

/** Answers the first with the first, and so on; then with nothing. */
const inTurn = (...answers: (Task[] | Error)[]) => {
  let turn = 0;
  return async (): Promise<Task[]> => {
    const answer = answers[turn++] ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  };
};
const idsOf = (body: Body<'handIn'> | undefined) => body?.results.map(({ subtask_id }) => subtask_id);

describe('a bot', () => {
  test('leases one more after each full answer, up to five, and one after a short answer', async () => {
    let next = 1;
    const full = (count: number) => Array.from({ length: count }, () => task(next++));
    const { handIn, lease } = await botUntil((calls) => calls.lease.length >= 2, {
      lease: inTurn([task(0)]),
      handIn: async (body) => {
        if (idsOf(body)?.includes(99)) return { results: [], tasks: [] };
        return { results: [], tasks: next > 20 ? [task(99)] : full(body.next?.count ?? 0) };
      },
    });
    const wished = handIn.map(({ next: wish }) => wish?.count);
    expect(wished.slice(0, 6)).toEqual([
      2,
      3,
      4,
      MAX_SUBTASKS_PER_LEASE,
      MAX_SUBTASKS_PER_LEASE,
      MAX_SUBTASKS_PER_LEASE,
    ]);
    const short = handIn.findIndex((body) => idsOf(body)?.[0] === 99);
    expect(wished[short]).toBe(1);
    for (const index of [0, 1]) expect(lease[index]).toMatchObject({ bot_id: 'bot-2', count: 1 });
  }, 30_000);

  test('works in the order of subtask numbers and reports its state', async () => {
    const seen: number[] = [];
    const { heartbeat, handIn, over } = await botUntil(
      (calls) => calls.handIn.length >= 1,
      { lease: inTurn([task(3), task(1, { kingdom_id: 1002 }), task(2)]) },
      async ({ kingdom_id }) => {
        seen.push(kingdom_id);
        return scan;
      },
    );
    expect(idsOf(handIn[0])).toEqual([1, 2, 3]);
    expect(seen).toEqual([1002, 1001, 1001]);
    expect(over).toBeGreaterThan(0);
    expect(heartbeat[0]).toEqual({
      bot_id: 'bot-2',
      account_game: 'cod',
      kingdom_id: null,
      governor_id: 990_000_002,
      packets_count: 1,
      tasking_count: 0,
      tasking_count_failed: 0,
      error: null,
      kingdoms: { rok: 'all' },
      working_on: [],
    });
  });

  test('extends only the leases that it works on, before they expire', async () => {
    const read = new Promise<Scan>((resolve) => setTimeout(resolve, 8000, scan));
    const { heartbeat } = await botUntil(
      ({ handIn }) => handIn.length > 0,
      { lease: inTurn([task(7)]) },
      () => read,
    );
    const named = heartbeat.map(({ working_on }) => working_on?.map(({ subtask_id }) => subtask_id));
    expect(named.slice(0, 2)).toEqual([[], [7]]);
  });

  test('leases nothing until the service knows its kingdoms', async () => {
    let beats = 0;
    const { lease, heartbeat } = await botUntil((calls) => calls.lease.length > 0, {
      heartbeat: async () => {
        if (++beats === 1) throw new CallError(503, 'Not now.');
      },
    });
    expect(heartbeat).toHaveLength(2);
    expect(lease[0]?.bot_id).toBe('bot-2');
  });

  test('hands in refused rows again one by one, and gives back those still refused', async () => {
    const { handIn, fail, troubles } = await botUntil((calls) => calls.fail.length >= 1, {
      lease: inTurn([task(1), task(2), task(3)]),
      handIn: async (body) => {
        if (idsOf(body)?.includes(2)) throw refusal(`Power is no number. ${'x'.repeat(600)}`, 422);
        return { results: [], tasks: [] };
      },
    });
    expect(handIn.map(idsOf)).toEqual([[1, 2, 3], [1], [2], [3]].slice(0, handIn.length));
    expect(handIn.slice(1).map(({ next }) => next)).toEqual(handIn.slice(1).map(() => undefined));
    expect(fail[0]).toMatchObject({ bot_id: 'bot-2', subtask_id: 2, lease: 'lease-2', permanent: false });
    expect(fail[0]?.reason).toMatch(/^The rows that were read were refused: Power is no number\. x+$/);
    expect(fail[0]?.reason).toHaveLength(300);
    expect(troubles[0]).toContain('rows refused: Power is no number.');
  });

  test('fails kingdoms that its source does not know, and ignores leases that another bot took', async () => {
    const { fail, troubles } = await botUntil(
      (calls) => calls.lease.length >= 2,
      {
        lease: inTurn([task(1), task(2)]),
        fail: async () => {
          throw refusal();
        },
      },
      async () => ({ unknown: 'Kingdom 1001 is not there.' }),
    );
    expect(fail).toEqual(
      [1, 2].map((id) => ({
        bot_id: 'bot-2',
        subtask_id: id,
        lease: `lease-${id}`,
        reason: 'Kingdom 1001 is not there.',
        permanent: true,
      })),
    );
    expect(troubles).toEqual([]);
  });

  test('postpones a kingdom in preparation as long as allowed, also if another bot took the lease', async () => {
    const minutes = [3, MAX_PREPARING_MINUTES + 1];
    const { prepare, handIn, troubles } = await botUntil(
      (calls) => calls.lease.length >= 2,
      {
        lease: inTurn([task(1), task(2), task(3)]),
        prepare: async () => {
          throw refusal();
        },
      },
      async () => (minutes.length > 0 ? { preparing: minutes.shift() as number } : scan),
    );
    expect(prepare).toEqual([
      { bot_id: 'bot-2', subtask_id: 1, lease: 'lease-1', minutes: 3 },
      { bot_id: 'bot-2', subtask_id: 2, lease: 'lease-2', minutes: MAX_PREPARING_MINUTES },
    ]);
    expect(handIn.map(idsOf)).toEqual([[3]]);
    expect(troubles).toEqual([]);
  });

  test('doubles its wait after each failure, reports it, and starts over after a success', async () => {
    const down = () => new CallError(503, 'The service answered 503 without a reason.');
    const { leasedAt, troubles } = await botUntil(
      (calls) => calls.lease.length >= 8,
      { lease: inTurn(down(), down(), down(), down(), [], down()) },
      undefined,
      20,
    );
    const waits = leasedAt.slice(1).map((at, index) => at - (leasedAt[index] as number));
    // A timer of a busy machine is late, but early only by its rounding. A wait without work is up to a quarter shorter.
    for (const [index, least] of [20, 40, 80, 160, 15, 20].entries())
      expect(waits[index]).toBeGreaterThanOrEqual(least - 2);
    expect(troubles).toEqual(Array(5).fill('The service answered 503 without a reason.'));
  });

  test('reports why its source failed in a bounded sentence, and polls again', async () => {
    const { troubles } = await botUntil(
      (calls) => calls.lease.length >= 2,
      { lease: inTurn([task(1)]) },
      async () => {
        throw new Error(`The folder is gone: ${'x'.repeat(900)}`);
      },
    );
    expect(troubles).toEqual([expect.stringMatching(/^The folder is gone: x+$/)]);
    expect(troubles[0]).toHaveLength(500);
  });

  test('hands in with as few calls as the limits allow, and does not wait while there is work', async () => {
    const many: Scan = { ...scan, rows: Array.from({ length: 200 }, (_, index) => ({ governor_id: index + 1 })) };
    const wide = { from_rank: 1, to_rank: 200 };
    const { handIn } = await botUntil(
      (calls) => calls.handIn.length >= 5,
      {
        lease: inTurn([1, 2, 3, 4, 5].map((id) => task(id, wide))),
        handIn: async ({ next }) => ({ results: [], tasks: next ? [task(6)] : [] }),
      },
      async () => many,
      60_000,
    );
    expect(handIn.map(idsOf).slice(0, 5)).toEqual([[1, 2], [3, 4], [5], [6], [6]]);
    expect(handIn.slice(0, 5).map(({ next }) => next !== undefined)).toEqual([false, false, true, true, true]);
  });

  test('makes one call at a time', async () => {
    let open = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, ++open);
      await new Promise((settle) => setTimeout(settle, 3));
      open--;
    };
    const work = inTurn([task(1), task(2), task(3), task(4)]);
    const seen = [{ preparing: 1 }, { unknown: 'Not there.' }, scan, scan];
    const { fail, handIn } = await botUntil(
      (calls) => calls.lease.length >= 2,
      {
        lease: async () => {
          await slow();
          return work();
        },
        prepare: slow,
        fail: slow,
        handIn: async () => {
          await slow();
          throw refusal('No.', 400);
        },
      },
      async () => {
        await slow();
        return seen.shift() ?? scan;
      },
    );
    expect(most).toBe(1);
    expect(handIn.map(idsOf)).toEqual([[3, 4], [3], [4]]);
    expect(fail.map(({ subtask_id }) => subtask_id)).toEqual([2, 3, 4]);
  });

  test('gives nothing back if a call gets no answer, and reports the reason', async () => {
    const down = new CallError(503, 'The service is down.');
    const handing = await botUntil((calls) => calls.lease.length >= 2, {
      lease: inTurn([task(1), task(2)]),
      handIn: async () => {
        throw down;
      },
    });
    expect(handing.handIn.map(idsOf)).toEqual([[1, 2]]);
    expect(handing.fail).toEqual([]);
    expect(handing.troubles).toEqual(['The service is down.']);
    const failing = await botUntil(
      (calls) => calls.lease.length >= 2,
      {
        lease: inTurn([task(1), task(2)]),
        fail: async () => {
          throw down;
        },
      },
      async () => ({ unknown: 'Not there.' }),
    );
    expect(failing.fail).toHaveLength(1);
    expect(failing.troubles).toEqual(['The service is down.']);
    expect(failing.refused).toBe(0);
  });

  test('that stops hands in its rows, and leases nothing more', async () => {
    const stop = new AbortController();
    const handed: Body<'handIn'>[] = [];
    const leased = vi.fn(async () => ({ tasks: [task(1), task(2)], ask_again_ms: 1 }));
    const client = {
      heartbeat: async () => ({ now: Date.now(), lease_seconds: 300 }),
      lease: leased,
      handIn: async (body: Body<'handIn'>) => {
        handed.push(body);
        return { results: [], tasks: [task(9)] };
      },
    } as unknown as FleetClient;
    const scans = async () => {
      stop.abort();
      return scan;
    };
    const trouble = { tell: () => undefined, over: () => undefined };
    const about = { number: 1, name: 'bot', client, scans, paceMs: 0, pollMs: 5, trouble };
    const told = { canScan: async () => ({}), onClock: () => undefined, refused: () => undefined };
    await runBot({ ...about, ...told }, stop.signal);
    expect(handed.map(idsOf)).toEqual([[1, 2]]);
    expect(handed[0]?.next).toBeUndefined();
    expect(leased).toHaveBeenCalledTimes(1);
  });

  test('reports a refused token from any of its calls', async () => {
    const unknown = new CallError(401, 'No such token.');
    const beaten = await botUntil((calls) => calls.refused > 0, {
      heartbeat: async () => {
        throw unknown;
      },
    });
    expect(beaten.troubles).toEqual([]);
    const handing = await botUntil((calls) => calls.refused > 0, {
      lease: inTurn([task(1)]),
      handIn: async () => {
        throw unknown;
      },
    });
    expect(handing.handIn).toHaveLength(1);
    expect(handing.fail).toEqual([]);
  });
});
