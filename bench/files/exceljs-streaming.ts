import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import ExcelJs from 'exceljs';
import { cellOf, type Table } from '../../domain/scans/rows.ts';
import { columns } from './table.ts';

/** Writes a table by exceljs' streaming writer, with the same rows, header and number formats but no second sheet. */
export async function streamedByExceljs(table: Table): Promise<void> {
  const stream = createWriteStream('/dev/null');
  const book = new ExcelJs.stream.xlsx.WorkbookWriter({ stream, useStyles: true, useSharedStrings: false });
  const sheet = book.addWorksheet('Kingdom 3584', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ key, title, type }) => ({
    header: title,
    key,
    width: 15,
    style: type === 'text' ? {} : { numFmt: '#,##0' },
  }));
  for (let row = 0; row < table.count; row++)
    sheet.addRow(columns.map((column) => cellOf(table, column, row))).commit();
  sheet.commit();
  const closed = once(stream, 'close');
  await book.commit();
  await closed;
}
