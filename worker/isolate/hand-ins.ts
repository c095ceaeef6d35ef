/** Under load, storing scanned rows goes before leasing new work, because rows that wait too long are scanned again. */

/** Concurrent hand-ins in this isolate above which no work is leased. As many keep the database busy. */
export const MOST_AT_ONCE = 8;
/** A request that was cut off never reports its end. Longer than bots wait for an answer. */
const STALE_MS = 100_000;
/** Refused bots return one at a time, this far apart, because answering all of them at once is load too. */
const APART_MS = 250;
const SOONEST_MS = 2000;
const LATEST_MS = 60_000;

const underWay = new Map<symbol, number>();
let lastReturn = 0;

/** Runs `work` and counts it as a hand-in under way. */
export async function handingIn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const one = Symbol('hand-in');
  underWay.set(one, Date.now());
  try {
    return await work();
  } finally {
    underWay.delete(one);
  }
}

/** Returns how long a bot waits before it asks for work again, in seconds: 0 unless too many hand-ins are under way. */
export function secondsOfHandIns(now = Date.now()): number {
  for (const [one, begun] of underWay) if (begun <= now - STALE_MS) underWay.delete(one);
  if (underWay.size <= MOST_AT_ONCE) return 0;
  lastReturn = Math.min(now + LATEST_MS, Math.max(now + SOONEST_MS, lastReturn + APART_MS));
  return Math.ceil((lastReturn - now) / 1000);
}
