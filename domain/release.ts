/**
 * Frees unused buffers at once. V8 lets up to 64 MB of buffers outside its heap accumulate before it collects garbage,
 * which is half of an isolate.
 */
export function release(buffers: Iterable<ArrayBufferLike>): void {
  for (const buffer of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** Frees the figures of a table that is no longer needed. */
export const releaseTable = ({ numbers }: { numbers: Readonly<Record<string, Float64Array>> }): void =>
  release(Object.values(numbers).map(({ buffer }) => buffer));

/** Frees a piece if it owns its whole buffer: small ones may lie in a pool of the platform. */
export function releasePiece({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength) release([buffer]);
}

/** Smaller pieces may be shared phrases. */
const PIECE_BYTES = 64 * 1024;

/** Frees a piece after it was sent. */
export function releaseSent(piece: Uint8Array): void {
  if (piece.byteLength >= PIECE_BYTES) releasePiece(piece);
}

/** V8 copies shorter texts when it slices them. */
const SHORTEST_VIEW = 13;

/**
 * Copies a text that is kept longer than its source. A V8 slice keeps its whole source in memory. Slicing a
 * concatenation first copies it into a text of its own.
 */
export const detached = (text: string): string => (text.length < SHORTEST_VIEW ? text : ` ${text}`.slice(1));
