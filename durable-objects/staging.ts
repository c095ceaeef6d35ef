import { GAMES, type GameId } from '../domain/games.ts';
import { emptyTable, orderBy, reorder, type Table, type WireColumns } from '../domain/rows.ts';

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

/** What an item's counts ask for next. */
export function nextStep(counts: { waiting: number; staged: number; failed: number }): 'wait' | 'finish' | 'give_up' {
  if (counts.waiting > 0) return 'wait';
  return counts.staged > 0 ? 'finish' : 'give_up';
}

/** The moment of a snapshot: when its last rows were read. */
export const capturedAt = (batches: readonly StagedBatch[]): number =>
  batches.reduce((latest, batch) => Math.max(latest, batch.captured_at), 0);
