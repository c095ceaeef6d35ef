import { columnOf, type GameId } from '../games/games.ts';
import type { Numbers, Table, Texts, WireColumns } from './rows.ts';

/**
 * Checked rows as bytes, from hand-in until their item is finished. Numbers keep the table's binary format to avoid
 * parsing; texts are JSON. The layout is two numbers (rows, and numeric columns), the numeric columns, then the JSON of
 * `Head`.
 */
export type Columns = Pick<Table, 'count' | 'numbers' | 'texts'>;

interface Head {
  /** Keys of the numeric columns, in order. */
  numbers: string[];
  texts: Record<string, Texts>;
}

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const SIZES = 2;

/** Packs a hand-in's columns, which must have passed `checkColumns`. */
export function packColumns(game: GameId, columns: WireColumns): Uint8Array<ArrayBuffer> {
  const head: Head = { numbers: [], texts: {} };
  for (const [key, values] of Object.entries(columns)) {
    if (columnOf(game, key)?.type === 'text') head.texts[key] = values.map(asText);
    else head.numbers.push(key);
  }
  const count = Object.values(columns)[0]?.length ?? 0;
  const texts = new TextEncoder().encode(JSON.stringify(head));
  const numbers = new Float64Array(SIZES + count * head.numbers.length);
  numbers[0] = count;
  numbers[1] = head.numbers.length;
  let at = SIZES;
  for (const key of head.numbers) {
    const values = columns[key] as (number | null)[];
    for (let row = 0; row < count; row++) numbers[at++] = values[row] ?? Number.NaN;
  }
  const bytes = new Uint8Array(numbers.byteLength + texts.length);
  bytes.set(new Uint8Array(numbers.buffer));
  bytes.set(texts, numbers.byteLength);
  return bytes;
}

/** Unpacks the result of `packColumns`. Its numbers are views of `bytes`. */
export function unpackColumns(bytes: ArrayBuffer): Columns {
  const [count, width] = new Float64Array(bytes, 0, SIZES) as unknown as [number, number];
  const textsAt = (SIZES + count * width) * NUMBER_BYTES;
  const head: Head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, textsAt)));
  const numbers: Record<string, Numbers> = {};
  head.numbers.forEach((key, index) => {
    numbers[key] = new Float64Array(bytes, (SIZES + count * index) * NUMBER_BYTES, count);
  });
  return { count, numbers, texts: head.texts };
}

/** Makes a text safe for files and databases: a lone surrogate breaks UTF-8, and SQLite ends a text at U+0000. */
const asText = (value: string | number | null): string | null =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : null;
