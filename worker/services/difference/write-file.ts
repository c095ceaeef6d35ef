import type { Compared } from '../../../domain/compare/compared.ts';
import { titleInWords } from '../../../domain/difference/file-titles.ts';
import { capital } from '../../../domain/figures.ts';
import { type Column, columnOf, GAMES, type GameId } from '../../../domain/games/games.ts';
import { t, words } from '../../../domain/language/text.ts';
import type { Numbers, Table, Texts } from '../../../domain/scans/rows.ts';
import { csvChunks } from '../../files/export.ts';
import { type FilledSheet, workbookChunks } from '../../files/xlsx.ts';
import type { Summary, summaryOf } from '../../files/xlsx-template.ts';

/** Writes comparisons as csv, or as the sheets of a workbook. */

/** Returns how many governors are on both sides or only one, as a workbook's summary has it. */
export const peopleFigures = ({ rows, unseen }: Compared): Summary['figures'] => [
  [t('In both'), rows.common],
  [t('Joined'), rows.joined],
  [t('Gone'), rows.gone],
  [t('Below the range of the smaller scan'), unseen],
];

/** A column and its cells. */
export interface FileColumn {
  column: Column & { percent?: true };
  cells: Numbers | Texts;
}

export const text = (key: string, title: string): Column => ({ key, title, type: 'text', aliases: [] });
export const whole = (key: string, title: string): Column => ({ key, title, type: 'integer', aliases: [] });

/** Returns the title of a column, for files and pages. */
export const columnTitle = (game: GameId, key: string): string => columnOf(game, key)?.title ?? key;

/** Returns a game's words for kingdoms and governors in the current language, as files have them. */
export const nounsOf = (game: GameId): Parameters<typeof summaryOf>[0]['nouns'] => {
  const { governor, kingdom } = GAMES[game];
  return { kingdom: words(capital(kingdom.one)), governors: words(capital(governor.many)) };
};

export interface FileTable {
  columns: FileColumn['column'][];
  table: Table;
}

/** Builds a table whose cells come from each column's `order` of rows; -1 leaves a cell empty. */
export function fileTable(
  game: GameId,
  columns: readonly (FileColumn & { order: ArrayLike<number> })[],
  count: number,
): FileTable {
  const table: Table = { game, count, numbers: {}, texts: {} };
  for (const { column, cells, order } of columns) {
    if (cells instanceof Float64Array)
      table.numbers[column.key] = Float64Array.from(order, (row) => (row < 0 ? Number.NaN : (cells[row] as number)));
    else table.texts[column.key] = Array.from(order, (row) => cells[row] ?? null);
  }
  return { columns: columns.map(({ column }) => column), table };
}

/** Wraps a table as a sheet; `after` runs once its rows are written. */
export const sheetOf = (title: string, { columns, table }: FileTable, after?: () => void): FilledSheet => ({
  title,
  columns,
  rows: table.count,
  tables: async function* () {
    try {
      yield table;
    } finally {
      after?.();
    }
  },
});

const inWords = (sheet: FilledSheet): FilledSheet => ({
  ...sheet,
  columns: sheet.columns.map((column) => ({ ...column, title: titleInWords(column.title) })),
});

/**
 * Returns the file in pieces; csv has only the first sheet. If `titled`, header rows have the columns' titles in the
 * current language.
 */
export function fileChunks(
  type: 'csv' | 'xlsx',
  sheets: readonly [FilledSheet, ...FilledSheet[]],
  summary: Summary,
  titled: boolean,
): AsyncIterable<Uint8Array> {
  const shown = titled ? sheets.map(inWords) : sheets;
  if (type === 'xlsx') return workbookChunks(shown, summary);
  const { columns, tables } = shown[0] ?? sheets[0];
  return csvChunks(columns, tables(), titled);
}
