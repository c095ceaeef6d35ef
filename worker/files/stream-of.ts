import type { Place } from '../gate.ts';

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
