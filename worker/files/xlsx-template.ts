import type { Worksheet } from 'exceljs';
import type { Column, ColumnType } from '../../domain/games/games.ts';
import { t, words } from '../../domain/language/text.ts';
import { QUALITY_TEXT, type Quality } from '../../domain/scans/quality.ts';
import { contentOf, unzip, type ZipEntry } from './zip.ts';

/** Facts of the sheet behind the rows. */
interface Facts {
  /** Labels in the file's language, and values, in order. */
  figures: readonly [label: string, value: string | number | Date][];
  quality: Partial<Record<Quality, number>>;
  /** The game's words for kingdom and governors, in the file's language. */
  nouns: { kingdom: string; governors: string };
  kingdoms: readonly { kingdom_id: number; captured_at: number; rows: number; source: string }[];
}

/** Facts with their sheet's other texts. These are made first, because a file is written after its language was left. */
export interface Summary extends Omit<Facts, 'quality' | 'nouns'> {
  title: string;
  quality: readonly [text: string, count: string | number][];
  head: readonly string[];
}

/** Returns a summary in the current language. */
export const summaryOf = ({ figures, quality, nouns, kingdoms }: Facts): Summary => ({
  title: t('Summary'),
  figures,
  quality: [
    [t('How well the rows were read'), nouns.governors],
    ...Object.entries(quality).map(([name, count]): [string, number] => [words(QUALITY_TEXT[name as Quality]), count]),
  ],
  head: [nouns.kingdom, t('Scanned at'), nouns.governors, t('Source')],
  kingdoms,
});

/** The longest name of a sheet. */
const LONGEST_NAME = 31;

/** Returns names that sheets may have: short, without `[]:*?/\\` or an apostrophe at an edge, and each only once. */
function sheetNames(titles: readonly string[]): string[] {
  const names: string[] = [];
  for (const title of titles) {
    const name =
      title
        .replace(/[[\]:*?/\\]/g, ' ')
        .replace(/^'|'$/g, ' ')
        .trim()
        .slice(0, LONGEST_NAME) || 'Muster';
    const isTaken = names.some((other) => other.toLowerCase() === name.toLowerCase());
    names.push(isTaken ? `${name.slice(0, LONGEST_NAME - 3)} ${names.length + 1}` : name);
  }
  return names;
}

/** A sheet of rows: its title, columns and number of rows. */
export interface RowSheet {
  title: string;
  columns: readonly Column[];
  rows: number;
}

/** A styled workbook without its rows. */
export interface Template {
  /** All parts of the file except the sheets of rows. */
  entries: readonly ZipEntry[];
  /** The sheets of rows, each with the style number of every column's cells. */
  sheets: readonly { name: string; head: string; tail: string; styles: readonly string[] }[];
}

const NUMBER_FORMAT: Readonly<Record<ColumnType, string | undefined>> = {
  integer: '#,##0',
  decimal: '#,##0.##',
  text: undefined,
};
/** Identifiers get no thousands separators, which would break searches. */
const formatOf = ({ ident, type }: Column): string | undefined => (ident ? '0' : NUMBER_FORMAT[type]);

const WIDTH: Readonly<Record<ColumnType, number>> = { integer: 15, decimal: 12, text: 14 };
const widthOf = ({ key, type, title }: Column): number => Math.max(key === 'name' ? 26 : WIDTH[type], title.length + 4);

const HEADER = { fill: 'FF1F2937', text: 'FFFFFFFF' };
const MOMENT = 'yyyy-mm-dd hh:mm "UTC"';

/** Creates the workbook by exceljs with one row per sheet, which only supplies styles and is removed again. */
export async function makeTemplate(sheets: readonly RowSheet[], summary: Summary): Promise<Template> {
  // Loaded with the first xlsx: it is most of the Worker's code, and start-up is limited to one second.
  const { default: ExcelJs } = await import('exceljs');
  const book = new ExcelJs.Workbook();
  book.creator = 'Muster';
  book.created = new Date(Math.max(0, ...summary.kingdoms.map(({ captured_at }) => captured_at)));
  // Otherwise the time of the export, by which two exports of the same rows would differ.
  book.modified = book.created;
  const names = sheetNames([...sheets.map(({ title }) => title), summary.title]);
  for (const [index, { columns, rows }] of sheets.entries())
    dataSheet(book.addWorksheet(names[index], { views: [{ state: 'frozen', ySplit: 1 }] }), columns, rows);
  summarySheet(book.addWorksheet(names.at(-1)), summary);
  return takeApart(new Uint8Array(await book.xlsx.writeBuffer()), sheets);
}

