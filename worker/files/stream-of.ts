import type { Place } from '../gate.ts';
import { releaseSent } from './release.ts';

/**
 * Pieces as a stream that asks for the next one when it is read. Work that holds a place says with each piece that it
 * goes on, and gives the place back at the end, where it fails, or once nobody reads any more.
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
 * The same for pieces that nobody else has: the memory of each is given back once it is read, and the next one is made
 * only then.
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
  // Its end is told by each write.
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
