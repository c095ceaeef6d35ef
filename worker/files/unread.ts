import { GAMES } from '../../domain/games/games.ts';
import { layoutOf } from '../../domain/scans/layouts.ts';
import { numbersOf, type Table } from '../../domain/scans/rows.ts';

/**
 * Empties what a row does not know: where no highest power was read, the profile was not opened, and the score, the
 * deads and the kills are unknown and not 0 (specification, section 3: `highest_power` truthy means full data).
 * Changes the table that it is given, in those of the columns that it has, and answers it.
 */
export function blankUnread(table: Table): Table {
  const { full } = layoutOf(table);
  if (full === null) return table;
  const { roles } = GAMES[table.game];
  const highest = numbersOf(table, full);
  const figures = [roles.score, roles.deads, ...roles.tiers].map((key) => table.numbers[key]);
  for (let row = 0; row < table.count; row++) {
    if ((highest[row] as number) > 0) continue;
    for (const numbers of figures) if (numbers) numbers[row] = Number.NaN;
  }
  return table;
}
