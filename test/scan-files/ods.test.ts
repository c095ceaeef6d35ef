import { describe, expect, test } from 'vitest';
import type { Cell } from '../../domain/scans/numerals.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { openWorkbook } from '../../scan-files/workbook.ts';
import { archive, ods, odsRow, odsWith } from './workbooks.ts';

const HEAD = ['Governor ID', 'Name', 'Power'];
const table = (name: string, rows: string, style = 'ta1') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;

async function linesOf(bytes: Buffer, most = Number.POSITIVE_INFINITY) {
  const book = await openWorkbook(bytes);
  const lines: Record<string, [number, Cell[]][]> = {};
  const takes = (sheet: string) => (line: number, cells: Cell[]) => {
    lines[sheet] = [...(lines[sheet] ?? []), [line, [...cells]]];
    return lines[sheet].length < most;
  };
  await book.read(new Map(book.sheets.map((sheet) => [sheet, takes(sheet)])));
  return lines;
}

describe('a spreadsheet of LibreOffice', () => {
  test('is read like the same rows in xlsx, with a scan for each kingdom’s sheet', async () => {
    const bytes = ods({
      1001: [HEAD, [1, 'Åse & <co>', 50], [2, 'B', 40]],
      1002: [HEAD, [3, 'C', 30]],
      Notes: [['x']],
    });
    const { scans, problems } = await readScanFile('2026-01-05.ods', bytes);
    expect(
      scans.map(({ kingdom_id, captured_at, table }) => [
        kingdom_id,
        captured_at,
        [...(table.numbers.power ?? [])],
        table.texts.name,
      ]),
    ).toEqual([
      [1001, Date.parse('2026-01-05'), [50, 40], ['Åse & <co>', 'B']],
      [1002, Date.parse('2026-01-05'), [30], ['C']],
    ]);
    expect(problems.map(({ reason }) => reason)).toEqual(["The sheet 'Notes' was not read."]);
  });

  test('has cells of every kind', async () => {
    const cell = (about: string, text = '') => `<table:table-cell ${about}>${text}</table:table-cell>`;
    const note = '<office:annotation><dc:date>2026</dc:date><text:p>a note</text:p></office:annotation>';
    const cells = [
      cell('office:value-type="date" office:date-value="2026-01-05T18:30:00"', '<text:p>05.01.</text:p>'),
      cell('office:value-type="percentage" office:value="0.5"', '<text:p>50%</text:p>'),
      cell('office:value-type="boolean" office:boolean-value="true"', '<text:p>TRUE</text:p>'),
      cell('table:number-columns-repeated="2"'),
      cell(
        'office:value-type="string"',
        `${note}<text:p>two<text:s/><text:span>words</text:span></text:p><text:p>more</text:p>`,
      ),
      cell('office:value-type="float" office:value="7" table:number-columns-repeated="2"', '<text:p>7</text:p>'),
      '<table:covered-table-cell table:number-columns-repeated="3"/>',
    ];
    const rows = [
      '<table:table-row table:number-rows-repeated="4"><table:table-cell/></table:table-row>',
      `<table:table-row table:number-rows-repeated="2">${cells.join('')}</table:table-row>`,
    ];
    const line = ['2026-01-05T18:30:00', 0.5, true, null, null, 'two words\nmore', 7, 7];
    expect(await linesOf(odsWith(table('1', rows.join(''))))).toEqual({
      1: [
        [5, line],
        [6, line],
      ],
    });
  });

  test('may have hidden sheets, and can be read up to a line', async () => {
    const styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
    const bytes = odsWith(
      table('1001', odsRow(['a']) + odsRow(['b']), 'ta2') + table('1002', odsRow(['c']) + odsRow(['d'])),
      styles,
    );
    expect([...(await openWorkbook(bytes)).hidden]).toEqual(['1001']);
    expect(await linesOf(bytes, 1)).toEqual({ 1001: [[1, ['a']]], 1002: [[1, ['c']]] });
  });
});

describe('a hostile spreadsheet', () => {
  const repeated = (times: number, columns = 1) =>
    `<table:table-row table:number-rows-repeated="${times}"><table:table-cell office:value-type="float" office:value="5" table:number-columns-repeated="${columns}"/></table:table-row>`;
  const read = (rows: string) => readScanFile('1001.ods', odsWith(table('1001', odsRow(HEAD) + rows)));

  test('cannot repeat a cell or a row past the limits', async () => {
    await expect(read(repeated(1, 1001))).rejects.toThrow('Line 2 has more than 1,000 columns.');
    await expect(read(repeated(101))).rejects.toThrow('Line 2 is repeated 101 times. Remove the copies.');
    await expect(read(repeated(100).repeat(1001))).rejects.toThrow('The file has more than 100,000 rows.');
  });

  test('has 200,000 lines at most in all of its sheets, also those that are not read', async () => {
    const scan = table('1001', odsRow(HEAD) + odsRow([5, 'Moss', 9]));
    const notes = (lines: number) => odsWith(scan + table('Notes', '<table:table-row/>'.repeat(lines)));
    expect((await readScanFile('a.ods', notes(199_998))).lines.kept).toBe(1);
    await expect(readScanFile('a.ods', notes(199_999))).rejects.toThrow(
      'The sheets have more than 200,000 lines. Keep only those of the scan.',
    );
  });

  test('counts every repeated cell as work', async () => {
    await expect(read(repeated(100, 1000).repeat(1000))).rejects.toThrow(/far more than its rows need/);
  });

  test('is refused with a sentence if it is locked, cut or declares entities', async () => {
    const content = '<office:document-content><table:table table:name="1">';
    await expect(readScanFile('a.ods', archive({ 'content.xml': content }))).rejects.toThrow('is damaged');
    await expect(readScanFile('a.ods', archive({ 'content.xml': `<!DOCTYPE x>${content}` }))).rejects.toThrow(
      'entities',
    );
    const manifest =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const locked = archive({ 'content.xml': Buffer.from([1, 2, 3]), 'META-INF/manifest.xml': manifest });
    await expect(readScanFile('a.ods', locked)).rejects.toThrow('locked with a password');
  });
});
