/**
 * Gives buffers back at once that nobody reads any more. V8 counts what lies in buffers beside its heap, but lets 64 MB of
 * them lie before it looks for garbage: half of what an isolate has.
 */
export function release(buffers: Iterable<ArrayBufferLike>): void {
  for (const buffer of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** Smaller pieces may be words that are written again and again. */
const PIECE_BYTES = 64 * 1024;

/** Gives a piece back that was sent: one that fills its memory alone. */
export function releaseSent({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= PIECE_BYTES && byteLength === buffer.byteLength) release([buffer]);
}
