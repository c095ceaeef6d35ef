import { parse } from 'csv-parse/sync';
import type { Line } from '../../domain/scans/dialect.ts';
import type { Cell } from '../../domain/scans/numerals.ts';

export interface Decoded {
  text: string;
  /** False where the bytes were no UTF-8 and were read as Windows-1252: names in other scripts are lost in those. */
  utf8: boolean;
}

/** The text of a file: UTF-8 or UTF-16 with their marks, UTF-8 without one, else Windows-1252. */
export function decode(bytes: Buffer): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), utf8: true };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), utf8: true };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), utf8: false };
  }
}

/** The lines of a csv text, the first one the headers; commas, semicolons or tabs, whichever the headers have most. */
export function csvLines(text: string): Line[] {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = [',', ';', '\t'].reduce((best, mark) =>
    head.split(mark).length > head.split(best).length ? mark : best,
  );
  const records = parse(text, {
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  }) as unknown as { record: string[]; info: { lines: number } }[];
  return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
}

/**
 * The lines of a text with one JSON object a line, with a first line of headers made from all keys. A line that is no
 * object is an error that names it.
 */
export function jsonLines(text: string): Line[] {
  const objects = text.split(/\r?\n/).flatMap((source, index) => {
    if (source.trim() === '') return [];
    return [{ line: index + 1, object: objectOf(source, index + 1) }];
  });
  const headers = [...new Set(objects.flatMap(({ object }) => Object.keys(object)))];
  const lines = objects.map(({ line, object }) => ({ line, cells: headers.map((key) => jsonCell(object[key])) }));
  return [{ line: 1, cells: headers }, ...lines];
}

function objectOf(source: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new Error(`Line ${line} is no JSON object.`);
}

const jsonCell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
