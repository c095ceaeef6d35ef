import { useQueryClient } from '@tanstack/react-query';
import { ListFilter } from 'lucide';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { type BoardKind, METRIC_IDS, type Metric, metricTitle } from '../../../domain/boards/leaderboard.ts';
import { type BoardAnswer, type BoardInfo, type BoardRow, keyOfRow } from '../../../domain/boards/rows.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { boardPartQuery, rowsPath } from '../../api/boards.ts';
import { useLinked } from '../../components/links.tsx';
import listing from '../../components/listing.module.css';
import { countedOf, exact, inSentence } from '../../format.ts';
import { useSettings } from '../../page-settings.ts';
import type { Sort } from '../../table/column.ts';
import { Pager } from '../../table/pager.tsx';
import { NO_ROWS, Table } from '../../table/table.tsx';
import type { SortAhead } from '../../table/use-ahead.ts';
import { sortPart, useIndexedPage } from '../../table/use-indexed-page.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchInput, useQueryText, useSearchChange } from '../../ui/search-input.tsx';
import { Short } from '../../ui/short.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import styles from './-board.module.css';
import { boardColumns, boardIndex, withPlaces } from './-board-columns.tsx';
import {
  type BoardSearch,
  boardNeeds,
  defaultSize,
  isFiltering,
  NO_FILTERS,
  needsAll,
  PAGE_SIZES,
} from './-board-search.ts';
import { passes, totalOf } from './-board-totals.ts';

/** Loaded on demand, because few visitors open it. */
const BoardFilters = lazy(() => import('./-board-filters.tsx'));
/** Loaded on demand together with the chart library. */
const RowDays = lazy(() => import('./-row-days.tsx'));

/** Placeholder of the search field by kind of board. */
const SEARCHED: Readonly<Record<BoardKind, (game: GameId) => string>> = {
  governor: (game) => t('Name, id, tag or {game, select, cod {server} other {kingdom}}', { game }),
  alliance: (game) => t('Tag, name or {game, select, cod {server} other {kingdom}}', { game }),
  kingdom: () => t('Number'),
};

const BY_RANK: Sort = { id: 'rank', ascending: true };

