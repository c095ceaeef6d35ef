import { Buffer } from 'node:buffer';
import { exact } from '../domain/figures.ts';
import { t } from '../domain/language/text.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_PARTS, MAX_TEXT_BYTES, MAX_TEXTS, ScanFileRefused } from './limits.ts';
import { PartReader, type UsualForm } from './part-reader.ts';
import { freeTitle, MAX_SHEETS, type OnLine, type Workbook } from './sheets.ts';
import { type UsualRow, unescaped, usualItem, usualRow } from './usual-xlsx.ts';
import type { Work } from './work.ts';
import { attributeOf, type XmlHandlers } from './xml.ts';
import type { Zip } from './zip.ts';

/** Excel's last line. */
const MAX_LINE = 1_048_576;

/** Opens an xlsx file. Throws a sentence if it is damaged. */
export function openXlsx(zip: Zip, work: Work): Workbook {
  const { parts, hidden, from1904 } = sheetParts(zip, work);
  let shared: string[] | undefined;
  return {
    sheets: [...parts.keys()],
    hidden,
    from1904,
    async read(wanted) {
      for (const [sheet, onLine] of wanted) {
        const pieces = zip.pieces(parts.get(sheet) ?? '');
        if (!pieces) throw new ScanFileRefused(t("The xlsx file has no sheet '{sheet}'.", { sheet }));
        shared ??= await sharedStrings(zip, work);
        await readRows(pieces, new SheetRows(shared, work, onLine), work);
      }
    },
  };
}

async function readRows(pieces: AsyncIterable<Uint8Array>, rows: SheetRows, work: Work): Promise<void> {
  const xml = new PartReader(rows, work, rows);
  for await (const piece of pieces) {
    xml.push(piece);
    if (rows.stopped) return;
    await work.pause();
  }
  xml.end();
}

const NO_HANDLERS: XmlHandlers = { open: () => undefined, close: () => undefined, text: () => undefined };

/** Reads a small part of the workbook. */
function walk(part: Uint8Array, handlers: Partial<XmlHandlers>, work: Work): void {
  const xml = new PartReader({ ...NO_HANDLERS, ...handlers }, work);
  xml.push(part);
  xml.end();
}

interface Listed extends Pick<Workbook, 'hidden' | 'from1904'> {
  /** Sheet names in the workbook's order → path of their part. */
  parts: Map<string, string>;
}

/** Reads the workbook's list of sheets. */
function sheetParts(zip: Zip, work: Work): Listed {
  const workbook = zip.part('xl/workbook.xml');
  const relations = zip.part('xl/_rels/workbook.xml.rels');
  if (!workbook || !relations) throw new ScanFileRefused(t('This is not an xlsx file: it has no workbook.'));
  const targets = new Map<string, string>();
  const onRelation = (name: string, attributes: string) => {
    if (name !== 'Relationship') return;
    const id = attributeOf(attributes, 'Id');
    const target = attributeOf(attributes, 'Target');
    if (id && target) targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    if (targets.size > MAX_PARTS) throw new ScanFileRefused(t('The workbook has more parts than a workbook.'));
  };
  walk(relations, { open: onRelation }, work);
  const parts = new Map<string, string>();
  const hidden = new Set<string>();
  let from1904 = false;
  const onSheet = (name: string, attributes: string) => {
    if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
    if (name !== 'sheet') return;
    const target = targets.get(attributeOf(attributes, ':id') ?? '');
    const said = attributeOf(attributes, 'name');
    if (said === null || !target) return;
    if (parts.size >= MAX_SHEETS)
      throw new ScanFileRefused(t('The workbook has more than {most} sheets.', { most: MAX_SHEETS }));
    const title = freeTitle(said, parts);
    parts.set(title, target);
    if (/hidden/i.test(attributeOf(attributes, 'state') ?? '')) hidden.add(title);
  };
  walk(workbook, { open: onSheet }, work);
  return { parts, hidden, from1904 };
}

/**
 * Reads the shared strings that cells refer to by number. Runs of rich text are joined; phonetic readings (rPh) are
 * omitted.
 */
