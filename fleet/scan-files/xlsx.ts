import { SaxesParser } from 'saxes';
import type { Line } from '../../domain/scans/dialect.ts';
import type { Cell } from '../../domain/scans/numerals.ts';
import { openZip, type Zip } from './zip.ts';

/** A workbook's sheets as lines of cells: values only, no styles, no formulas. */
export interface Workbook {
  sheets: string[];
  /** The lines of a sheet that hold something; throws where there is no such sheet. */
  lines(sheet: string): Line[];
}

/** Columns past this are no scan; a wrong reference must not make a row of millions of cells. */
const MAX_COLUMNS = 1000;

/** Opens an xlsx file; throws a sentence where it is none or is damaged. */
export function openWorkbook(bytes: Buffer): Workbook {
  const zip = openZip(bytes);
  const parts = sheetParts(zip);
  let shared: string[] | undefined;
  return {
    sheets: [...parts.keys()],
    lines(sheet) {
      const xml = zip.part(parts.get(sheet) ?? '');
      if (!xml) throw new Error(`The xlsx file has no sheet '${sheet}'.`);
      shared ??= sharedStrings(zip);
      return sheetLines(xml.toString('utf8'), shared);
    },
  };
}

type Attributes = Record<string, string>;

interface Handlers {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Walks XML; names come without their namespace prefix, which writers choose freely. */
function walk(xml: string, { open, close, text }: Handlers): void {
  const parser = new SaxesParser();
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  if (open) parser.on('opentag', (tag) => open(local(tag.name), tag.attributes as Attributes));
  if (close) parser.on('closetag', (tag) => close(local(tag.name)));
  if (text) parser.on('text', text);
  parser.on('error', (error) => {
    throw new Error(`The xlsx file is damaged: ${error.message.slice(0, 120)}`);
  });
  parser.write(xml.replace(/^\ufeff/, '')).close();
}

/** Sheet names in the workbook's order with the path of each one's part. */
function sheetParts(zip: Zip): Map<string, string> {
  const workbook = zip.part('xl/workbook.xml');
  const relations = zip.part('xl/_rels/workbook.xml.rels');
  if (!workbook || !relations) throw new Error('This is no xlsx file: it has no workbook.');
  const targets = new Map<string, string>();
  walk(relations.toString('utf8'), {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const parts = new Map<string, string>();
  walk(workbook.toString('utf8'), {
    open(name, attributes) {
      const id = Object.keys(attributes).find((key) => /:id$/.test(key));
      const target = targets.get(id ? (attributes[id] as string) : '');
      if (name === 'sheet' && attributes.name !== undefined && target) parts.set(attributes.name, target);
    },
  });
  return parts;
}

/** Excel writes characters that XML forbids as _x000D_ (ECMA-376, ST_Xstring). */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The strings that cells refer to by number; runs of rich text are joined, readings (rPh) left out. */
function sharedStrings(zip: Zip): string[] {
  const xml = zip.part('xl/sharedStrings.xml');
  if (!xml) return [];
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let inReading = false;
  walk(xml.toString('utf8'), {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') inReading = true;
      inText = name === 't' && !inReading;
    },
    close(name) {
      if (name === 'rPh') inReading = false;
      if (name === 't') inText = false;
      if (name === 'si') strings.push(unescaped(text));
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return strings;
}

function sheetLines(xml: string, shared: readonly string[]): Line[] {
  const lines: Line[] = [];
  let row: { line: number; cells: Cell[] } = { line: 0, cells: [] };
  let type = 'n';
  let column = -1;
  let text = '';
  let reading = false;
  walk(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = { line: Number(attributes.r) || row.line + 1, cells: [] };
        column = -1;
      } else if (name === 'c') {
        type = attributes.t ?? 'n';
        column = attributes.r ? columnAt(attributes.r) : column + 1;
        text = '';
      } else reading = name === 'v' || (name === 't' && type === 'inlineStr');
    },
    close(name) {
      if (name === 'v' || name === 't') reading = false;
      if (name === 'c' && text !== '' && column >= 0 && column < MAX_COLUMNS) {
        while (row.cells.length < column) row.cells.push(null);
        row.cells[column] = cellOf(type, text, shared);
      }
      if (name === 'row' && row.cells.length > 0) lines.push(row);
    },
    text(part) {
      if (reading) text += part;
    },
  });
  return lines;
}

/** 0 for A1, 26 for AA7. */
function columnAt(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64;
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
