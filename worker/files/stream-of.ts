import { releaseSent } from '../../domain/release.ts';
import type { Slot } from '../isolate/memory.ts';

/**
 * Turns pieces into a stream that produces them on demand. Releases their memory at the end, on failure or when the
 * reader cancels.
 */
export function streamOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  slot?: Slot,
): ReadableStream<Uint8Array> {
  const each = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await each.next();
        if (!done) return controller.enqueue(value);
        slot?.release();
        controller.close();
      } catch (error) {
        slot?.release();
        throw error;
      }
    },
    async cancel() {
      slot?.release();
      await each.return?.();
    },
  });
}

/**
 * Like `streamOf`, for pieces that nothing else uses. Each piece's memory is released once it is read, and only then is
 * the next one made.
 */
export function sentOff(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  slot: Slot,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  void sendTo(writable.getWriter(), pieces, slot);
  return readable;
}

async function sendTo(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  slot: Slot,
): Promise<void> {
  // Errors surface in each write.
  writer.closed.catch(() => undefined);
  try {
    for await (const piece of pieces) {
      await writer.write(piece);
      releaseSent(piece);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
  } finally {
    slot.release();
  }
}
