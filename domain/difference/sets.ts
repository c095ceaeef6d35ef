import { GAMES } from '../games/games.ts';
import { numbersOf, reorder, type Table } from '../scans/rows.ts';
import { placesOf } from './places.ts';

/**
 * Returns one side of a difference without repeated governors. A side holds the readings of a war's kingdoms at one
 * time, newest first. A governor who moved while they were made appears twice; the first row, their latest reading,
 * counts.
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
