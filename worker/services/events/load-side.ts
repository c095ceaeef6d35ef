import { joinSnapshots } from '../../../domain/difference/sets.ts';
import { columnOf, GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Table, type Texts, tableOf } from '../../../domain/scans/rows.ts';
import { wholeTable } from '../../files/parquet.ts';
import { release } from '../../files/release.ts';
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
  const { id, tag } = GAMES[game].roles;
  const tags = new Map<string, string>();
  // Without the verdicts, doubted figures would pass for sure ones.
  const wanted = [...new Set([id, 'doubted', ...columns.core, ...columns.more])];
  const tables: { table: Table; captured_at: number }[] = [];
  const waiting = parts.entries();
  const work = async (): Promise<void> => {
    for (const [index, { key, captured_at }] of waiting) {
      const snapshot = await openStored(store, key);
      const filled = wanted.filter((column) => column === id || snapshot.filled.has(column));
      const table = await wholeTable(snapshot, filled);
      if (table.texts[tag]) table.texts[tag] = shared(table.texts[tag], tags);
      tables[index] = { table, captured_at };
      snapshot.close();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const side = tables.length > 0 ? joinSnapshots(tables) : tableOf(game, []);
  // Several are copied into one; a single one is the side itself.
  if (tables.length > 1)
    release(tables.flatMap(({ table }) => Object.values(table.numbers).map(({ buffer }) => buffer)));
  return withEmpty(side, [id, ...columns.core]);
}

/** The same texts, each that is there often as one string: a tag is shared by a whole alliance. */
const shared = (texts: Texts, known: Map<string, string>): Texts =>
  texts.map((text) => {
    if (text === null) return null;
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    return first ?? text;
  });

/** The table with an empty column for each that it lacks. */
function withEmpty(table: Table, keys: readonly string[]): Table {
  for (const key of keys) {
    const isText = columnOf(table.game, key)?.type === 'text';
    if (isText) table.texts[key] ??= new Array<string | null>(table.count).fill(null);
    else table.numbers[key] ??= new Float64Array(table.count).fill(Number.NaN);
  }
  return table;
}