async function sharedStrings(zip: Zip, work: Work): Promise<string[]> {
  const pieces = zip.pieces('xl/sharedStrings.xml');
  if (!pieces) return [];
  const texts = new SharedTexts();
  const xml = new PartReader(texts, work, texts);
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > MAX_TEXT_BYTES)
      throw new ScanFileRefused(
        t('The texts of the xlsx file unpack to more than {size} MB.', { size: MAX_TEXT_BYTES / 1e6 }),
      );
    xml.push(piece);
    await work.pause();
  }
  xml.end();
  return texts.strings;
}

class SharedTexts implements XmlHandlers, UsualForm {
  readonly strings: string[] = [];
  readonly end = Buffer.from('</si>');
  tags = 0;
  #text = '';
  #inText = false;
  #inReading = false;

  open(name: string): void {
    if (name === 'si') this.#text = '';
    if (name === 'rPh') this.#inReading = true;
    this.#inText = name === 't' && !this.#inReading;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inReading = false;
    if (name === 't') this.#inText = false;
    if (name === 'si') this.#add(unescaped(this.#text.slice(0, MAX_CELL)));
  }

  usual(bytes: Buffer, from: number, stop: number): number {
    let at = from;
    while (at < stop && !this.#inReading) {
      const item = usualItem(bytes, at);
      if (item === null) break;
      this.tags += 2;
      this.#add(item.text);
      at = item.end;
    }
    return at;
  }

  #add(text: string): void {
    if (this.strings.length >= MAX_TEXTS)
      throw new ScanFileRefused(t('The xlsx file has more than {most} texts.', { most: exact(MAX_TEXTS) }));
    this.strings.push(text);
    this.#text = '';
  }

  text(text: string): void {
    if (this.#inText && this.#text.length < MAX_CELL) this.#text += text;
  }
}

/** Assembles the cells of a sheet's XML into lines. */
class SheetRows implements XmlHandlers, UsualForm {
  stopped = false;
  readonly end = Buffer.from('</row>');
  tags = 0;
  readonly #usual: UsualRow = { line: 0, cells: [], tags: 0, shown: 0 };
  readonly #shared: readonly string[];
  readonly #work: Work;
  readonly #onLine: OnLine;
  readonly #cells: Cell[] = [];
  #line = 0;
  #column = -1;
  #type = 'n';
  #text = '';
  #reading = false;
  /** Characters of shared strings in the row, counted because a short cell may refer to a long string. */
  #shown = 0;

  constructor(shared: readonly string[], work: Work, onLine: OnLine) {
    this.#shared = shared;
    this.#work = work;
    this.#onLine = onLine;
  }

  open(name: string, attributes: string): void {
    if (name === 'row') {
      this.#startLine(Number(attributeOf(attributes, 'r')));
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
    if (name === 'row') this.#endLine(this.#cells, this.#shown);
  }

  usual(bytes: Buffer, from: number, stop: number): number {
    const row = this.#usual;
    let at = from;
    while (at < stop) {
      const end = usualRow(bytes, at, this.#shared, row);
      if (end < 0) break;
      at = end;
      this.tags += row.tags;
      this.#startLine(row.line);
      this.#endLine(row.cells, row.shown);
    }
    return at;
  }

  #startLine(said: number): void {
    this.#line = Number.isInteger(said) && said > 0 && said <= MAX_LINE ? said : this.#line + 1;
  }

  #endLine(cells: Cell[], shown: number): void {
    this.#work.spend(shown);
    if (cells.length > 0 && !this.stopped) this.stopped = this.#onLine(this.#line, cells) === false;
    this.#cells.length = 0;
    this.#shown = 0;
    this.#column = -1;
    this.#text = '';
    this.#type = 'n';
    this.#reading = false;
  }

  text(text: string): void {
    if (this.#reading && this.#text.length < MAX_CELL) this.#text += text;
  }

  #cell(): void {
    if (this.#text === '' || this.#column < 0) return;
    if (this.#column >= MAX_COLUMNS)
      throw new ScanFileRefused(
        t('Line {line} has more than {most} columns.', { line: this.#line, most: exact(MAX_COLUMNS) }),
      );
    while (this.#cells.length < this.#column) this.#cells.push(null);
    const cell = cellOf(this.#type, this.#text.slice(0, MAX_CELL), this.#shared);
    if (typeof cell === 'string') this.#shown += cell.length;
    this.#cells[this.#column] = cell;
  }
}

/** Returns 0 for A1, 26 for AA7. */
function columnAt(reference: string): number {
  let column = 0;
  for (let at = 0; at < Math.min(reference.length, 8); at++) {
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
