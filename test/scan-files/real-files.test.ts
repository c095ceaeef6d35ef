import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { columnOf } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { rowsIn } from '../support/readings.ts';

/** Real exports hold real players' names and so are no part of this repository: REAL_SCANS names their folder. */
const folder = process.env.REAL_SCANS ?? '';
const beside = join(folder, '..', 'other-data');
const files = folder
  ? [folder, beside]
      .filter(existsSync)
      .flatMap((root) => globSync('**/*.{csv,xlsx,json}', { cwd: root }).map((path) => join(root, path)))
  : ['none'];

/** A file read by other means: its rows by header, in the file's order. */
async function independently(path: string): Promise<Record<string, unknown>[]> {
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

/** A cell of figures by the plainest of means; null where there is no number. */
function figureOf(cell: unknown): number | null {
  const text = String(cell ?? '')
    .replaceAll(',', '')
    .trim();
  if (/^true$/i.test(text)) return 1;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

describe.skipIf(!folder)('real files (skipped unless REAL_SCANS names their folder)', () => {
  test.each(files)('%s: every line is accounted for, every cell is what other means read', async (path) => {
    const reading = await readScanFile(basename(path), readFileSync(path));
    const rows = await independently(path);
    expect(reading.lines.read).toBe(rows.length);
    expect(reading.lines.kept + reading.lines.dropped).toBe(rows.length);
    expect(reading.problems.filter(({ dropped }) => dropped)).toHaveLength(reading.lines.dropped);
    expect(reading.unknown_headers).toEqual([]);
    const { game, mapping, scans } = reading;
    const idHeader = mapping.find(({ column }) => column === 'governor_id' || column === 'lord_id')?.header ?? '';
    for (const stage of new Set(scans.map((scan) => scan.stage))) {
      const read = new Map<unknown, Row>(
        rowsIn(scans.filter((scan) => scan.stage === stage)).map((row) => [row.governor_id ?? row.lord_id, row]),
      );
      const headers = mapping.filter((each) => each.column && (each.stage === null || each.stage === stage));
      let compared = 0;
      for (const wire of rows) {
        const own = read.get(figureOf(wire[idHeader]));
        if (!own) continue;
        for (const { header, column } of headers) {
          const known = columnOf(game, column as string);
          const cell = wire[header] ?? wire[` ${header} `] ?? wire[header.trim()];
          // The kingdom of a file may be the name's, a server 0 is none, an alliance's cell is two columns.
          if (!known || /kingdom/i.test(header) || (known.key === 'home_server' && cell === '0')) continue;
          compared++;
          if (known.type !== 'text') expect([header, own[known.key]]).toEqual([header, figureOf(cell)]);
          else if (known.key === 'name') expect(own.name).toBe(String(cell ?? ''));
          else
            expect(own[known.key] ?? '').toBe(
              String(cell ?? '')
                .trim()
                .replace(/^-$/, ''),
            );
        }
      }
      expect(compared).toBeGreaterThan(read.size * 3);
    }
  });
});
