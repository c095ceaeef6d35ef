import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * What others notice, asked for from a thread of its own, which making up calls does not hold up: how long /v1/health
 * and a signed-in user's orders take, and how late this thread itself is woken, which is the machine's doing.
 */

export interface Noticed {
  health: number;
  orders: number;
  lag: number;
}

export interface Watched {
  address: string;
  headers: Record<string, string>;
}

const EVERY_MS = 100;
const LONGEST_MS = 60_000;

async function timed(address: string, headers: Record<string, string>): Promise<number> {
  const start = performance.now();
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(LONGEST_MS) }).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok ? performance.now() - start : LONGEST_MS;
}

if (parentPort) {
  const { address, headers } = workerData as Watched;
  for (;;) {
    const health = await timed(`${address}/v1/health`, {});
    const orders = await timed(`${address}/v1/orders/`, headers);
    const start = performance.now();
    await sleep(EVERY_MS);
    const noticed: Noticed = { health, orders, lag: performance.now() - start - EVERY_MS };
    parentPort.postMessage(noticed);
  }
}
