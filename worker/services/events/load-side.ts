import { joinSnapshots } from '../../../domain/difference/sets.ts';
import { columnOf, GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Table, tableOf } from '../../../domain/scans/rows.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import type { Part } from '../../models/events/event-snapshots.ts';

/** Columns that must be there, and such as are there where some row has a value. */
export interface Columns {
  core: readonly string[];
  more: readonly string[];
}

/** The platform lets six connections of an invocation wait at once. */
const AT_ONCE = 6;

/** A part whose rows are there. */
export type StoredPart = Part & { key: string; captured_at: number };

/** The parts of a moment whose rows are there. */
export const storedParts = (parts: readonly Part[], ts: number): StoredPart[] =>
  parts.filter((part): part is StoredPart => part.ts === ts && part.key !== null && part.captured_at !== null);

/**
 * Reads one side of a war: columns of the snapshots of all its kingdoms, as one table. The `core` ones are always there,
 * of the others (`more`) those that some snapshot has values in.
 */
export async function loadSide(
  store: R2Bucket,
  game: GameId,
  parts: readonly StoredPart[],
  columns: Columns,
): Promise<Table> {
  const { id } = GAMES[game].roles;
  // Without the verdicts, doubted figures would pass for sure ones.
  const wanted = [...new Set([id, 'doubted', ...columns.core, ...columns.more])];
  const tables: { table: Table; captured_at: number }[] = [];
  const waiting = parts.entries();
  const work = async (): Promise<void> => {
    for (const [index, { key, captured_at }] of waiting) {
      const snapshot = await openStored(store, key);
      const filled = wanted.filter((column) => column === id || snapshot.filled.has(column));
      tables[index] = { table: await wholeTable(snapshot, filled), captured_at };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return withEmpty(tables.length > 0 ? joinSnapshots(tables) : tableOf(game, []), [id, ...columns.core]);
}

/** The table with an empty column for each that it lacks. */
function withEmpty(table: Table, keys: readonly string[]): Table {
  for (const key of keys) {
    const isText = columnOf(table.game, key)?.type === 'text';
    if (isText) table.texts[key] ??= new Array<string | null>(table.count).fill(null);
    else table.numbers[key] ??= new Float64Array(table.count).fill(Number.NaN);
  }
  return table;
}
