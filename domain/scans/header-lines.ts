import { type Dialect, dialectOf, headerKind, headerText } from './dialect.ts';
import type { Cell } from './numerals.ts';

/** Headers of two lines: moments of a war above their figures, or figures above their moments. */

export interface Headers {
  dialect: Dialect;
  cells: readonly Cell[];
}

/** The text of a cell that names a moment; `momentOf` reads a workbook's number as a day. */
type MomentOf = ((count: number) => number | null) | undefined;

function wordsOf(cell: Cell | undefined, momentOf: MomentOf): string {
  if (typeof cell !== 'number') return headerText(cell ?? null);
  const moment = momentOf?.(cell) ?? null;
  return moment === null ? String(cell) : new Date(moment).toISOString().slice(0, 10);
}

/** The words of the cell or of the nearest one before it that holds any: a merged cell has them in its first. */
function filledRight(words: readonly string[]): string[] {
  let last = '';
  return words.map((each) => {
    if (each !== '') last = each;
    return last;
  });
}

/**
 * Joins two lines to one line of headers, each figure with its time; null if the lines are not such headers. Only one
 * line has ids, and several times have the same figure.
 */
export function joinedHeaders(upper: readonly Cell[], lower: readonly Cell[], momentOf?: MomentOf): Headers | null {
  const width = Math.max(upper.length, lower.length);
  const [above, below] = [upper, lower].map((cells) =>
    Array.from({ length: width }, (_, index) => wordsOf(cells[index], momentOf)),
  ) as [string[], string[]];
  const kinds = [above, below].map((words) => words.map(headerKind)) as [Kind[], Kind[]];
  const ids = kinds.map((kind) => kind.indexOf('id'));
  if (ids[0] !== -1 && (ids[1] !== -1 || below[ids[0] as number] !== '')) return null;
  const over = filledRight(above);
  const columns = new Map<string, Set<string>>();
  const cells = below.map((own, index) => {
    const group = over[index] as string;
    if (own === '') return above[index] as string;
    const isFigure = kinds[1][index] === 'figure';
    if (group === '' || kinds[1][index] === 'id' || isFigure === (headerKind(group) === 'figure')) return own;
    const [figure, moment] = isFigure ? [own, group] : [group, own];
    columns.set(figure, (columns.get(figure) ?? new Set()).add(moment));
    return `${figure} ${moment}`;
  });
  if (![...columns.values()].some(({ size }) => size > 1)) return null;
  const dialect = dialectOf([...above, ...below]);
  return dialect && { dialect, cells };
}

type Kind = ReturnType<typeof headerKind>;

/** Looks line by line for the headers, alone or with the line above them. */
export class HeaderFinder {
  #above: readonly Cell[] | null = null;
  readonly #momentOf: MomentOf;

  constructor(momentOf?: MomentOf) {
    this.#momentOf = momentOf;
  }

  /** Takes a line that holds something; returns the headers that end with it, or null. */
  take(cells: readonly Cell[]): Headers | null {
    const joined = this.#above && joinedHeaders(this.#above, cells, this.#momentOf);
    this.#above = [...cells];
    if (joined) return joined;
    const dialect = dialectOf(cells);
    return dialect && { dialect, cells };
  }
}
