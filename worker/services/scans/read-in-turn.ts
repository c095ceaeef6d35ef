import { Refusal } from '../../errors.ts';
import { Gate } from '../../gate.ts';
import { arrived, type Body, dropArrived, putArriving } from '../../gateways/own-files.ts';

/** A reader that was not heard of for this long has gone with its call. */
const STALE_MS = 10_000;

/**
 * One file at a time: a file of 20 MB and what is made of it fill an isolate. Files that wait for their turn are in the
 * store, so their number costs no memory.
 */
const reading = new Gate(1, STALE_MS);

/** A file in memory, in its turn. */
export interface InTurn {
  bytes: Uint8Array;
  /** Says that it is still being worked on. */
  touch: () => void;
}

/** Runs work that holds a file in memory when its turn comes. `touch` says that it still goes on. */
export async function inTurn<Value>(work: (touch: () => void) => Promise<Value>): Promise<Value> {
  const place = await reading.enter();
  try {
    return await work(place.touch);
  } finally {
    place.leave();
  }
}

/** Stores a call's body as it comes in and runs work on its bytes when their turn comes. */
export async function whenArrived<Value>(
  store: R2Bucket,
  userId: string,
  body: Body,
  work: (file: InTurn) => Promise<Value>,
): Promise<Value> {
  const key = await putArriving(store, userId, body);
  try {
    return await inTurn(async (touch) => {
      const bytes = await arrived(store, key);
      if (!bytes) throw new Refusal('conflict', 'The file is no longer there. Please upload it again.');
      return await work({ bytes, touch });
    });
  } finally {
    await dropArrived(store, key);
  }
}
