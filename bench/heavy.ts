import { setTimeout as sleep } from 'node:timers/promises';
import { open, type Service } from './hand-in/bench.ts';
import { type Isolate, watchIsolate } from './isolate.ts';
import { forgetPeak, peak, processorTime, resident } from './memory.ts';
import { type Bar, mebibytes, milliseconds, printTable } from './report.ts';

/** Heavy routes of the service as a user meets them, in isolates whose heaps are held. */

const PORT = 9340;
const INSPECTOR_PORT = PORT + 2;

/** An isolate has 128 MB, with what it holds outside V8's heap. */
export const HEAP_MB = 96;
/** What the service's isolate may hold, in its heap and beside it. */
const MOST_HELD = 128 * 2 ** 20;

/** The service with a watch on its isolate. */
export interface Watched extends Service {
  isolate: Isolate;
}

/** Serves with every isolate's heap held to so many MB (a larger one ends the process); null leaves V8 its own way. */
export async function inHeap(
  mb: number | null,
  state: string,
  use: (service: Watched) => Promise<void>,
): Promise<void> {
  if (mb === null) delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
  else process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${mb} --max-semi-space-size=4`;
  const service = await open(state, PORT, 'hand-in', INSPECTOR_PORT);
  const isolate = await watchIsolate(INSPECTOR_PORT, service.name);
  try {
    await use({ ...service, isolate });
  } finally {
    isolate.close();
    await service.close();
  }
}

/** A body is sent as JSON, or as it is where it is a file. */
export type Call = (method: string, path: string, body?: unknown, any?: boolean) => Promise<Response>;

/** A user of the benchmark, signed in: one who can pay for everything, or one with nothing. */
export async function signIn({ url }: Service, username = 'bench'): Promise<Call> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const credentials = { username, password: 'a password of some length' };
  const answer = await fetch(`${url}/v1/login`, { method: 'POST', headers, body: JSON.stringify(credentials) });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (method, path, body, any = false) => {
    const response = await fetch(`${url}${path}`, {
      method,
      // Files come to whoever takes anything.
      headers: { ...headers, cookie, ...(path.includes('/download?') ? { accept: '*/*' } : {}) },
      ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    if (!(response.ok || any)) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
}

export interface Measured {
  what: string;
  ms: number;
  processor: number;
  bytes: number;
  /** What the process took above idle, the simulators of D1 and R2 with what they let lie included. */
  memory: number;
  /** What the service's isolate held. */
  isolate: number;
}

/** Reads an answer to its end, in the fresh process or in one that has answered others. */
export async function measured(
  { pid, isolate }: Watched,
  what: string,
  ask: () => Promise<Response>,
): Promise<Measured> {
  await sleep(500);
  const [idle, used, start] = [resident(pid), processorTime(pid), performance.now()];
  forgetPeak(pid);
  isolate.most();
  let bytes = 0;
  for await (const chunk of (await ask()).body ?? []) bytes += chunk.length;
  return {
    what,
    ms: performance.now() - start,
    bytes,
    processor: processorTime(pid) - used,
    memory: peak(pid) - idle,
    isolate: isolate.most(),
  };
}

/** A table of what was measured, named by what it is of. */
export const print = (of: string, all: readonly Measured[]): void =>
  printTable(
    all.map(({ what, ms, processor, bytes, memory, isolate }) => ({
      [of]: what,
      time: milliseconds(ms),
      processor: milliseconds(processor),
      answer: mebibytes(bytes),
      isolate: mebibytes(isolate),
      'process above idle': mebibytes(memory),
    })),
  );

/** The bar of each: what the platform gives an isolate. */
export const heldBars = (all: readonly Measured[]): Bar[] =>
  all.map(({ what, isolate }) => ({
    what: `MiB held by the isolate, ${what}`,
    reached: isolate / 2 ** 20,
    wanted: MOST_HELD / 2 ** 20,
    below: true,
  }));
