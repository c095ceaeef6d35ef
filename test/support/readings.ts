import { GAMES } from '../../domain/games/games.ts';
import type { FileScan } from '../../domain/scans/file-scan.ts';
import { cellOf, type Row } from '../../domain/scans/rows.ts';

/** The rows of a file's scans as objects, in the order of the file's lines. */
export function rowsIn(scans: readonly FileScan[]): Row[] {
  const lined = scans.flatMap(({ table, lines, sheet }) => {
    const columns = GAMES[table.game].columns.filter(({ ours }) => !ours);
    return Array.from(lines, (line, at) => ({
      sheet: sheet ?? '',
      line,
      row: Object.fromEntries(columns.map((column) => [column.key, cellOf(table, column, at)])) as Row,
    }));
  });
  return lined.sort((a, b) => a.sheet.localeCompare(b.sheet) || a.line - b.line).map(({ row }) => row);
}
