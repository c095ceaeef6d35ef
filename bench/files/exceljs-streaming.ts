import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import ExcelJs from 'exceljs';
import { columnOf } from '../../domain/games/games.ts';
import { cellOf } from '../../domain/scans/rows.ts';
import { forgetPeak, peak, resident } from '../memory.ts';
import { COLUMNS, makeTable } from './table.ts';

/**
 * Measures exceljs' streaming writer on Node, with the same rows, header and number formats but no second sheet. Prints
 * the time and processor time in ms, and the memory above the start in bytes.
 */
const table = makeTable(Number(process.argv[2]));
const columns = COLUMNS.map((key) => columnOf('rok', key)).filter((column) => column !== undefined);
const before = resident(process.pid);
forgetPeak(process.pid);
const [start, processor] = [performance.now(), process.cpuUsage()];
const stream = createWriteStream('/dev/null');
const book = new ExcelJs.stream.xlsx.WorkbookWriter({ stream, useStyles: true, useSharedStrings: false });
const sheet = book.addWorksheet('Kingdom 3584', { views: [{ state: 'frozen', ySplit: 1 }] });
sheet.columns = columns.map(({ key, title, type }) => ({
  header: title,
  key,
  width: 15,
  style: type === 'text' ? {} : { numFmt: '#,##0' },
}));
for (let row = 0; row < table.count; row++) sheet.addRow(columns.map((column) => cellOf(table, column, row))).commit();
sheet.commit();
const closed = once(stream, 'close');
await book.commit();
await closed;
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(processor);
console.log(JSON.stringify({ ms, processor: (user + system) / 1000, memory: peak(process.pid) - before }));
