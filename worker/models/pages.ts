/**
 * Yields a list in pages of `size`, newest first. `read` returns the page below the row with the id `before`, or the
 * first one if undefined. Holds one page at a time.
 */
export async function* pagesOf<Row>(
  size: number,
  first: number | undefined,
  read: (before: number | undefined, size: number) => Promise<Row[]>,
  idOf: (row: Row) => number,
): AsyncGenerator<Row[]> {
  for (let before = first; ; ) {
    const rows = await read(before, size);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    before = idOf(last);
  }
}
