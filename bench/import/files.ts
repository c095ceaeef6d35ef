import { Bytes } from '../../worker/files/bytes.ts';

/** Makes scan files of any size. */

const HEADERS = [
  ...[
    'Kingdom',
    'Governor Name',
    'Governor ID',
    'Power',
    'Domain ID',
    'Alliance Tag',
    'Deads',
    'Kill Points',
    'Acclaim',
  ],
  ...['T1 Kills', 'T2 Kills', 'T3 Kills', 'T4 Kills', 'T5 Kills', 'Helps Given', 'Resources Gathered'],
  ...['Resources Given', 'Troop Power', 'Tech Power', 'Building Power', 'Commander Power', 'Town Hall'],
];

/** Returns a figure below `most` that depends on its position. */
const figure = (row: number, column: number, most: number): number =>
  Math.floor(((row * 7919 + column * 104_729) % 9973) * (most / 9973));

function rowOf(row: number): (string | number)[] {
  return HEADERS.map((header, column) => {
    if (header === 'Kingdom') return 4001 + Math.floor(row / 10_000);
    if (header === 'Governor ID') return 70_000_000 + row;
    if (header === 'Governor Name') return `Moss 灯 ${row}`;
    if (header === 'Alliance Tag') return `T${row % 40}`;
    return header === 'Town Hall' ? 25 : figure(row, column, 2e9);
  });
}

/** Columns per row. 100,000 such rows make a file of 19 MB, and the importer accepts 20 MB. */
const CSV_COLUMNS = 19;

/** Makes a csv file. */
export function csvOf(rows: number): Buffer {
  const out = new Bytes(rows * 200);
  out.text(`${HEADERS.slice(0, CSV_COLUMNS).join(',')}\n`);
  for (let row = 0; row < rows; row++) out.text(`${rowOf(row).slice(0, CSV_COLUMNS).join(',')}\n`);
  return Buffer.from(out.take());
}

/** Makes an xlsx file with exceljs: shared strings, deflated. */
export async function xlsxOf(rows: number): Promise<Buffer> {
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('2026-01-05');
  sheet.addRow(HEADERS);
  for (let row = 0; row < rows; row++) sheet.addRow(rowOf(row));
  return Buffer.from(await book.xlsx.writeBuffer());
}
