/**
 * Simultaneous calls of an invocation to storage. The platform allows six connections
 * (developers.cloudflare.com/workers/platform/limits).
 */
export const CONNECTIONS = 6;

/** Runs `act` for each row, `CONNECTIONS` at once, until `goesOn` is false. */
export async function forEachAtOnce<Row>(
  rows: readonly Row[],
  act: (row: Row, index: number) => Promise<void>,
  goesOn: () => boolean = () => true,
): Promise<void> {
  const waiting = rows.entries();
  const work = async (): Promise<void> => {
    for (const [index, row] of waiting) {
      if (!goesOn()) return;
      await act(row, index);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}
