import { exact } from '../domain/figures.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_CELL, MAX_COLUMNS, ScanFileRefused } from './limits.ts';
import { PartReader } from './part-reader.ts';
import { freeTitle, MAX_SHEETS, type OnLine, type Workbook } from './sheets.ts';
import { CELL_WORK, ODS_TAG_WORK, type Work } from './work.ts';
import { attributeOf, type XmlHandlers } from './xml.ts';
import type { Zip } from './zip.ts';

/** OpenDocument spreadsheets (OASIS ODF 1.3): one part holds all sheets, and repeated cells and rows stand there once. */

const CONTENT = 'content.xml';
const MANIFEST = 'META-INF/manifest.xml';

export const isOds = (zip: Zip): boolean => zip.has(CONTENT) && !zip.has('xl/workbook.xml');

/** Opens an ods file; throws a sentence if it is damaged or locked. */
export async function openOds(zip: Zip, work: Work): Promise<Workbook> {
  const manifest = new TextDecoder().decode(zip.part(MANIFEST) ?? undefined);
  if (/encryption-data/.test(manifest))
    throw new ScanFileRefused('The workbook is locked with a password: save it without one.');
  const sheets = new Map<string, string>();
  const hidden = new Set<string>();
  const list = new SheetList(sheets, hidden);
  await readContent(zip, work, list);
  return {
    sheets: [...sheets.keys()],
    hidden,
    from1904: false,
    async read(wanted) {
      const titles = [...sheets.keys()];
      await readContent(zip, work, new OdsRows(titles, wanted, work));
    },
  };
}

async function readContent(zip: Zip, work: Work, handlers: XmlHandlers & { stopped?: boolean }): Promise<void> {
  const xml = new PartReader(handlers, work);
  for await (const piece of zip.pieces(CONTENT) ?? []) {
    xml.push(piece);
    if (handlers.stopped) return;
    await work.pause();
  }
  xml.end();
}

/** Titles of the sheets in their order, and which of them a spreadsheet does not show. */
class SheetList implements XmlHandlers {
  readonly #sheets: Map<string, string>;
  readonly #hidden: Set<string>;
  /** Names of the styles of hidden sheets. */
  readonly #unseen = new Set<string>();
  #style = '';
  #depth = 0;

  constructor(sheets: Map<string, string>, hidden: Set<string>) {
    this.#sheets = sheets;
    this.#hidden = hidden;
  }

  open(name: string, attributes: string): void {
    if (name === 'style') this.#style = attributeOf(attributes, ':name') ?? '';
    if (
      name === 'table-properties' &&
      attributeOf(attributes, ':display') === 'false' &&
      this.#unseen.size < MAX_SHEETS
    )
      this.#unseen.add(this.#style);
    // A table inside of a cell is none of the sheets.
    if (name !== 'table' || this.#depth++ > 0) return;
    if (this.#sheets.size >= MAX_SHEETS) throw new ScanFileRefused(`The workbook has more than ${MAX_SHEETS} sheets.`);
    const title = freeTitle(attributeOf(attributes, ':name') ?? '', this.#sheets);
    this.#sheets.set(title, title);
    if (this.#unseen.has(attributeOf(attributes, ':style-name') ?? '')) this.#hidden.add(title);
  }

  close(name: string): void {
    if (name === 'table') this.#depth--;
  }

  text(): void {}
}

/** Most copies of a line with content. Copies are made in one turn, and a scan has each player once. */
const MAX_REPEATS = 100;

/** Returns how many times a cell or row is repeated. */
const repeated = (attributes: string, of: 'columns' | 'rows'): number => {
  const times = Number(attributeOf(attributes, `:number-${of}-repeated`) ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
};

/** Puts the cells of the wanted sheets together to lines. */
class OdsRows implements XmlHandlers {
  stopped = false;
  readonly #titles: readonly string[];
  readonly #wanted: Map<string, OnLine>;
  readonly #work: Work;
  readonly #cells: Cell[] = [];
  #sheet = -1;
  #depth = 0;
  #line = 0;
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

  constructor(titles: readonly string[], wanted: ReadonlyMap<string, OnLine>, work: Work) {
    this.#titles = titles;
    this.#wanted = new Map(wanted);
    this.#work = work;
  }

  open(name: string, attributes: string): void {
    this.#work.spend(ODS_TAG_WORK);
    if (name === 'table' && this.#depth++ === 0) {
      this.#onLine = this.#wanted.get(this.#titles[++this.#sheet] ?? '') ?? null;
      this.#line = 0;
    }
    if (this.#depth !== 1 || !this.#onLine) return;
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
      throw new ScanFileRefused(`Line ${this.#line + 1} has more than ${exact(MAX_COLUMNS)} columns.`);
    while (this.#cells.length < from) this.#cells.push(null);
    for (let times = 0; times < this.#columns; times++) this.#cells.push(cell);
  }

  #row(): void {
    const first = this.#line + 1;
    this.#line += this.#rows;
    if (this.#cells.length === 0) return;
    if (this.#rows > MAX_REPEATS)
      throw new ScanFileRefused(`Line ${exact(first)} is repeated ${exact(this.#rows)} times. Remove the copies.`);
    for (let line = first; line <= this.#line && this.#onLine; line++) {
      this.#work.spend(this.#cells.length * CELL_WORK);
      if (this.#onLine(line, [...this.#cells]) === false) this.#finishSheet();
    }
  }

  /** No more of this sheet is wanted; without any other the reading stops. */
  #finishSheet(): void {
    this.#wanted.delete(this.#titles[this.#sheet] ?? '');
    this.#onLine = null;
    this.stopped = this.#wanted.size === 0;
  }
}

function cellOf(attributes: string, text: string): Cell {
  const type = attributeOf(attributes, ':value-type');
  if (type === null) return text === '' ? null : text;
  if (type === 'string') return attributeOf(attributes, ':string-value')?.slice(0, MAX_CELL) ?? text;
  if (type === 'date') return attributeOf(attributes, ':date-value');
  if (type === 'boolean') return attributeOf(attributes, ':boolean-value') === 'true';
  const value = Number(attributeOf(attributes, ':value') ?? Number.NaN);
  return Number.isNaN(value) ? text : value;
}
