import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { processorTime } from '../memory.ts';

/** A thread that asks `/v1/health` all the time, so that making and sending files in the main thread delays no call. */

/** A call of the bystander; times are epoch milliseconds. */
export interface Wait {
  from: number;
  ms: number;
  /** False for any answer but 2xx. */
  ok: boolean;
  /** Processor time that the service used meanwhile, in ms. */
  processor: number;
}

export interface Watched {
  address: string;
  /** The service's process. */
  pid: number;
}

const EVERY_MS = 50;

async function ask({ address, pid }: Watched): Promise<Wait> {
  const [from, start, used] = [Date.now(), performance.now(), processorTime(pid)];
  const answer = await fetch(address).catch(() => null);
  await answer?.arrayBuffer();
  const ms = performance.now() - start;
  return { from, ms, ok: answer?.ok ?? false, processor: processorTime(pid) - used };
}

if (parentPort)
  for (;;) {
    const [next] = await Promise.all([ask(workerData as Watched), sleep(EVERY_MS)]);
    parentPort.postMessage(next);
  }
