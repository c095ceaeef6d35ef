import { exact } from '../domain/figures.ts';
import { t } from '../domain/language/text.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_FILE_ROWS, ScanFileRefused } from './limits.ts';
import { PartReader } from './part-reader.ts';
import { freeTitle, type Look, MAX_SHEETS, type OnLine, type Workbook } from './sheets.ts';
import { CELL_WORK, ODS_TAG_WORK, type Work } from './work.ts';
import { attributeOf, type XmlHandlers } from './xml.ts';
import type { Zip } from './zip.ts';

/**
 * Reads OpenDocument spreadsheets (OASIS ODF 1.3). One part holds all sheets. A repeated cell or row is written once,
 * with the number of its copies.
 */

const CONTENT = 'content.xml';
const MANIFEST = 'META-INF/manifest.xml';

export const isOds = (zip: Zip): boolean => zip.has(CONTENT) && !zip.has('xl/workbook.xml');

/** Opens an ods file and looks at its sheets; throws a sentence if it is damaged or locked. */
export async function openOds(zip: Zip, work: Work, look: Look): Promise<Workbook> {
  const manifest = new TextDecoder().decode(zip.part(MANIFEST) ?? undefined);
  if (/encryption-data/.test(manifest))
    throw new ScanFileRefused(t('The workbook is locked with a password: save it without one.'));
  const rows = new OdsRows(look, work);
  await readContent(zip, work, rows);
  return {
    sheets: [...rows.sheets.keys()],
    hidden: rows.hidden,
    from1904: false,
    read: (wanted) => readContent(zip, work, new OdsRows((sheet) => wanted.get(sheet) ?? null, work, wanted.size)),
  };
}

async function readContent(zip: Zip, work: Work, rows: OdsRows): Promise<void> {
  const xml = new PartReader(rows, work);
  for await (const piece of zip.pieces(CONTENT) ?? []) {
    xml.push(piece);
    if (rows.stopped) return;
    await work.pause();
  }
  xml.end();
}

/** Most lines of all sheets, also of those that are not read. A scan fills half of them. */
const MAX_LINES = 2 * MAX_FILE_ROWS;

/** Most copies of a line with content. Copies are made in one turn, and a scan has each player once. */
const MAX_REPEATS = 100;

