import { crc32, deflateRawSync } from 'node:zlib';
import ExcelJS from 'exceljs';

/** Made-up xlsx files. */

export type Sheets = Record<string, (string | number | null)[][]>;

/** A workbook as exceljs writes it: shared strings, deflated. */
export async function workbook(
  sheets: Sheets,
  hidden: Readonly<Record<string, 'hidden' | 'veryHidden'>> = {},
): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets))
    book.addWorksheet(name, { state: hidden[name] ?? 'visible' }).addRows(rows);
  return Buffer.from(await book.xlsx.writeBuffer({ useSharedStrings: true } as object));
}

/** Deviations of an archive from the usual form. */
export interface Packing {
  /** As they are instead of deflated. */
  stored?: boolean;
  /** Behind each part's name, here and in the directory. */
  extra?: Buffer;
  /** At the archive's end. */
  comment?: Buffer;
}

/** A zip archive of these parts, deflated. */
export function archive(parts: Record<string, string | Buffer>, packing: Packing = {}): Buffer {
  const { stored = false, extra = Buffer.alloc(0), comment = Buffer.alloc(0) } = packing;
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    fields.writeUInt16LE(extra.length, 24);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, Buffer.from(name), extra);
    files.push(Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), extra, packed);
    offset += 30 + name.length + extra.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...files, listed, end, comment]);
}

/** A workbook of one sheet with this XML in its sheetData, or of several that all have it, these shared strings and properties. */
export function rawWorkbook(
  sheets: string | readonly string[],
  sheetData: string,
  strings = '',
  properties = '',
): Buffer {
  const main = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const named = [sheets].flat().map((sheet, index) => `<x:sheet name="${sheet}" sheetId="${index + 1}" q:id="r9"/>`);
  return archive({
    'xl/workbook.xml': `<x:workbook ${main} xmlns:q="${relations}">${properties}<x:sheets>${named.join('')}</x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r9" Type="${relations}/worksheet" Target="/xl/worksheets/odd.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/worksheets/odd.xml': `<x:worksheet ${main}><x:sheetData>${sheetData}</x:sheetData></x:worksheet>`,
  });
}

/** An OpenDocument spreadsheet with these tables in its body, these styles before it, and a part that nobody reads. */
export const odsWith = (tables: string, styles = '', padding = Buffer.alloc(0)): Buffer =>
  archive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    padding,
  });

const odsCell = (cell: string | number | null): string => {
  if (cell === null) return '<table:table-cell/>';
  const text = String(cell).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const type = typeof cell === 'number' ? `float" office:value="${cell}` : 'string';
  return `<table:table-cell office:value-type="${type}" calcext:value-type="float"><text:p>${text}</text:p></table:table-cell>`;
};

export const odsRow = (cells: readonly (string | number | null)[]): string =>
  `<table:table-row table:style-name="ro1">${cells.map(odsCell).join('')}</table:table-row>`;

/** The same as LibreOffice writes it: thousands of empty rows and columns stand behind each sheet's cells. */
export const ods = (sheets: Sheets): Buffer =>
  odsWith(
    Object.entries(sheets)
      .map(
        ([name, rows]) =>
          `<table:table table:name="${name}" table:style-name="ta1"><table:table-column table:number-columns-repeated="16384"/>${rows
            .map((row) =>
              odsRow(row).replace('</table:table-row>', '<table:table-cell table:number-columns-repeated="16370"/>$&'),
            )
            .join(
              '',
            )}<table:table-row table:number-rows-repeated="1048500"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
      )
      .join(''),
  );