function dataSheet(sheet: Worksheet, columns: readonly Column[], rows: number): void {
  sheet.columns = columns.map((column) => ({ header: column.title, key: column.key, width: widthOf(column) }));
  headerStyle(sheet, columns.length);
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: rows + 1, column: columns.length } };
  columns.forEach((column, index) => {
    const cell = sheet.getRow(2).getCell(index + 1);
    cell.value = 0;
    const numFmt = formatOf(column);
    if (numFmt) cell.numFmt = numFmt;
    cell.alignment = { horizontal: column.type === 'text' ? 'left' : 'right' };
  });
}

function headerStyle(sheet: Worksheet, columns: number): void {
  for (let column = 1; column <= columns; column++) {
    const cell = sheet.getRow(1).getCell(column);
    cell.font = { bold: true, color: { argb: HEADER.text } };
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: HEADER.fill } };
    cell.alignment = { vertical: 'middle' };
  }
  sheet.getRow(1).height = 20;
}

function summarySheet(sheet: Worksheet, { title, figures, quality, head, kingdoms }: Summary): void {
  sheet.columns = [{ width: 34 }, { width: 24 }, { width: 14 }, { width: 40 }];
  sheet.addRow([title, '']);
  headerStyle(sheet, 2);
  // The cell where Hero Scrolls writes the time and other tools look for it.
  if (kingdoms.length === 1 && kingdoms[0])
    sheet.getCell('F2').value = `${new Date(kingdoms[0].captured_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  for (const [label, value] of figures) {
    const cell = sheet.addRow([label, value]).getCell(2);
    cell.alignment = { horizontal: 'right' };
    if (value instanceof Date) cell.numFmt = MOMENT;
    else if (typeof value === 'number') cell.numFmt = '#,##0';
  }
  sheet.addRow([]);
  for (const [index, line] of quality.entries()) {
    const row = sheet.addRow([...line]);
    if (index === 0) row.font = { bold: true };
    else row.getCell(2).numFmt = '#,##0';
  }
  sheet.addRow([]);
  sheet.addRow([...head]).font = { bold: true };
  for (const { kingdom_id, captured_at, rows, source } of kingdoms) {
    const row = sheet.addRow([kingdom_id, new Date(captured_at), rows, source]);
    row.getCell(1).numFmt = '0';
    row.getCell(1).alignment = { horizontal: 'left' };
    row.getCell(2).numFmt = MOMENT;
    row.getCell(3).numFmt = '#,##0';
  }
}

const sheetName = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`;

function takeApart(book: Uint8Array, sheets: readonly RowSheet[]): Template {
  const entries = unzip(book);
  const names = new Set(sheets.map((_, index) => sheetName(index)));
  return {
    entries: entries.filter(({ name }) => !names.has(name) && !name.endsWith('/')),
    sheets: sheets.map((sheet, index) => {
      const entry = entries.find(({ name }) => name === sheetName(index));
      if (!entry) throw new Error('the workbook lacks a sheet');
      return { name: entry.name, ...frameOf(new TextDecoder().decode(contentOf(entry)), sheet) };
    }),
  };
}

/** Returns a sheet's XML before and after its rows, and the styles of its sample row's cells. */
function frameOf(xml: string, { columns, rows }: RowSheet): Omit<Template['sheets'][number], 'name'> {
  const [lender, tail] = xml.match(/<row r="2".*?<\/row>(.*)$/s) ?? [];
  if (lender === undefined || tail === undefined) throw new Error('the workbook has another make than expected');
  const styles = [...lender.slice(0, -tail.length).matchAll(/<c r="[A-Z]+2" s="(\d+)"/g)].map(
    ([, style]) => `${style}`,
  );
  if (styles.length !== columns.length) throw new Error('the workbook lacks styles');
  const head = xml
    .slice(0, -lender.length)
    .replace(/<dimension ref="[^"]*"\/>/, `<dimension ref="A1:${letters(columns.length - 1)}${rows + 1}"/>`);
  return { head, tail, styles };
}

/** Returns a column's letters for an index from 0: A … Z, AA … */
export const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));
