import { GAMES, type GameId } from '../games/games.ts';
import type { Numbers, Table, Texts } from './rows.ts';

/**
 * Returns the columns that only a profile has. A row's profile was read if any of them has a value. No single column is
 * enough, because each may be missing from a profile that was read.
 */

const profileKeys = (game: GameId): string[] =>
  GAMES[game].columns.filter(({ profile }) => profile).map(({ key }) => key);

interface ProfileColumns {
  numbers: Numbers[];
  texts: Texts[];
  highest: Numbers | undefined;
}

function profileColumns({ game, numbers, texts }: Table): ProfileColumns {
  const keys = profileKeys(game);
  return {
    numbers: keys.flatMap((key) => numbers[key] ?? []),
    // flatMap() would flatten the text columns.
    texts: keys.map((key) => texts[key]).filter((column) => column !== undefined),
    highest: numbers[GAMES[game].roles.highestPower],
  };
}

/**
 * Returns 1 for each row whose profile was read, else 0, judged by the profile columns in the table. A highest power of
 * 0 means that the source did not open the profile (specification, section 3: truthy means full data), so other zeros
 * in that row are not figures.
 */
export function readRows(table: Table): Uint8Array {
  const { numbers, texts, highest } = profileColumns(table);
  const read = new Uint8Array(table.count);
  for (const column of numbers) {
    // Usually the first columns have a value in every row.
    if (!read.includes(0)) return read;
    for (let row = 0; row < read.length; row++) {
      const value = column[row] as number;
      if (value > 0 || (value === 0 && highest?.[row] !== 0)) read[row] = 1;
    }
  }
  for (const column of texts)
    for (let row = 0; row < read.length; row++) if (column[row] !== null && column[row] !== undefined) read[row] = 1;
  return read;
}

/**
 * Sets the profile columns of rows without a profile to NaN, because unknown is not 0. Mutates and returns the table.
 */
export function emptyUnread(table: Table): Table {
  const read = readRows(table);
  // The usual case: all profiles were read.
  if (!read.includes(0)) return table;
  const { numbers } = profileColumns(table);
  for (const column of numbers)
    for (let row = 0; row < read.length; row++) if (read[row] === 0) column[row] = Number.NaN;
  return table;
}
