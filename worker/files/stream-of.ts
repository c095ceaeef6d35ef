import type { Place } from '../gate.ts';
import { releaseSent } from './release.ts';

/**
 * Turns pieces into a stream that produces them on demand. Touches the semaphore slot `place` with each piece and frees
 * it at the end, on failure or when the reader cancels.
 */
export function streamOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place?: Place,
): ReadableStream<Uint8Array> {
  const each = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await each.next();
        place?.touch();
        if (!done) return controller.enqueue(value);
        place?.leave();
        controller.close();
      } catch (error) {
        place?.leave();
        throw error;
      }
    },
    async cancel() {
      place?.leave();
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
  place: Place,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  void sendTo(writable.getWriter(), pieces, place);
  return readable;
}

async function sendTo(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place: Place,
): Promise<void> {
  // Errors surface in each write.
  writer.closed.catch(() => undefined);
  try {
    for await (const piece of pieces) {
      await writer.write(piece);
      place.touch();
      releaseSent(piece);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
  } finally {
    place.leave();
  }
}
