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
  const { roles, columns } = GAMES[game];
  const latest = new Map<number, { batch: StagedBatch; row: number }>();
  for (const batch of batches) {
    const ids = (batch.columns[roles.id] ?? []) as number[];
    ids.forEach((id, row) => {
      const other = latest.get(id);
      if (!other || other.batch.captured_at < batch.captured_at) latest.set(id, { batch, row });
    });
  }
  const picked = [...latest.values()];
  const table = emptyTable(game, picked.length);
  for (const { key } of columns) {
    const numbers = table.numbers[key];
    const texts = table.texts[key];
    picked.forEach(({ batch, row }, index) => {
      const value = batch.columns[key]?.[row];
      if (value === null || value === undefined) return;
      if (numbers) numbers[index] = value as number;
      else if (texts) texts[index] = value as string;
    });
  }
  return reorder(table, orderBy(table, roles.power));
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
export const capturedAt = (batches: readonly StagedBatch[]): number =>
  batches.reduce((latest, batch) => Math.max(latest, batch.captured_at), 0);
