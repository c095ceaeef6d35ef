import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { expect } from 'vitest';
import { columnOf, type GameId } from '../../domain/games/games.ts';
import type { HeaderMapping } from '../../domain/scans/dialect.ts';
import type { Row } from '../../domain/scans/rows.ts';

/** Scan files read with none of the product's own code, to hold what the product reads against. */

/** A file's rows by header, in the file's order. */
export async function independently(path: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(path);
  if (path.endsWith('.json')) return JSON.parse(bytes.toString()) as Record<string, unknown>[];
  if (path.endsWith('.csv')) {
    const text = path.includes('cp1252') ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString();
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, relax_quotes: true });
  }
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(bytes as never);
  const sheet = book.worksheets.find(({ name }) => /^\d+$/.test(name)) ?? book.worksheets[0];
  const [, ...headers] = (sheet?.getRow(1).values ?? []) as string[];
  const rows: Record<string, unknown>[] = [];
  sheet?.eachRow((row, number) => {
    const cells = headers.map((header, index) => [header, row.getCell(index + 1).value ?? '']);
    if (number > 1) rows.push(Object.fromEntries(cells));
  });
  return rows;
}

/** Parses a figure in the simplest way; null if it is not a number. */
export function figureOf(cell: unknown): number | null {
  const text = String(cell ?? '')
    .replaceAll(',', '')
    .trim();
  if (/^true$/i.test(text)) return 1;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/** Exports of Call of Dragons write 0 as a dash in two columns, if the kills by tier were read. */
const dashOf = (wire: Record<string, unknown>, header: string): number | null =>
  ['merits', 'units_killed'].includes(header) && wire[header] === '-' && figureOf(wire.killcount_t1) !== null
    ? 0
    : null;

const idOf = (row: Row) => row.governor_id ?? row.lord_id;

/** Holds the rows that the product read (of one moment) against a file's own; answers how many cells were compared. */
export function expectSame(
  game: GameId,
  wires: readonly Record<string, unknown>[],
  headers: readonly HeaderMapping[],
  read: readonly Row[],
): number {
  const idHeader = headers.find(({ column }) => column === 'governor_id' || column === 'lord_id')?.header ?? '';
  const byId = new Map(read.map((row) => [idOf(row), row]));
  let compared = 0;
  for (const wire of wires) {
    const own = byId.get(figureOf(wire[idHeader]));
    if (!own) continue;
    for (const { header, column } of headers) {
      const known = columnOf(game, column ?? '');
      const cell = wire[header] ?? wire[` ${header} `] ?? wire[header.trim()];
      // The kingdom may come from the file's name, server 0 means none, and an alliance's cell fills two columns.
      if (!known || /kingdom/i.test(header) || (known.key === 'home_server' && cell === '0')) continue;
      compared++;
      const value = own[known.key] ?? null;
      if (known.type !== 'text') expect([header, value]).toEqual([header, figureOf(cell) ?? dashOf(wire, header)]);
      else if (known.key === 'name') expect(value).toBe(String(cell ?? ''));
      else
        expect(value ?? '').toBe(
          String(cell ?? '')
            .trim()
            .replace(/^-$/, ''),
        );
    }
  }
  return compared;
}
