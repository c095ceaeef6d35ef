import { exact } from '../domain/figures.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_COLUMNS, MAX_PARTS, MAX_TEXTS, ScanFileRefused } from './limits.ts';
import { attributeOf, type XmlHandlers, XmlScanner } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

/** A workbook's sheets as lines of cells: values only, no styles; of a formula what it came to when it was saved. */
export interface Workbook {
  sheets: string[];
  /** Those of them that a spreadsheet does not show. */
  hidden: ReadonlySet<string>;
  /** True where days are counted from 1904, as old Macs did. */
  from1904: boolean;
  /**
   * Tells the lines of a sheet that hold something, until `onLine` answers false. The cells belong to the reader and
   * change with the next line. Throws where there is no such sheet, and where it is damaged or too large.
   */
  read(sheet: string, onLine: (line: number, cells: Cell[]) => unknown): Promise<void>;
}

const MAX_SHEETS = 500;
/** Excel's last line. */
const MAX_LINE = 1_048_576;

/** Opens an xlsx file; throws a sentence where it is none or is damaged. */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const zip = openZip(bytes);
  const { parts, hidden, from1904 } = sheetParts(zip);
  let shared: string[] | undefined;
  return {
    sheets: [...parts.keys()],
    hidden,
    from1904,
    async read(sheet, onLine) {
      const pieces = zip.pieces(parts.get(sheet) ?? '');
      if (!pieces) throw new ScanFileRefused(`The xlsx file has no sheet '${sheet}'.`);
      shared ??= sharedStrings(zip);
      const rows = new SheetRows(shared, onLine);
      const xml = new XmlScanner(rows);
      const decoder = new TextDecoder();
      for await (const piece of pieces) {
        xml.push(decoder.decode(piece, { stream: true }));
        if (rows.stopped) return;
      }
      xml.push(decoder.decode());
      xml.end();
    },
  };
}

/** Walks a small part of the workbook. */
function walk(part: Uint8Array, handlers: Partial<XmlHandlers>): void {
  const nothing = () => undefined;
  const xml = new XmlScanner({ open: nothing, close: nothing, text: nothing, ...handlers });
  const decoder = new TextDecoder();
  // In pieces, so that what is cut out of the text does not keep all of it.
  for (let from = 0; from < part.length; from += 65_536)
    xml.push(decoder.decode(part.subarray(from, from + 65_536), { stream: true }));
  xml.push(decoder.decode());
  xml.end();
}

interface Listed extends Pick<Workbook, 'hidden' | 'from1904'> {
  /** Sheet names in the workbook's order with the path of each one's part. */
  parts: Map<string, string>;
}

/** What the workbook says of its sheets. */
function sheetParts(zip: Zip): Listed {
  const workbook = zip.part('xl/workbook.xml');
  const relations = zip.part('xl/_rels/workbook.xml.rels');
  if (!workbook || !relations) throw new ScanFileRefused('This is not an xlsx file: it has no workbook.');
  const targets = new Map<string, string>();
  walk(relations, {
    open(name, attributes) {
      const id = attributeOf(attributes, 'Id');
      const target = attributeOf(attributes, 'Target');
      if (name === 'Relationship' && id && target)
        targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
      if (targets.size > MAX_PARTS) throw new ScanFileRefused('The xlsx file has more parts than a workbook.');
    },
  });
  const parts = new Map<string, string>();
  const hidden = new Set<string>();
  let from1904 = false;
  walk(workbook, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
      if (name !== 'sheet') return;
      const target = targets.get(attributeOf(attributes, ':id') ?? '');
      const title = attributeOf(attributes, 'name');
      if (title === null || !target) return;
      parts.set(title, target);
      if (/hidden/i.test(attributeOf(attributes, 'state') ?? '')) hidden.add(title);
      if (parts.size > MAX_SHEETS) throw new ScanFileRefused(`The workbook has more than ${MAX_SHEETS} sheets.`);
    },
  });
  return { parts, hidden, from1904 };
}

/** Excel writes characters that XML forbids as _x000D_ (ECMA-376, ST_Xstring). */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** The strings that cells refer to by number; runs of rich text are joined, readings (rPh) left out. */
function sharedStrings(zip: Zip): string[] {
  const part = zip.part('xl/sharedStrings.xml');
  if (!part) return [];
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let inReading = false;
  walk(part, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') inReading = true;
      inText = name === 't' && !inReading;
    },
    close(name) {
      if (name === 'rPh') inReading = false;
      if (name === 't') inText = false;
      if (name !== 'si') return;
      if (strings.length >= MAX_TEXTS)
        throw new ScanFileRefused(`The xlsx file has more than ${exact(MAX_TEXTS)} texts.`);
      strings.push(unescaped(text));
    },
    text(more) {
      if (inText) text += more;
    },
  });
  return strings;
}

/** Puts the cells of a sheet's XML together to lines. */
class SheetRows implements XmlHandlers {
  stopped = false;
  readonly #shared: readonly string[];
  readonly #onLine: (line: number, cells: Cell[]) => unknown;
  readonly #cells: Cell[] = [];
  #line = 0;
  #column = -1;
  #type = 'n';
  #text = '';
  #reading = false;

  constructor(shared: readonly string[], onLine: (line: number, cells: Cell[]) => unknown) {
    this.#shared = shared;
    this.#onLine = onLine;
  }

  open(name: string, attributes: string): void {
    if (name === 'row') {
      const said = Number(attributeOf(attributes, 'r'));
      this.#line = Number.isInteger(said) && said > 0 && said <= MAX_LINE ? said : this.#line + 1;
      this.#column = -1;
      this.#cells.length = 0;
    } else if (name === 'c') {
      const reference = attributeOf(attributes, 'r');
      this.#type = attributeOf(attributes, 't') ?? 'n';
      this.#column = reference ? columnAt(reference) : this.#column + 1;
      this.#text = '';
    } else this.#reading = name === 'v' || (name === 't' && this.#type === 'inlineStr');
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#reading = false;
    if (name === 'c') this.#cell();
    if (name === 'row' && this.#cells.length > 0 && !this.stopped)
      this.stopped = this.#onLine(this.#line, this.#cells) === false;
  }

  text(text: string): void {
    if (this.#reading) this.#text += text;
  }

  #cell(): void {
    if (this.#text === '' || this.#column < 0) return;
    if (this.#column >= MAX_COLUMNS)
      throw new ScanFileRefused(`Line ${this.#line} has more than ${exact(MAX_COLUMNS)} columns.`);
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column] = cellOf(this.#type, this.#text, this.#shared);
  }
}

/** 0 for A1, 26 for AA7. */
function columnAt(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const value = reference.charCodeAt(at) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column - 1;
}

function cellOf(type: string, text: string, shared: readonly string[]): Cell {
  if (type === 's') return shared[Number(text)] ?? null;
  if (type === 'str' || type === 'inlineStr') return unescaped(text);
  if (type === 'b') return text === '1';
  if (type === 'e') return null;
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}
