import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { queuedTime } from '../../bench/memory.ts';

/**
 * Measures what other users notice, from its own thread, which the making of calls does not delay: the time of
 * /v1/health and of a signed-in user's orders. Also measures the machine's part: how late this thread wakes, and how
 * long the disk takes to write a few bytes.
 */

export interface Noticed {
  health: number;
  orders: number;
  lag: number;
  /** Time that the service waited for a processor during the call of /v1/health. */
  queued: number;
  disk: number;
}

export interface Watched {
  address: string;
  headers: Record<string, string>;
  /** The service's process. */
  pid: number;
  /** Path of a writable file. */
  file: string;
}

const EVERY_MS = 100;
const LONGEST_MS = 60_000;

async function timed(address: string, headers: Record<string, string>): Promise<number> {
  const start = performance.now();
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(LONGEST_MS) }).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok ? performance.now() - start : LONGEST_MS;
}

/** Returns how long the disk takes to write a few bytes, in ms. */
async function kept(file: Awaited<ReturnType<typeof open>>): Promise<number> {
  const start = performance.now();
  await file.write('bytes', 0);
  await file.sync();
  return performance.now() - start;
}

if (parentPort) {
  const { address, headers, pid, file } = workerData as Watched;
  const handle = await open(file, 'w');
  for (;;) {
    const before = queuedTime(pid);
    const [health, disk] = await Promise.all([timed(`${address}/v1/health`, {}), kept(handle)]);
    const queued = queuedTime(pid) - before;
    const orders = await timed(`${address}/v1/orders/`, headers);
    const start = performance.now();
    await sleep(EVERY_MS);
    const noticed: Noticed = { health, orders, lag: performance.now() - start - EVERY_MS, queued, disk };
    parentPort.postMessage(noticed);
  }
}
