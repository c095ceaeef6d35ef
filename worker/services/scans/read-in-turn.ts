import { Refusal } from '../../errors.ts';
import { arrived, type Body, dropArrived, putArriving } from '../../gateways/own-files.ts';
import { Semaphore } from '../../isolate/semaphore.ts';

/** A call that did not `touch` for this long was cut off. */
const STALE_MS = 10_000;

/**
 * One file at a time, because a file of 20 MB with its parsed rows fills an isolate. Waiting files are in the store and
 * cost no memory.
 */
const reading = new Semaphore(1, STALE_MS);

/** A file in memory during its turn. Its bytes are freed afterwards. */
export interface InTurn {
  bytes: Uint8Array;
  /** Keeps the turn. */
  touch: () => void;
}

/** Waits for a turn and runs work that holds a file in memory. `touch` keeps the turn. */
export async function inTurn<Value>(work: (touch: () => void) => Promise<Value>): Promise<Value> {
  const slot = await reading.acquire();
  try {
    return await work(slot.touch);
  } finally {
    slot.release();
  }
}

/** Streams a call's body into the store, waits for a turn and runs work on its bytes, which are in the store at `key`. */
export async function whenArrived<Value>(
  store: R2Bucket,
  userId: string,
  body: Body,
  work: (file: InTurn, key: string) => Promise<Value>,
): Promise<Value> {
  const key = await putArriving(store, userId, body);
  try {
    return await inTurn(async (touch) => {
      const bytes = await arrived(store, key);
      if (!bytes) throw new Refusal('conflict', 'The file is no longer there. Please upload it again.');
      try {
        return await work({ bytes, touch }, key);
      } finally {
        // Frees 20 MB now, because garbage of several files would fill the isolate.
        (bytes.buffer as ArrayBuffer).transfer(0);
      }
    });
  } finally {
    await dropArrived(store, key);
  }
}
