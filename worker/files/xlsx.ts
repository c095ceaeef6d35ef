import { constants, deflateRawSync } from 'node:zlib';
import type { Column } from '../../domain/games/games.ts';
import type { Table } from '../../domain/scans/rows.ts';
import { takeMemory } from '../isolate/memory.ts';
import { Bytes, Phrase } from './bytes.ts';
import { type Cells, cellsIn, type RowWriter } from './row-writer.ts';
import { letters, makeTemplate, type RowSheet, type Summary, type Template } from './xlsx-template.ts';
import { ZipWriter } from './zip.ts';

/**
 * xlsx (docs/decisions/xlsx.md): exceljs creates the workbook; its rows are written here as bytes, deflated in pieces
 * and put into its zip. exceljs alone needs 1 GB for a hundred thousand rows; an isolate has 128 MB.
 */

/** From this many rows a workbook waits for its memory. */
const LARGE = 20_000;

const PIECE_BYTES = 512 * 1024;
const DEFLATE = {
  // On real scans, files are 4 % larger than at level 2 and 9 % larger than at level 4, which takes half as much time
  // again.
  level: 1,
  // A window of 8 kB holds a dozen rows. It takes up to 3 % less time and space than the usual 32 kB.
  windowBits: 13,
  // A piece packed, at most as a rule. A smaller chunk would be copied together with others.
  chunkSize: 128 * 1024,
};

export interface XlsxSheet extends RowSheet {
  summary: Summary;
}

/** A sheet with the tables of its rows. */
export interface FilledSheet extends RowSheet {
  tables: () => AsyncIterable<Table>;
}

/** Yields the bytes of a workbook with one sheet and its summary. Waits for the memory of a large one. */
export async function* xlsxChunks(
  { summary, ...sheet }: XlsxSheet,
  tables: () => AsyncIterable<Table>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const slot = sheet.rows >= LARGE ? await takeMemory('workbook') : undefined;
  try {
    yield* workbookChunks([{ ...sheet, tables }], summary);
  } finally {
    slot?.release();
  }
}

/** Yields the bytes of a workbook with several sheets and their summary. The caller has taken the memory. */
export async function* workbookChunks(
  sheets: readonly FilledSheet[],
  summary: Summary,
): AsyncGenerator<Uint8Array, void, undefined> {
  const template = await makeTemplate(sheets, summary);
  const zip = new ZipWriter();
  const xml = new Bytes(PIECE_BYTES + 64 * 1024);
  // Each piece is deflated separately. A sync flush ends it on a byte boundary, so that pieces can be concatenated.
  const piece = (finishFlush: number) => {
    const content = xml.view();
    const written = zip.write(content, deflateRawSync(content, { ...DEFLATE, finishFlush }));
    xml.clear();
    return written;
  };
  for (const entry of template.entries) yield* zip.add(entry);
  for (const [index, { columns, tables }] of sheets.entries()) {
    const frame = template.sheets[index] as Template['sheets'][number];
    yield* zip.begin(frame.name);
    xml.text(frame.head);
    const rowsOf = xlsxRows(columns, frame.styles);
    let number = 0;
    for await (const table of tables()) {
      const write = rowsOf(table);
      for (let row = 0; row < table.count; row++) {
        write(xml, row, number++);
        if (xml.length > PIECE_BYTES) yield* piece(constants.Z_SYNC_FLUSH);
      }
    }
    xml.text(frame.tail);
    yield* piece(constants.Z_FINISH);
    yield* zip.end();
  }
  yield* zip.finish();
}

const ROW = new Phrase('<row r="');
const OPENED = new Phrase('">');
const END_ROW = new Phrase('</row>');
const END_NUMBER = new Phrase('</v></c>');
const END_TEXT = new Phrase('</t></is></c>');

const xlsxRows = (columns: readonly Column[], styles: readonly string[]): RowWriter => {
  const starts = columns.map((_, index) => new Phrase(`<c r="${letters(index)}`));
  const numberStarts = styles.map((style) => new Phrase(`" s="${style}"><v>`));
  const textStarts = styles.map((style) => new Phrase(`" s="${style}" t="inlineStr"><is>`));
  return (table) => {
    const cells = cellsIn(table, columns);
    return (out, row, number) => {
      out.phrase(ROW);
      const digits = out.length;
      out.number(number + 2);
      const digitCount = out.length - digits;
      out.phrase(OPENED);
      for (let index = 0; index < cells.length; index++) {
        const { numbers, texts } = cells[index] as Cells;
        const text = texts?.[row];
        const isNumber = numbers !== null && !Number.isNaN(numbers[row]);
        if (!isNumber && !text) continue;
        out.phrase(starts[index] as Phrase);
        out.again(digits, digitCount);
        out.phrase((isNumber ? numberStarts : textStarts)[index] as Phrase);
        if (isNumber) out.numberAt(numbers, row);
        else if (text) writeText(out, text);
        out.phrase(isNumber ? END_NUMBER : END_TEXT);
      }
      out.phrase(END_ROW);
    };
  };
};

/** Characters that XML cannot contain or would change, and texts that Excel would read as an escape of one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
const SPECIAL = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/i;
const EVERY_SPECIAL = new RegExp(SPECIAL.source, 'gi');
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns Excel's escape (ECMA-376 part 1, 22.9.2.19, ST_Xstring): `_x000D_` is a carriage return. */
const escaped = (character: string): string =>
  ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Writes an inline string, which Excel never runs as a formula. */
function writeText(out: Bytes, value: string): void {
  const edges = value.charCodeAt(0) <= 0x20 || value.charCodeAt(value.length - 1) <= 0x20;
  out.text(edges ? '<t xml:space="preserve">' : '<t>');
  out.text(SPECIAL.test(value) ? value.replace(EVERY_SPECIAL, escaped) : value);
}
