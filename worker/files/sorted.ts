import { type Column, GAMES } from '../../domain/games.ts';
import type { Shape } from '../../domain/layouts.ts';
import { numbersOf, orderBy, reorder, type Table } from '../../domain/rows.ts';
import type { ExportOptions } from './export.ts';
import { ROWS_PER_GROUP, wholeTable } from './parquet.ts';
import { inTurn, keysFor, type Survey } from './survey.ts';
import { blankUnread } from './unread.ts';

/** What has to be known of rows that are sorted together. */
export type Sortable = Pick<Survey, 'opened' | 'columns' | 'rows'> & { meta: Shape };

/** The rows of all parts in one order, by power or by each game's score; missing values last, equal ones as stored. */
export async function* sortedTables(
  seen: Sortable,
  { sort, reversed }: ExportOptions,
): AsyncGenerator<Table, void, undefined> {
  const whole = blankTable(seen);
  const keys = seen.columns.map(({ key }) => key);
  const ranks = new Float64Array(seen.rows);
  let at = 0;
  for await (const snapshot of inTurn(seen.opened)) {
    const { roles } = GAMES[snapshot.meta.game];
    const part = blankUnread(await wholeTable(snapshot, keysFor(snapshot.meta, keys)));
    place(part, whole, at);
    ranks.set(numbersOf(part, sort === 'Killpoints' ? roles.score : roles.power), at);
    at += part.count;
  }
  const order = orderBy({ ...whole, numbers: { ranks } }, 'ranks', reversed);
  for (let from = 0; from < order.length; from += ROWS_PER_GROUP)
    yield reorder(whole, order.subarray(from, from + ROWS_PER_GROUP));
}

function blankTable({ columns, rows, meta }: Sortable): Table {
  const ofType = (text: boolean): Column[] => columns.filter(({ type }) => (type === 'text') === text);
  return {
    game: meta.game,
    count: rows,
    numbers: Object.fromEntries(ofType(false).map(({ key }) => [key, new Float64Array(rows).fill(Number.NaN)])),
    texts: Object.fromEntries(ofType(true).map(({ key }) => [key, new Array<string | null>(rows).fill(null)])),
  };
}

function place(part: Table, whole: Table, at: number): void {
  for (const [key, numbers] of Object.entries(part.numbers)) whole.numbers[key]?.set(numbers, at);
  for (const [key, texts] of Object.entries(part.texts)) {
    const target = whole.texts[key];
    if (target)
      texts.forEach((text, row) => {
        target[at + row] = text;
      });
  }
}
