import { GAMES, type GameId } from '../domain/games.ts';
import { qualitiesOf } from '../domain/quality.ts';
import { emptyTable, numbersOf, orderBy, reorder, type Table, textsOf, type WireColumns } from '../domain/rows.ts';

/** The decisions of OrderProgress about staged rows, apart from its storage. */

export interface StagedBatch {
  /** Epoch milliseconds. */
  captured_at: number;
  columns: WireColumns;
}

/**
 * The staged batches of an item, in the order of their ranks, as one table, greatest power first. Ranks move while a
 * kingdom is being read, so a governor can turn up in two batches: the later reading stays.
 */
export function assemble(game: GameId, batches: readonly StagedBatch[]): Table {
  const { roles } = GAMES[game];
  const places = placesOf(batches, roles.id);
  const powerOf = ({ batch, row }: Place) => batch.columns[roles.power]?.[row] as number;
  // In their final order from the start: a table made first and moved then cost as much again.
  places.sort((a, b) => powerOf(b) - powerOf(a));
  const table = emptyTable(game, places.length);
  for (const [key, numbers] of Object.entries(table.numbers))
    fill(numbers, places, key, (value) => (value as number | null) ?? Number.NaN);
  for (const [key, texts] of Object.entries(table.texts))
    fill(texts, places, key, (value) => (value as string | null) ?? null);
  return table;
}

/** Where a row stands. */
interface Place {
  batch: StagedBatch;
  row: number;
}

/** The latest reading of each governor. */
function placesOf(batches: readonly StagedBatch[], id: string): Place[] {
  const latest = new Map<number, Place>();
  for (const batch of batches) {
    const ids = (batch.columns[id] ?? []) as number[];
    for (let row = 0; row < ids.length; row++) {
      const other = latest.get(ids[row] as number);
      if (!other || other.batch.captured_at < batch.captured_at) latest.set(ids[row] as number, { batch, row });
    }
  }
  return [...latest.values()];
}

function fill<Cell>(
  cells: { [index: number]: Cell },
  places: readonly Place[],
  key: string,
  cellOf: (value: string | number | null | undefined) => Cell,
): void {
  for (let index = 0; index < places.length; index++) {
    const { batch, row } = places[index] as Place;
    const values = batch.columns[key];
    if (values) cells[index] = cellOf(values[row]);
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

/** The moment of a snapshot: when its last rows were read. */
export const capturedAt = (batches: readonly Pick<StagedBatch, 'captured_at'>[]): number =>
  batches.reduce((latest, batch) => Math.max(latest, batch.captured_at), 0);
