import { streamOf } from '../../files/stream-of.ts';
import { Semaphore, type Slot } from '../../isolate/semaphore.ts';

/** Comparisons with more rows are large: one is in memory at a time, the others queue. */
const LARGE_ROWS = 50_000;
const large = new Semaphore(1, 10_000);

const FREE: Slot = { touch: () => {}, release: () => {} };

/** Returns a semaphore slot for a comparison of this many rows. The caller releases it when the answer is sent. */
export const slotFor = async (rows: number): Promise<Slot> => (rows > LARGE_ROWS ? large.acquire() : FREE);

/** Runs a part of a comparison. Releases the slot if it fails. */
export async function inSlot<Made>(slot: Slot, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    slot.release();
    throw error;
  }
}

/** Returns the same response, which releases the slot when it is sent or the client disconnects. */
export function untilSent(response: Response, slot: Slot): Response {
  if (slot === FREE || !response.body) {
    slot.release();
    return response;
  }
  return new Response(streamOf(response.body, slot), response);
}
