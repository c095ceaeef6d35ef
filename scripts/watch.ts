import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './settings.ts';

/** Restarts a service that does not answer. Miniflare itself restarts a workerd that crashed. */

/** A running service. */
interface Watched {
  address: string;
  close(): Promise<void>;
}

/** Times of a watch, in ms. */
interface Pace {
  /** Between two checks. */
  everyMs: number;
  /** How long one check waits for its answer. */
  answerMs: number;
  /** How long a service may be silent before it is restarted. */
  patienceMs: number;
}

/** A minute: a busy machine can take half of one to answer. */
const PACE: Pace = { everyMs: 5000, answerMs: 10_000, patienceMs: 60_000 };

async function answers(address: string, withinMs: number): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/v1/health`, { signal: AbortSignal.timeout(withinMs) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Resolves once the service is ready. Throws if it is not ready in time. */
export async function untilHealthy(address: string, withinMs: number, answerMs = PACE.answerMs): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await answers(address, answerMs))) {
    if (Date.now() > until) throw new Problem('The service does not answer.');
    await sleep(100);
  }
}

/** Restarts a silent service, repeatedly if needed. */
export async function watch<Runtime extends Watched>(
  first: Runtime,
  restart: () => Promise<Runtime>,
  { everyMs, answerMs, patienceMs }: Pace = PACE,
): Promise<never> {
  for (let runtime = first; ; ) {
    await sleep(everyMs);
    try {
      await untilHealthy(runtime.address, patienceMs, answerMs);
    } catch {
      console.error(`The service has not answered for ${patienceMs / 1000} seconds. It is started again.`);
      await runtime.close();
      runtime = await restart();
    }
  }
}
