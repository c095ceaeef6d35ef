import { release } from '../../../domain/release.ts';
import { Refusal } from '../../errors.ts';
import { arrived, type Body, dropArrived, putArriving } from '../../gateways/own-files.ts';
import { withMemory } from '../../isolate/memory.ts';

/**
 * Streams a call's body into the store, waits for memory and runs work on its bytes, which are in the store at `key`.
 * Waiting files cost no memory.
 */
export async function whenArrived<Value>(
  store: R2Bucket,
  userId: string,
  body: Body,
  work: (bytes: Uint8Array, key: string) => Promise<Value>,
): Promise<Value> {
  const key = await putArriving(store, userId, body);
  try {
    return await withMemory('uploadedFile', async () => {
      const bytes = await arrived(store, key);
      if (!bytes) throw new Refusal('conflict', 'The file is no longer there. Please upload it again.');
      try {
        return await work(bytes, key);
      } finally {
        release([bytes.buffer]);
      }
    });
  } finally {
    await dropArrived(store, key);
  }
}
