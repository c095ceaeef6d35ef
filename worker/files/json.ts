import type { Column } from '../../domain/games.ts';
import { utf8 } from './bytes.ts';
import { cellsIn, type RowWriter } from './row-writer.ts';

/** `{"rows":[…]}`: a row an object by the columns' keys, in their order; null where there is no value. */

export const JSON_HEAD = utf8('{"rows":[');
export const JSON_TAIL = utf8('\n]}\n');

const NULL = utf8('null');
const FIRST_ROW = utf8('\n');
const NEXT_ROW = utf8(',\n');
const END = 0x7d;

export const jsonRows = (columns: readonly Column[]): RowWriter => {
  const keys = columns.map(({ key }, index) => utf8(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`));
  return (table) => {
    const cells = cellsIn(table, columns);
    return (out, row, number) => {
      out.raw(number === 0 ? FIRST_ROW : NEXT_ROW);
      for (let index = 0; index < cells.length; index++) {
        out.raw(keys[index] as Uint8Array);
        const value = cells[index]?.[row];
        if (typeof value === 'string') out.text(JSON.stringify(value));
        // biome-ignore lint/suspicious/noSelfCompare: NaN is no value; quicker than a call a cell
        else if (typeof value === 'number' && value === value) out.number(value);
        else out.raw(NULL);
      }
      out.byte(END);
    };
  };
};
