import { GAMES, type GameId } from '../domain/games/games.ts';
import { qualitiesOf } from '../domain/scans/quality.ts';
import { emptyTable, numbersOf, orderBy, reorder, type Table, textsOf } from '../domain/scans/rows.ts';
import type { Columns } from '../domain/scans/staged.ts';

/** The decisions of OrderProgress about staged rows, apart from its storage. */

export interface StagedBatch extends Columns {
  /** Epoch milliseconds. */
  captured_at: number;
}

/**
 * The staged batches of an item, in the order of their ranks, as one table, greatest power first. Ranks move while a
 * kingdom is being read, so a governor can turn up in two batches: the later reading stays.
 */
export function assemble(game: GameId, batches: readonly StagedBatch[]): Table {
  const { id, power } = GAMES[game].roles;
  const powers = batches.flatMap((batch) => Array.from(batch.numbers[power] ?? []));
  const latest = latestReadings(batches, id);
  // Straight to their final places: a table made first and moved then cost as much again.
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

/** The latest reading of each governor, by its number among the rows of all batches. */
function latestReadings(batches: readonly StagedBatch[], id: string): Uint32Array {
  const latest = new Map<number, { reading: number; captured_at: number }>();
  let reading = 0;
  for (const { numbers, captured_at } of batches) {
    for (const governor of numbers[id] ?? []) {
      const other = latest.get(governor);
      if (!other || other.captured_at < captured_at) latest.set(governor, { reading, captured_at });
      reading++;
    }
  }
  return Uint32Array.from(latest.values(), ({ reading }) => reading);
}

/** Writes each value to its place; below 0 there is none for it. */
function scatter<Value>(values: ArrayLike<Value>, places: Int32Array, into: { [place: number]: Value }): void {
  for (let row = 0; row < places.length; row++) {
    const place = places[row] as number;
    if (place >= 0) into[place] = values[row] as Value;
  }
}

/** The rows of an earlier version with those read again in their place; a good row never gives way to a bad one. */
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
