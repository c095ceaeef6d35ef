import { GAMES } from '../games/games.ts';
import { layoutOf } from '../scans/layouts.ts';
import { numbersOf, reorder, type Table } from '../scans/rows.ts';
import { placesOf } from './places.ts';

/** A snapshot's rows and when they were read. */
export interface Captured {
  table: Table;
  /** Epoch milliseconds. */
  captured_at: number;
}

/**
 * Several snapshots of one game as one side of a difference: the readings of a war's kingdoms under one moment. A
 * governor who stands in two of them (he moved while they were made) counts where he was read last. Columns that a
 * snapshot lacks are empty in its rows.
 */
export function joinSnapshots(snapshots: readonly Captured[]): Table {
  const [newest, ...others] = snapshots.toSorted((a, b) => b.captured_at - a.captured_at);
  if (!newest) throw new Error('A side of a difference needs a snapshot.');
  const all = others.length === 0 ? newest.table : concatenated([newest, ...others].map(({ table }) => table));
  return withoutRepeats(all);
}

function concatenated(tables: readonly Table[]): Table {
  const [first] = tables as readonly [Table];
  const count = tables.reduce((sum, table) => sum + table.count, 0);
  const joined: Table = { game: first.game, kind: first.kind, count, numbers: {}, texts: {} };
  for (const { key, type } of layoutOf(first).columns) {
    if (type === 'text' && tables.some(({ texts }) => texts[key]))
      joined.texts[key] = tables.flatMap((table) => table.texts[key] ?? new Array<null>(table.count).fill(null));
    if (type !== 'text' && tables.some(({ numbers }) => numbers[key])) {
      const numbers = new Float64Array(count).fill(Number.NaN);
      let at = 0;
      for (const table of tables) {
        if (table.numbers[key]) numbers.set(table.numbers[key], at);
        at += table.count;
      }
      joined.numbers[key] = numbers;
    }
  }
  return joined;
}

/** The first row of each governor. */
function withoutRepeats(table: Table): Table {
  const ids = numbersOf(table, GAMES[table.game].roles.id);
  const places = placesOf(ids);
  if (places.repeats === 0) return table;
  const first = new Uint32Array(table.count - places.repeats);
  let [count, last] = [0, Number.NaN];
  for (let place = 0; place < places.rows.length; place++) {
    const value = places.values[place] as number;
    if (value !== last) first[count++] = places.rows[place] as number;
    last = value;
  }
  return reorder(table, first.sort());
}
