import { GAMES } from '../games/games.ts';
import { numbersOf, reorder, type Table } from '../scans/rows.ts';
import { placesOf } from './places.ts';

/**
 * One side of a difference: the readings of a war's kingdoms under one moment, the newest first. A governor who stands in
 * two of them (he moved while they were made) counts where he was read last, which is his first row.
 */
export function withoutRepeats(side: Table): Table {
  const places = placesOf(numbersOf(side, GAMES[side.game].roles.id));
  if (places.repeats === 0) return side;
  const first = new Uint32Array(side.count - places.repeats);
  let [count, last] = [0, Number.NaN];
  for (let place = 0; place < places.rows.length; place++) {
    const value = places.values[place] as number;
    if (value !== last) first[count++] = places.rows[place] as number;
    last = value;
  }
  return reorder(side, first.sort());
}
