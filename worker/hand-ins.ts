import { Refusal } from './errors.ts';

/** Under load, storing scanned rows goes before leasing new work, because rows that wait too long are scanned again. */

/** Concurrent hand-ins in this isolate above which no work is leased. */
export const MOST_AT_ONCE = 16;
/** A request that was cut off never reports its end. */
const STALE_MS = 30_000;
const SOON = { 'retry-after': '2' };

const underWay = new Map<symbol, number>();

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

/** Refuses to lease work while many hand-ins are under way. @throws Refusal unavailable. */
export function letHandInsPass(): void {
  for (const [one, begun] of underWay) if (begun <= Date.now() - STALE_MS) underWay.delete(one);
  if (underWay.size <= MOST_AT_ONCE) return;
  const why = 'Rows of other bots are taken in first. Ask for work again in a moment.';
  throw new Refusal('unavailable', why, undefined, SOON);
}
