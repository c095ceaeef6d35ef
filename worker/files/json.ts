import type { Column } from '../../domain/games/games.ts';
import { Phrase, utf8 } from './bytes.ts';
import type { RowWriter } from './row-writer.ts';

/** Rows in the JSON envelope. Each row is an object with the columns' keys in order; null means no value. */

export const JSON_HEAD = utf8('{"success":1,"data":{"rows":[');
export const JSON_TAIL = utf8('\n]}}\n');
/** Returns the end of a page of rows, with the total number of rows. */
export const pageTail = (total: number): Uint8Array => utf8(`\n],"total":${total}}}\n`);

const NULL = new Phrase('null');
const NO_BREAK = new Phrase('');
const FIRST_ROW = new Phrase('\n');
const NEXT_ROW = new Phrase(',\n');
const END = 0x7d;

/** Like `jsonRows`, but one row per line and nothing around them. */
export const jsonLineRows = (columns: readonly Column[]): RowWriter => objects(columns, NO_BREAK, FIRST_ROW);

export const jsonRows = (columns: readonly Column[]): RowWriter => objects(columns, FIRST_ROW, NEXT_ROW);

function objects(columns: readonly Column[], first: Phrase, following: Phrase): RowWriter {
  const keys = columns.map(({ key }, index) => new Phrase(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`));
  return (table) => {
    const figures = columns.map(({ key }) => table.numbers[key] ?? null);
    const texts = columns.map(({ key }) => table.texts[key] ?? null);
    return (out, row, number) => {
      out.phrase(number === 0 ? first : following);
      for (let index = 0; index < keys.length; index++) {
        out.phrase(keys[index] as Phrase);
        const column = figures[index];
        if (column) {
          out.figureAt(column, row);
          continue;
        }
        const text = texts[index]?.[row] ?? null;
        if (text === null) out.phrase(NULL);
        else out.quoted(text);
      }
      out.byte(END);
    };
  };
}
