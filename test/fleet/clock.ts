/** A clock that moves only when everybody waits, and a service that answers as a test says. */

const state = { now: 0, sleepers: [] as { until: number; wake: () => void }[] };

export const clock = {
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
  reset() {
    state.now = 0;
    state.sleepers = [];
    clock.waits.length = 0;
  },
};

/** Wakes all timers due by then, in order. */
export async function pass(ms: number): Promise<void> {
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

export interface Call {
  at: number;
  path: string;
  url: string;
  body: Record<string, unknown>;
  init: RequestInit;
}

/** A service that records its calls and returns what `answer` returns: data, a response, or an error. */
export function service(answer: (call: Call, index: number) => unknown) {
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

export const refusal = (status: number, msg?: string, headers: Record<string, string> = {}): Response =>
  msg === undefined
    ? new Response('<html>', { status, headers })
    : Response.json({ success: 0, msg }, { status, headers });

/** The answer to a lease while there is no work. */
export const NOTHING = { tasks: [], ask_again_ms: 120_000 };

/** The answer to a heartbeat. */
export const HEARD = () => ({ now: Date.now(), lease_seconds: 300 });
