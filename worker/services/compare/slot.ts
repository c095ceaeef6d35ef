import { streamOf } from '../../files/stream-of.ts';
import { type Slot, takeMemory } from '../../isolate/memory.ts';

/** Comparisons with more rows than this wait for memory. */
const MEDIUM_ROWS = 20_000;
const LARGE_ROWS = 50_000;

const FREE: Slot = { release: () => {} };

/** Takes the memory of a comparison of this many rows. The caller releases it when the answer is sent. */
export async function slotFor(rows: number): Promise<Slot> {
  if (rows > LARGE_ROWS) return takeMemory('comparison');
  return rows > MEDIUM_ROWS ? takeMemory('workbook') : FREE;
}

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