/** Rows of a board with search, filters, sorting and expanded row, all kept in the URL. */
export function BoardRows({
  kind,
  game,
  metric,
  search,
  answer,
  before,
  whole,
  failed,
}: {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  search: BoardSearch;
  answer: BoardAnswer<BoardRow> | undefined;
  /** Rows of the board before the answer's first one. */
  before: number;
  /** The answer has all rows of the board. */
  whole: boolean;
  /** The other rows could not be loaded. */
  failed: boolean;
}) {
  const change = useSearchChange<BoardSearch>();
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const visitor = !useLinked();
  const open = search.row;
  const columns = useTextMemo(() => {
    const toggle = (row: BoardRow) => {
      const key = String(keyOfRow(row));
      change({ row: key === open ? undefined : key });
    };
    return boardColumns(kind, { game, metric, opening: { open, toggle, visitor } });
  }, [kind, game, metric, open, visitor, change]);
  const narrowed = query !== '' || isFiltering(search);
  const known = whole || !(narrowed || needsAll(search));
  const rows = (known && answer?.rankings) || NO_ROWS;
  const index = useTextMemo(() => boardIndex(kind, rows), [kind, rows]);
  const { kingdom, alliance, powerFrom, powerTo } = search;
  const passing = useMemo(
    () => index.all.filter((row) => passes(rows[row] as BoardRow, { kingdom, alliance, powerFrom, powerTo })),
    [index, rows, kingdom, alliance, powerFrom, powerTo],
  );
  const values = useCallback(
    (id: string) => {
      const column = columns.find((each) => each.id === id);
      return column ? index.values(id, (row) => column.value?.(rows[row] as BoardRow) ?? null) : null;
    },
    [columns, index, rows],
  );
  const total = answer?.info.total ?? 0;
  const { found, count, shown, from, sort, onSort, sortHref, pager } = useIndexedPage({
    index,
    rows: passing,
    values,
    query,
    search,
    change,
    usual: BY_RANK,
    usualSize: defaultSize(kind),
    ...(!whole && { total, before }),
  });
  const client = useQueryClient();
  const { api } = useSettings();
  const isLocal = whole || narrowed;
  const ahead = useMemo((): SortAhead | undefined => {
    if (isLocal) return undefined;
    const needsOf = (by: Sort) => boardNeeds(kind, { ...search, ...sortPart(by, BY_RANK) });
    return {
      path: (by) => api + rowsPath(needsOf(by)),
      load: (by) => void client.prefetchQuery(boardPartQuery(needsOf(by))),
    };
  }, [api, client, isLocal, kind, search]);
  const shownRows = useMemo(() => shown.map((row) => rows[row] as BoardRow), [shown, rows]);
  const [filtering, setFiltering] = useState(isFiltering(search));
  const byRank = sort.id === BY_RANK.id && sort.ascending && !narrowed;
  const placed = useMemo(() => (byRank ? columns : withPlaces(columns, from)), [columns, byRank, from]);
  const isMissing = !known || !answer;
  const waiting = isMissing ? Math.min(pager.size, 25) : 0;
  return (
    <section className={listing.listing} aria-label={t('Board')}>
      <div className={listing.toolbar}>
        <SearchInput
          label={t('Search this board')}
          value={query}
          placeholder={SEARCHED[kind](game)}
          onChange={setQuery}
        />
        <p className={listing.count} role="status">
          {answer && known && countedOf(count, total, GAME_NAMES[game][kind])}
          {known && count > 0 && (
            <Sums
              rows={whole ? Array.from(found, (row) => rows[row] as BoardRow) : undefined}
              info={answer?.info}
              game={game}
            />
          )}
        </p>
        <Button
          aria-expanded={filtering}
          data-on={isFiltering(search) || undefined}
          onClick={() => setFiltering(!filtering)}
        >
          <Icon of={ListFilter} size={16} />
          <T of="Filters" />
        </Button>
        <Pager label={t('Pages of the board')} {...pager} sizes={PAGE_SIZES} />
      </div>
      {filtering && (
        <Suspense fallback={<Skeleton height="6.5rem" />}>
          <BoardFilters
            kind={kind}
            game={game}
            search={search}
            change={(part) => change({ ...part, page: undefined })}
          />
        </Suspense>
      )}
      {isMissing && !failed && <Loading what={t('the board')} />}
      {isMissing && failed ? null : shown.length === 0 && !isMissing ? (
        <div className={`${listing.nothing} ${styles.nothing}`}>
          <p>{t('Nothing on this board matches.')}</p>
          <Button
            onClick={() => {
              setQuery('');
              change({ ...NO_FILTERS, q: undefined, page: undefined });
            }}
          >
            {t('Show everything')}
          </Button>
        </div>
      ) : (
        <Table
          label={t('{many}, ranked', { many: words(GAME_NAMES[game][kind].many) })}
          columns={placed}
          rows={shownRows}
          rowId={keyOfRow}
          sort={sort}
          onSort={onSort}
          sortHref={sortHref}
          sortAhead={ahead}
          waiting={waiting}
          detail={(row) =>
            answer?.info.day &&
            String(keyOfRow(row)) === open && (
              <Suspense fallback={<Skeleton height="20rem" />}>
                <RowDays kind={kind} game={game} metric={metric} row={row} day={answer.info.day} />
              </Suspense>
            )
          }
        />
      )}
      {pager.pages > 1 && shown.length > 20 && (
        <div className={styles.below}>
          <Pager label={t('Pages of the board, below it')} {...pager} sizes={PAGE_SIZES} />
        </div>
      )}
    </section>
  );
}

/** Sums of the matching rows, or of the whole board. */
const Sums = ({
  rows,
  info,
  game,
}: {
  rows: readonly BoardRow[] | undefined;
  info: BoardInfo | undefined;
  game: GameId;
}) => (
  <>
    {METRIC_IDS.map((metric) => {
      const total = rows ? totalOf(rows, metric) : info?.sums?.[metric];
      if (!total) return null;
      const { sum, known } = total;
      return (
        <span key={metric}>
          {' '}
          · {inSentence(metricTitle(game, metric))}{' '}
          <strong>
            <Short value={sum} unknown={t('Not read of any of them.')} />
          </strong>
          {sum !== null && known < (rows?.length ?? info?.total ?? 0) && t(' of {known}', { known: exact(known) })}
        </span>
      );
    })}
  </>
);
