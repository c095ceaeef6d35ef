import { setTimeout as sleep } from 'node:timers/promises';
import { open, type Service } from './hand-in/service.ts';
import { type Isolate, watchIsolate } from './isolate.ts';
import { forgetPeak, peak, processorTime, resident } from './memory.ts';
import { type Bar, mebibytes, milliseconds, printTable } from './report.ts';

/** Measures heavy routes of the service as a user calls them, in isolates with limited heaps. */

const PORT = 9340;
const INSPECTOR_PORT = PORT + 2;

/** Heap limit in MB. An isolate has 128 MB, including memory outside V8's heap. */
export const HEAP_MB = 96;
/** Memory limit of the service's isolate, in its heap and outside, in bytes. */
const MOST_HELD = 128 * 2 ** 20;

/** The service with its isolate observed. */
export interface Watched extends Service {
  isolate: Isolate;
}

/** Runs the service with each isolate's heap limited to `mb` (above it the process ends); no limit if null. */
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

/** Calls the API. Buffers are sent unchanged, other bodies as JSON. */
export type Call = (method: string, path: string, body?: unknown, any?: boolean) => Promise<Response>;

/** Signs in a user of the benchmark: one who can pay for everything, or one with nothing. */
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
      // File downloads need an accept header that allows them.
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
  /** Memory of the process above idle, including the simulators of D1 and R2 with their garbage. */
  memory: number;
  /** Peak memory of the service's isolate. */
  isolate: number;
}

/** Measures a call including its whole answer. The process may be new or have answered others. */
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

/** Prints a table of measurements under a title. */
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

/** Returns a bar for each measurement: the platform's memory limit of an isolate. */
export const heldBars = (all: readonly Measured[]): Bar[] =>
  all.map(({ what, isolate }) => ({
    what: `MiB held by the isolate, ${what}`,
    reached: isolate / 2 ** 20,
    wanted: MOST_HELD / 2 ** 20,
    below: true,
  }));
