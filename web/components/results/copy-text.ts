import { t, words } from '../../../domain/language/text.ts';
import { nameInLine, oneLine } from '../../../domain/mail.ts';
import { defused } from '../../../domain/scans/spreadsheet.ts';
import { figureColumns, type Mail, shortFigure } from './mail-text.ts';
import { cellIn, type ResultColumn, type Results } from './results.ts';

/**
 * Formats rows as tab-separated text, which spreadsheets paste as cells. Figures are exact, unknown ones empty, and
 * names are escaped against formula injection.
 */
export function sheetText(results: Results, rows: Uint32Array, columns: readonly ResultColumn[]): string {
  const lines = Array.from(rows, (row) => {
    const wire = results.rows[row] ?? {};
    return columns.map(({ id, type }) => {
      const value = results.cell(wire, id);
      return type === 'text' ? defused(oneLine(String(value ?? ''))) : String(value ?? '');
    });
  });
  return [columns.map(({ title }) => words(title)), ...lines].map((cells) => cells.join('\t')).join('\n');
}

/** Maximum length of a Discord message, in characters. */
export const DISCORD_LIMIT = 2000;
const FENCE = '```';
/** More lines than a message can hold. */
const MOST_LINES = 200;
/** Longer names are truncated so that lines do not wrap on phones. */
const NAME_WIDTH = 20;

/**
 * Formats rows as a Discord code block with aligned short figures. Rows that do not fit in one message are dropped and
 * counted.
 */
export function discordText(
  results: Results,
  rows: Uint32Array,
  { heading, figures, combined }: { heading: string; figures: readonly string[]; combined: boolean },
): Mail {
  const columns = figureColumns(results, figures);
  // For translators: Kd is short for kingdom, as the title of a narrow column.
  const place = combined ? [t('Kd')] : [];
  const head = ['#', t('Name'), ...place, ...columns.map(({ title }) => words(title))];
  const cells = Array.from(rows.subarray(0, MOST_LINES), (row, index) => {
    const wire = results.rows[row] ?? {};
    return [
      String(index + 1),
      nameOf(cellIn(wire, 'tag'), cellIn(wire, 'name') ?? cellIn(wire, 'id')),
      ...(combined ? [String(cellIn(wire, 'kingdom') ?? '?')] : []),
      ...columns.map(({ id }) => shortFigure(results, wire, id)),
    ];
  });
  const block = (count: number): string => {
    const table = [head, ...cells.slice(0, count)];
    const widths = head.map((_, column) => Math.max(...table.map((line) => lengthOf(line[column] ?? ''))));
    const lines = table.map((line) => line.map((cell, column) => padded(cell, widths[column] ?? 0, column)).join('  '));
    const left = rows.length - count;
    const note = left > 0 ? [t('… and {left} more', { left: String(left) })] : [];
    return [`**${unmarked(oneLine(heading))}**`, FENCE, ...lines.map((line) => line.trimEnd()), ...note, FENCE].join(
      '\n',
    );
  };
  let count = cells.length;
  while (count > 0 && block(count).length > DISCORD_LIMIT) count--;
  return { text: block(count), rows: count };
}

/** Characters two columns wide in a monospaced font. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Returns a text's width in monospaced columns. */
const lengthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0);

/** Pads a cell: names align left, figures right. */
const padded = (cell: string, width: number, column: number): string => {
  const room = ' '.repeat(Math.max(0, width - lengthOf(cell)));
  return column === 1 ? cell + room : room + cell;
};

/** Replaces characters that would end the code block or format the heading. */
const unmarked = (text: string): string => text.replaceAll('`', 'ˋ').replaceAll('*', '∗');

function nameOf(tag: unknown, name: unknown): string {
  const text = [...unmarked(`${tag === null ? '' : `[${tag}] `}${name}`)];
  return nameInLine((text.length > NAME_WIDTH ? [...text.slice(0, NAME_WIDTH - 1), '…'] : text).join(''));
}
