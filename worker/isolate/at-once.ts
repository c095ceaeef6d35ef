/**
 * Simultaneous calls of an invocation to storage. The platform allows six connections
 * (developers.cloudflare.com/workers/platform/limits).
 */
export const CONNECTIONS = 6;

/** Runs `act` for each row, as many at once as there are `lanes`, until `goesOn` is false. */
export async function forEachAtOnce<Row>(
  rows: Iterable<Row>,
  act: (row: Row, index: number) => Promise<void>,
  { lanes = CONNECTIONS, goesOn = () => true }: { lanes?: number; goesOn?: () => boolean } = {},
): Promise<void> {
  const waiting = rows[Symbol.iterator]();
  let index = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && goesOn(); next = waiting.next()) await act(next.value, index++);
  };
  await Promise.all(Array.from({ length: lanes }, work));
}

/** Like `Promise.all`, but waits for all even if one fails, so that no part of a refused call keeps running. */
export async function together<Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}
