import { narrow } from '../../../domain/narrow.ts';
import { searchKey } from '../../../domain/search.ts';
import type { DifferenceTable } from '../difference/difference-rows.ts';

/** A governor of the loaded scans. */
export interface KnownGovernor {
  id: number;
  name: string;
  tag: string | null;
  kingdom: string;
}

/** The governors of the loaded scans, to choose from. */
export interface KnownGovernors {
  /** Returns the first governors whose name contains a text, or whose id begins with it. */
  find(text: string): KnownGovernor[];
  get(id: number): KnownGovernor | null;
}

const FOUND = 8;

export const NO_GOVERNORS: KnownGovernors = { find: () => [], get: () => null };

type Table = Pick<DifferenceTable, 'id' | 'name' | 'tag' | 'tags' | 'kingdom' | 'kingdoms'>;

/** Returns the governors of a table. */
export function knownGovernors(table: Table): KnownGovernors {
  const rows = new Map(table.id.map((id, row) => [id, row]));
  // Made on first use: a page may show a roster without searching it.
  let keys: readonly string[] | undefined;
  const at = (row: number): KnownGovernor => ({
    id: table.id[row] as number,
    name: table.name[row] ?? '',
    tag: table.tags[table.tag[row] ?? -1] ?? null,
    kingdom: table.kingdoms[table.kingdom[row] ?? -1] ?? '',
  });
  return {
    find(text) {
      const wanted = searchKey(narrow(text));
      const found: KnownGovernor[] = [];
      if (wanted === '') return found;
      keys ??= table.name.map(searchKey);
      for (let row = 0; row < table.id.length && found.length < FOUND; row++)
        if (String(table.id[row]).startsWith(wanted) || keys[row]?.includes(wanted)) found.push(at(row));
      return found;
    },
    get(id) {
      const row = rows.get(id);
      return row === undefined ? null : at(row);
    },
  };
}
