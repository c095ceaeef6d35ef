/**
 * Simultaneous calls of an invocation to storage. The platform allows six connections
 * (developers.cloudflare.com/workers/platform/limits).
 */
export const CONNECTIONS = 6;

/**
 * Runs `act` for each row, as many at once as there are `lanes`, until `goesOn` is false. After a failure it starts
 * no other row, waits for those in progress, and then throws.
 */
export async function forEachAtOnce<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  act: (row: Row, index: number) => Promise<void>,
  { lanes = CONNECTIONS, goesOn = () => true }: { lanes?: number; goesOn?: () => boolean } = {},
): Promise<void> {
  const waiting = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let index = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    for (let next = await waiting.next(); !next.done && !failed && goesOn(); next = await waiting.next())
      await act(next.value, index++).catch((error: unknown) => {
        failed = true;
        throw error;
      });
  };
  await together(Array.from({ length: lanes }, work));
}

/** Like `Promise.all`, but waits for all even if one fails, so that no part of a refused call keeps running. */
export async function together<Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}
