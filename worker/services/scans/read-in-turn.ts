import { Refusal } from '../../errors.ts';
import { Gate } from '../../gate.ts';
import { arrived, type Body, dropArrived, putArriving } from '../../gateways/own-files.ts';

/** A call that did not `touch` for this long was cut off. */
const STALE_MS = 10_000;

/**
 * One file at a time, because a file of 20 MB with its parsed rows fills an isolate. Waiting files are in the store and
 * cost no memory.
 */
const reading = new Gate(1, STALE_MS);

/** A file in memory during its turn. */
export interface InTurn {
  bytes: Uint8Array;
  /** Keeps the turn. */
  touch: () => void;
}

/** Waits for a turn and runs work that holds a file in memory. `touch` keeps the turn. */
export async function inTurn<Value>(work: (touch: () => void) => Promise<Value>): Promise<Value> {
  const place = await reading.enter();
  try {
    return await work(place.touch);
  } finally {
    place.leave();
  }
}

/** Streams a call's body into the store, waits for a turn and runs work on its bytes. */
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
