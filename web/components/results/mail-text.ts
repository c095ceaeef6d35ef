import { t, words } from '../../../domain/language/text.ts';
import { MAIL_LIMIT, nameInLine, oneLine } from '../../../domain/mail.ts';
import { compact } from '../../format.ts';
import { cellIn, isUnverified, type Results } from './results.ts';

export interface Mail {
  text: string;
  /** Number of rows in the text; fewer than requested if the mail is full. */
  rows: number;
}

/** Identifying numbers, which are not shortened. */
const NAMES: readonly string[] = ['id', 'kingdom'];

/** Returns the shown columns that hold figures to shorten. */
export const figureColumns = (results: Results, shown: readonly string[]): Results['columns'] =>
  results.columns.filter(({ id, type }) => shown.includes(id) && type !== 'text' && !NAMES.includes(id));

/** Returns a figure in short form: '?' if unknown, followed by '?' if unverified. */
export function shortFigure(results: Results, wire: NonNullable<Results['rows'][number]>, id: string): string {
  const value = results.cell(wire, id);
  return value === null ? '?' : `${compact(Number(value))}${isUnverified(wire, id) ? '?' : ''}`;
}

/**
 * Formats rows as plain text lines with short figures, and '?' after unverified ones. Rows that exceed the games' mail
 * limit are dropped and counted.
 */
export function mailText(
  results: Results,
  rows: Uint32Array,
  { heading, figures, combined }: { heading: string; figures: readonly string[]; combined: boolean },
): Mail {
  const columns = figureColumns(results, figures);
  const head = `${oneLine(heading)}\n${[t('Name'), ...columns.map(({ title }) => words(title))].join(' · ')}`;
  const lines: string[] = [];
  let length = head.length;
  for (const [index, row] of rows.entries()) {
    const line = `\n${index + 1}. ${lineOf(results, row, columns, combined)}`;
    const left = rows.length - index - 1;
    // Every line but the last must leave room for the note.
    if (length + line.length + (left > 0 ? noteOf(left).length : 0) > MAIL_LIMIT) break;
    lines.push(line);
    length += line.length;
  }
  const left = rows.length - lines.length;
  return { text: [head, ...lines, left > 0 ? noteOf(left) : ''].join(''), rows: lines.length };
}

const noteOf = (left: number): string => `\n${t('… and {left} more', { left: String(left) })}`;

function lineOf(results: Results, row: number, columns: Results['columns'], combined: boolean): string {
  const wire = results.rows[row] ?? {};
  const tag = cellIn(wire, 'tag');
  const figures = columns.map(({ id }) => shortFigure(results, wire, id));
  const who = [
    combined ? `#${cellIn(wire, 'kingdom') ?? '?'} ` : '',
    tag === null ? '' : `[${nameInLine(String(tag))}] `,
    nameInLine(String(cellIn(wire, 'name') ?? cellIn(wire, 'id'))),
  ].join('');
  return `${who} ${figures.join(' · ')}`;
}