/** Returns how many times a cell or row is repeated. */
const repeated = (attributes: string, of: 'columns' | 'rows'): number => {
  const times = Number(attributeOf(attributes, `:number-${of}-repeated`) ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
};

/** Lists the sheets and puts the cells of the wanted ones together to lines. */
class OdsRows implements XmlHandlers {
  stopped = false;
  readonly sheets = new Map<string, string>();
  readonly hidden = new Set<string>();
  readonly #look: Look;
  readonly #work: Work;
  /** Sheets still to read. */
  #wanted: number;
  readonly #cells: Cell[] = [];
  /** Names of the styles of hidden sheets. */
  readonly #unseen = new Set<string>();
  #style = '';
  #depth = 0;
  #line = 0;
  /** Rows of all sheets so far. */
  #lines = 0;
  #onLine: OnLine | null = null;
  #rows = 1;
  #column = 0;
  #columns = 1;
  #attributes = '';
  #text = '';
  #paragraphs = 0;
  #inText = 0;
  /** Inside of a note at the cell, which has paragraphs too. */
  #inNote = 0;

  /** Stops after `wanted` sheets. */
  constructor(look: Look, work: Work, wanted = Infinity) {
    this.#look = look;
    this.#work = work;
    this.#wanted = wanted;
  }

  open(name: string, attributes: string): void {
    // A table inside a cell is not a sheet.
    if (name === 'table' && this.#depth++ === 0) this.#openSheet(attributes);
    if (this.#depth === 0) this.#learnStyle(name, attributes);
    if (name === 'table-row' && ++this.#lines > MAX_LINES)
      throw new ScanFileRefused(
        t('The sheets have more than {most} lines. Keep only those of the scan.', { most: exact(MAX_LINES) }),
      );
    if (!this.#onLine) return;
    this.#work.spend(ODS_TAG_WORK);
    if (this.#depth !== 1) return;
    if (name === 'table-row') {
      this.#rows = repeated(attributes, 'rows');
      this.#column = 0;
      this.#cells.length = 0;
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#attributes = attributes;
      this.#columns = repeated(attributes, 'columns');
      this.#text = '';
      this.#paragraphs = 0;
    } else if (name === 'annotation') this.#inNote++;
    else if (name === 'p') {
      this.#inText++;
      if (this.#inNote === 0 && this.#paragraphs++ > 0) this.#add('\n');
    } else if (name === 's' && this.#inText > 0) this.#add(' ');
  }

  #learnStyle(name: string, attributes: string): void {
    if (name === 'style') this.#style = attributeOf(attributes, ':name') ?? '';
    if (
      name === 'table-properties' &&
      attributeOf(attributes, ':display') === 'false' &&
      this.#unseen.size < MAX_SHEETS
    )
      this.#unseen.add(this.#style);
  }

  #openSheet(attributes: string): void {
    if (this.sheets.size >= MAX_SHEETS)
      throw new ScanFileRefused(t('The workbook has more than {most} sheets.', { most: MAX_SHEETS }));
    const title = freeTitle(attributeOf(attributes, ':name') ?? '', this.sheets);
    this.sheets.set(title, title);
    if (this.#unseen.has(attributeOf(attributes, ':style-name') ?? '')) this.hidden.add(title);
    this.#onLine = this.#look(title);
    this.#line = 0;
    this.#inText = 0;
    this.#inNote = 0;
  }

  close(name: string): void {
    if (name === 'table') {
      if (--this.#depth === 0 && this.#onLine) this.#finishSheet();
      return;
    }
    if (this.#depth !== 1 || !this.#onLine) return;
    if (name === 'table-cell' || name === 'covered-table-cell') this.#cell();
    else if (name === 'table-row') this.#row();
    else if (name === 'annotation') this.#inNote--;
    else if (name === 'p') this.#inText--;
  }

  text(text: string): void {
    if (this.#onLine && this.#inText > 0) this.#add(text);
  }

  #add(text: string): void {
    if (this.#inNote === 0 && this.#text.length < MAX_CELL) this.#text += text;
  }

  #cell(): void {
    const cell = cellOf(this.#attributes, this.#text.slice(0, MAX_CELL));
    const from = this.#column;
    this.#column += this.#columns;
    if (cell === null) return;
    if (this.#column > MAX_COLUMNS)
      throw new ScanFileRefused(
        t('Line {line} has more than {most} columns.', { line: this.#line + 1, most: exact(MAX_COLUMNS) }),
      );
    while (this.#cells.length < from) this.#cells.push(null);
    for (let times = 0; times < this.#columns; times++) this.#cells.push(cell);
  }

  #row(): void {
    const first = this.#line + 1;
    this.#line += this.#rows;
    if (this.#cells.length === 0) return;
    if (this.#rows > MAX_REPEATS)
      throw new ScanFileRefused(
        t('Line {line} is repeated {times} times. Remove the copies.', {
          line: exact(first),
          times: exact(this.#rows),
        }),
      );
    for (let line = first; line <= this.#line && this.#onLine; line++) {
      this.#work.spend(this.#cells.length * CELL_WORK);
      if (this.#onLine(line, [...this.#cells]) === false) this.#finishSheet();
    }
  }

  /** No more of this sheet is wanted; after the last such one the reading stops. */
  #finishSheet(): void {
    this.#onLine = null;
    this.stopped = --this.#wanted === 0;
  }
}

function cellOf(attributes: string, text: string): Cell {
  const type = attributeOf(attributes, ':value-type');
  if (type === null) return text === '' ? null : text;
  if (type === 'string') return attributeOf(attributes, ':string-value') ?? text;
  if (type === 'date') return attributeOf(attributes, ':date-value');
  if (type === 'boolean') return attributeOf(attributes, ':boolean-value') === 'true';
  const value = Number(attributeOf(attributes, ':value') ?? Number.NaN);
  return Number.isNaN(value) ? text : value;
}
