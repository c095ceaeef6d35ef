import { GAMES, type GameId } from '../domain/games/games.ts';
import { qualitiesOf } from '../domain/scans/quality.ts';
import { emptyTable, numbersOf, orderBy, reorder, type Table, textsOf } from '../domain/scans/rows.ts';
import type { Columns } from '../domain/scans/staged.ts';

/** The logic of OrderProgress for staged rows, without its storage. */

interface StagedBatch extends Columns {
  /** Epoch ms. */
  captured_at: number;
}

/**
 * Combines the staged batches of an item, given by rank, into one table, greatest power first. Ranks shift during a
 * scan, so a governor may appear in two batches; the later one counts.
 */
export function assemble(game: GameId, batches: readonly StagedBatch[]): Table {
  const { id, power } = GAMES[game].roles;
  const powers = batches.flatMap((batch) => Array.from(batch.numbers[power] ?? []));
  const latest = latestReadings(batches, id);
  // Writes rows directly to their final positions, because building a table and reordering it costs twice as much.
  latest.sort((a, b) => (powers[b] as number) - (powers[a] as number));
  const places = new Int32Array(powers.length).fill(-1);
  latest.forEach((reading, place) => {
    places[reading] = place;
  });
  const table = emptyTable(game, latest.length);
  let first = 0;
  for (const { count, numbers, texts } of batches) {
    const to = places.subarray(first, first + count);
    first += count;
    for (const [key, values] of Object.entries(numbers)) scatter(values, to, numbersOf(table, key));
    for (const [key, values] of Object.entries(texts)) scatter(values, to, textsOf(table, key));
  }
  return table;
}

/** Returns the latest row of each governor, as a number counted over the rows of all batches. */
function latestReadings(batches: readonly StagedBatch[], id: string): Uint32Array {
  const latest = new Map<number, number>();
  const times: number[] = [];
  for (const { numbers, captured_at } of batches) {
    for (const governor of numbers[id] ?? []) {
      const other = latest.get(governor);
      if (other === undefined || (times[other] as number) < captured_at) latest.set(governor, times.length);
      times.push(captured_at);
    }
  }
  return Uint32Array.from(latest.values());
}

/** Writes each value to its place; a negative place skips it. */
function scatter<Value>(values: ArrayLike<Value>, places: Int32Array, into: { [place: number]: Value }): void {
  for (let row = 0; row < places.length; row++) {
    const place = places[row] as number;
    if (place >= 0) into[place] = values[row] as Value;
  }
}

/** Replaces rows of an earlier version with those scanned again. A good row is never replaced by a bad one. */
export function merge(earlier: Table, fresh: Table): Table {
  const { roles } = GAMES[earlier.game];
  const [before, now] = [qualitiesOf(earlier), qualitiesOf(fresh)];
  const placeOf = new Map<number, number>();
  numbersOf(earlier, roles.id).forEach((id, row) => {
    placeOf.set(id, row);
  });
  const all = concat(earlier, fresh);
  const kept = new Set(Array.from({ length: earlier.count }, (_, row) => row));
  numbersOf(fresh, roles.id).forEach((id, row) => {
    const place = placeOf.get(id);
    if (place !== undefined && before[place] === 'ok' && now[row] !== 'ok') return;
    if (place !== undefined) kept.delete(place);
    kept.add(earlier.count + row);
  });
  const merged = reorder(all, Uint32Array.from(kept));
  return reorder(merged, orderBy(merged, roles.power));
}

function concat(first: Table, second: Table): Table {
  const both = emptyTable(first.game, first.count + second.count);
  for (const [key, values] of Object.entries(both.numbers)) {
    values.set(numbersOf(first, key));
    values.set(numbersOf(second, key), first.count);
  }
  for (const key of Object.keys(both.texts)) both.texts[key] = [...textsOf(first, key), ...textsOf(second, key)];
  return both;
}
