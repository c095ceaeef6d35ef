import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { queuedTime } from '../../bench/memory.ts';

/**
 * What others notice, asked for from a thread of its own, which making up calls does not hold up: how long /v1/health
 * and a signed-in user's orders take, and what is the machine's doing: how late this thread itself is woken, and how long
 * the disk takes to keep a few bytes.
 */

export interface Noticed {
  health: number;
  orders: number;
  lag: number;
  /** How long the service waited for a processor during the call of /v1/health. */
  queued: number;
  disk: number;
}

export interface Watched {
  address: string;
  headers: Record<string, string>;
  /** The service's process. */
  pid: number;
  /** A file that may be written. */
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

/** How long the disk takes to keep a few bytes, in milliseconds. */
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
