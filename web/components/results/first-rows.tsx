import type { Game } from '../../../domain/games/games.ts';
import { t, words } from '../../../domain/language/text.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { placeColumn } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { chosenColumns } from './column-choice.ts';
import styles from './first-rows.module.css';
import { firstColumns } from './result-columns.tsx';
import { cellIn, Results } from './results.ts';
import type { ViewSearch } from './search.ts';

const NOT_IN_VIEW: readonly string[] = ['columns', 'digits', 'chart'] satisfies (keyof ViewSearch)[];

/** True if the view has the rows in their usual order, without search and filters. */
export const isUsual = (search: ViewSearch): boolean =>
  Object.entries(search).every(([key, value]) => value === undefined || NOT_IN_VIEW.includes(key));

/** The first rows of results, which the page's HTML shows until all rows are here. Styles decide by width. */
export function FirstRows({
  game,
  rows,
  combined,
  search,
}: {
  game: Game;
  rows: readonly Row[];
  combined: boolean;
  search: ViewSearch;
}) {
  const columns = useTextMemo(() => {
    // Ranks by power need all rows.
    const present = new Results(game, [...rows]).columns.filter(({ id }) => id !== 'rank');
    const shown = chosenColumns(present, search.columns, combined);
    return [placeColumn<Row>(0), ...firstColumns(shown, { cell: cellIn, digits: search.digits === true })];
  }, [game, rows, search.columns, combined, search.digits]);
  return (
    <div className={styles.first}>
      <Table
        label={t('{many} of the scan', { many: words(game.governor.many) })}
        columns={columns}
        rows={rows}
        rowId={(row) => rows.indexOf(row)}
      />
    </div>
  );
}
