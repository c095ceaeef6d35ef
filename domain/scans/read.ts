import { GAMES, type GameId } from '../games/games.ts';
import type { Numbers, Table, Texts } from './rows.ts';

/**
 * Whether a governor's profile was opened is a fact of his row: some column that only a profile has holds a value.
 * No single figure tells it, because every one of them may be absent from a profile that was read.
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
    // flatMap() would take the texts apart.
    texts: keys.map((key) => texts[key]).filter((column) => column !== undefined),
    highest: numbers[GAMES[game].roles.highestPower],
  };
}

/**
 * For each row 1 where its profile was read, as far as the table has a profile's columns, else 0. A highest power of 0
 * is the source's word that it did not open the profile (specification, section 3: truthy means full data): zeros
 * beside it are no figures.
 */
export function readRows(table: Table): Uint8Array {
  const { numbers, texts, highest } = profileColumns(table);
  const read = new Uint8Array(table.count);
  for (const column of numbers)
    for (let row = 0; row < read.length; row++) {
      const value = column[row] as number;
      if (value > 0 || (value === 0 && highest?.[row] !== 0)) read[row] = 1;
    }
  for (const column of texts)
    for (let row = 0; row < read.length; row++) if (column[row] !== null && column[row] !== undefined) read[row] = 1;
  return read;
}

/**
 * Empties the profile's columns of rows whose profile was not read: what is unknown is not 0. Changes the table that it
 * is given, and answers it.
 */
export function emptyUnread(table: Table): Table {
  const read = readRows(table);
  // Nearly always all were.
  if (!read.includes(0)) return table;
  const { numbers } = profileColumns(table);
  for (const column of numbers)
    for (let row = 0; row < read.length; row++) if (read[row] === 0) column[row] = Number.NaN;
  return table;
}
