import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { processorTime, queuedTime } from '../memory.ts';

/**
 * A thread that calls `/v1/health` continuously. It is separate from the main thread, whose work would delay the calls.
 */

/** One call; times are in epoch milliseconds. */
export interface Wait {
  from: number;
  /** Without the time that the service waited for a processor, which depends on the machine's other load. */
  ms: number;
  /** False unless the answer is 2xx. */
  ok: boolean;
  /** Processor time of the service during the call, in ms. */
  processor: number;
}

export interface Watched {
  address: string;
  /** The service's process. */
  pid: number;
}

const EVERY_MS = 50;

async function ask({ address, pid }: Watched): Promise<Wait> {
  const [from, start, used, queued] = [Date.now(), performance.now(), processorTime(pid), queuedTime(pid)];
  const answer = await fetch(address).catch(() => null);
  await answer?.arrayBuffer();
  const ms = performance.now() - start - (queuedTime(pid) - queued);
  return { from, ms, ok: answer?.ok ?? false, processor: processorTime(pid) - used };
}

if (parentPort)
  for (;;) {
    const [next] = await Promise.all([ask(workerData as Watched), sleep(EVERY_MS)]);
    parentPort.postMessage(next);
  }
