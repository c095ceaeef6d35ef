import { searchKey } from '../search.ts';
import { type BoardRow, keyOfRow, metricIn } from './rows.ts';

/**
 * A board's finder: one line of text per row, in order of rank. It answers where a row is, who belongs to a kingdom or an
 * alliance, and whose name contains a text. As one string it takes a tenth of the memory of row objects, and scanning
 * it takes about a millisecond.
 */

/** A row in a finder. */
export interface Found {
  /** `keyOfRow` as text. */
  key: string;
  rank: number;
  kingdom_id: number;
  alliance_tag: string;
  /** Name of the governor or alliance; empty for kingdoms. */
  name: string;
  power: number | null;
  score: number | null;
  /** Members of an alliance or scanned governors of a kingdom. */
  count: number | null;
}

/** Removes what separates fields and lines. */
const inField = (text: string): string => text.replace(/[\t\n]/g, ' ');

const figure = (value: number | null): string => (value === null ? '' : String(value));
const figureOf = (text: string): number | null => (text === '' ? null : Number(text));

const countOf = (row: BoardRow): number | null =>
  'player_count' in row ? row.player_count : 'member_count' in row ? row.member_count : null;

const nameOf = (row: BoardRow): string =>
  'governor_id' in row ? row.name : 'alliance_name' in row ? row.alliance_name : '';

/** Returns what searches match: the name, and an alliance's tag. */
function searchedIn(row: BoardRow): string {
  if ('governor_id' in row) return searchKey(row.name);
  if ('alliance_tag' in row) return `${searchKey(row.alliance_tag)} ${searchKey(row.alliance_name)}`;
  return '';
}

/** Returns a row's line, which starts with its line break. */
export function finderLine(row: BoardRow): string {
  const tag = 'alliance_tag' in row ? row.alliance_tag : '';
  const fields = [
    String(keyOfRow(row)),
    String(row.rank),
    `k${row.kingdom_id}`,
    tag,
    nameOf(row),
    figure(metricIn(row, 'power')),
    figure(metricIn(row, 'score')),
    figure(countOf(row)),
    searchedIn(row),
  ];
  return `\n${fields.map(inField).join('\t')}`;
}

/** Returns the key of an alliance as finders have it. */
export const allianceKey = (kingdom: number, tag: string): string => `${kingdom}/${inField(tag)}`;

function foundIn(line: string): Found & { searched: string } {
  const [key = '', rank = '', kingdom = '', alliance_tag = '', name = '', power = '', score = '', count = '', ...rest] =
    line.split('\t');
  return {
    key,
    rank: Number(rank),
    kingdom_id: Number(kingdom.slice(1)),
    alliance_tag,
    name,
    power: figureOf(power),
    score: figureOf(score),
    count: figureOf(count),
    searched: rest[0] ?? '',
  };
}

/** Yields the lines that contain a text, each once. */
function* linesWith(finder: string, needle: string): Generator<Found & { searched: string }> {
  for (let at = finder.indexOf(needle); at !== -1; ) {
    // A needle may start with the line break.
    const start = finder.lastIndexOf('\n', at) + 1;
    const end = finder.indexOf('\n', Math.max(start, at + 1));
    yield foundIn(finder.slice(start, end === -1 ? undefined : end));
    if (end === -1) return;
    at = finder.indexOf(needle, end);
  }
}

/** Returns the row with a key, or null. */
export function rowWith(finder: string, key: string): Found | null {
  for (const found of linesWith(finder, `\n${inField(key)}\t`)) return found;
  return null;
}

/** Returns the best rows of a kingdom, or of one of its alliances, by rank. */
export function rowsOf(
  finder: string,
  { kingdom, tag }: { kingdom: number; tag?: string },
  most: number,
  shows: (key: string) => boolean,
): Found[] {
  const rows: Found[] = [];
  const field = tag === undefined ? null : inField(tag);
  for (const found of linesWith(finder, field === null ? `\tk${kingdom}\t` : `\tk${kingdom}\t${field}\t`)) {
    if (found.kingdom_id !== kingdom || (field !== null && found.alliance_tag !== field) || !shows(found.key)) continue;
    rows.push(found);
    if (rows.length === most) break;
  }
  return rows;
}

/** Returns rows by quality of match: exact, at the start, elsewhere; then by rank. `key` is a `searchKey`. */
export function rowsNamed(finder: string, key: string, most: number, shows: (key: string) => boolean): Found[] {
  const [exact, starting, inside]: [Found[], Found[], Found[]] = [[], [], []];
  // Single letters occur in most lines, so they match only where a name starts.
  const needle = [...key].length > 1 ? key : `\t${key}`;
  for (const found of linesWith(finder, needle)) {
    const words = found.searched.split(' ');
    const group = words.includes(key)
      ? exact
      : words.some((word) => word.startsWith(key))
        ? starting
        : words.some((word) => word.includes(key))
          ? inside
          : null;
    if (!group || group.length >= most || !shows(found.key)) continue;
    group.push(found);
    if (exact.length === most) break;
  }
  return [...exact, ...starting, ...inside].slice(0, most);
}

/** Returns the first rows by rank. */
export function firstRows(finder: string, most: number, shows: (key: string) => boolean): Found[] {
  const rows: Found[] = [];
  for (const found of linesWith(finder, '\n')) {
    if (rows.length === most) break;
    if (shows(found.key)) rows.push(found);
  }
  return rows;
}

/** Returns the row whose key is these digits, then those whose key starts with them, by rank. */
export function rowsFrom(finder: string, digits: string, most: number): Found[] {
  const exact = rowWith(finder, digits);
  const rows = exact ? [exact] : [];
  for (const found of linesWith(finder, `\n${digits}`)) {
    if (rows.length === most) break;
    if (found.key !== digits) rows.push(found);
  }
  return rows;
}
