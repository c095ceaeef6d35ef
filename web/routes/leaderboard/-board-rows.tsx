import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListFilter } from 'lucide';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { type BoardKind, type Metric, metricTitle } from '../../../domain/boards/leaderboard.ts';
import { type BoardAnswer, type BoardRow, keyOfRow } from '../../../domain/boards/rows.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { isSignedIn } from '../../api/account.ts';
import listing from '../../components/listing.module.css';
import { counted, exact } from '../../format.ts';
import { runWhenIdle } from '../../idle-work.ts';
import { type PageSort, PageTable } from '../../table/page-table.tsx';
import { Pager } from '../../table/pager.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchInput, useQueryText } from '../../ui/search-input.tsx';
import { Short } from '../../ui/short.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import styles from './-board.module.css';
import { boardColumns, boardIndex, withPlaces } from './-board-columns.tsx';
import { type BoardSearch, defaultSize, isFiltering, NO_FILTERS, PAGE_SIZES } from './-board-search.ts';
import { filtered, totalOf } from './-board-totals.ts';

/** Loaded on demand, because few visitors open it. */
const BoardFilters = lazy(() => import('./-board-filters.tsx'));
/** Loaded on demand together with the chart library. */
const RowDays = lazy(() => import('./-row-days.tsx'));

/** Placeholder of the search field by kind of board. */
const SEARCHED: Readonly<Record<BoardKind, (kingdom: string) => string>> = {
  governor: (kingdom) => `Name, id, tag or ${kingdom}`,
  alliance: (kingdom) => `Tag, name or ${kingdom}`,
  kingdom: () => 'Number',
};

const NO_ROWS: readonly BoardRow[] = [];

/** Rows of a board with search, filters, sorting and expanded row, all kept in the URL. */
export function BoardRows({
  kind,
  game,
  metric,
  search,
  answer,
  whole,
}: {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  search: BoardSearch;
  answer: BoardAnswer<BoardRow> | undefined;
  whole: boolean;
}) {
  const navigate = useNavigate();
  const change = (part: Partial<BoardSearch>) =>
    void navigate({
      to: '.',
      search: (before: BoardSearch) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const narrow = useNarrow();
  const visitor = !isSignedIn(useQueryClient());
  const open = search.row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` does the same each time.
  const columns = useMemo(() => {
    const toggle = (row: BoardRow) => {
      const key = String(keyOfRow(row));
      change({ row: key === open ? undefined : key });
    };
    return boardColumns(kind, { game, metric, narrow, opening: { open, toggle, visitor } });
  }, [kind, game, metric, narrow, open, visitor]);
  const rows = answer?.rankings ?? NO_ROWS;
  const index = useMemo(() => boardIndex(kind, rows), [kind, rows]);
  useEffect(() => runWhenIdle(index.ahead), [index]);
  const { kingdom, alliance, powerFrom, powerTo, sort: by, ascending } = search;
  const passing = useMemo(
    () => filtered(rows, { kingdom, alliance, powerFrom, powerTo }),
    [rows, kingdom, alliance, powerFrom, powerTo],
  );
  const found = useMemo(() => index.found(passing, query.trim().toLowerCase()), [index, passing, query]);
  const arranged = useMemo(() => {
    const column = columns.find(({ id }) => id === by);
    return column ? index.ordered(found, column.id, column.value, ascending === true) : found;
  }, [index, found, columns, by, ascending]);
  const [filtering, setFiltering] = useState(isFiltering(search));
  const size = search.size ?? defaultSize(kind);
  // Until all rows are loaded, only the first hundred can be counted.
  const narrowed = query !== '' || isFiltering(search);
  const count = whole || narrowed ? found.length : (answer?.info.total ?? 0);
  const pages = Math.max(1, Math.ceil(count / size));
  const page = Math.min(search.page ?? 1, pages);
  const shown = arranged.slice((page - 1) * size, page * size);
  const byRank = (by === undefined || by === 'rank') && (by === undefined || ascending === true) && !narrowed;
  const places = new Map(shown.map((row, at) => [row, (page - 1) * size + at + 1]));
  const waiting = answer === undefined || (!whole && shown.length === 0) ? Math.min(size, 25) : 0;
  const sort: PageSort = {
    id: search.sort ?? 'rank',
    ascending: search.sort === undefined || search.ascending === true,
  };
  const onSort = ({ id, ascending }: PageSort) =>
    change({
      sort: id === 'rank' && ascending ? undefined : id,
      ascending: ascending && id !== 'rank' ? true : undefined,
      page: undefined,
    });
  const paging = {
    page,
    pages,
    change: (next: number) => change({ page: next > 1 ? next : undefined }),
    rows: {
      size,
      sizes: PAGE_SIZES,
      resize: (next: number) => change({ size: next === defaultSize(kind) ? undefined : next, page: undefined }),
    },
  };
  return (
    <section className={listing.listing} aria-label="Board">
      <div className={listing.toolbar}>
        <SearchInput
          label="Search this board"
          value={query}
          placeholder={SEARCHED[kind](GAME_NAMES[game].kingdom.one)}
          onChange={setQuery}
        />
        <p className={listing.count} role="status">
          {answer && countText(count, answer.info.total, GAME_NAMES[game][kind])}
          {whole && found.length > 0 && <Totals rows={found} game={game} />}
        </p>
        <Button
          aria-expanded={filtering}
          data-on={isFiltering(search) || undefined}
          onClick={() => setFiltering(!filtering)}
        >
          <Icon of={ListFilter} size={16} />
          Filters
        </Button>
        <Pager label="Pages of the board" {...paging} />
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
      {answer === undefined && <Loading what="the board" />}
      {answer && shown.length === 0 && waiting === 0 ? (
        <div className={`${listing.nothing} ${styles.nothing}`}>
          <p>Nothing on this board matches.</p>
          <Button
            onClick={() => {
              setQuery('');
              change({ ...NO_FILTERS, q: undefined, page: undefined });
            }}
          >
            Show everything
          </Button>
        </div>
      ) : (
        <PageTable
          label={`${GAME_NAMES[game][kind].many}, ranked`}
          columns={byRank ? columns : withPlaces(columns, (row) => places.get(row))}
          rows={shown}
          rowId={keyOfRow}
          sort={sort}
          onSort={onSort}
          waiting={waiting}
          detail={(row) =>
            answer?.info.day &&
            String(keyOfRow(row)) === open && (
              <Suspense fallback={<Skeleton height="20rem" />}>
                <RowDays kind={kind} game={game} metric={metric} row={row} day={answer.info.day} visitor={visitor} />
              </Suspense>
            )
          }
        />
      )}
      {pages > 1 && shown.length > 20 && (
        <div className={styles.below}>
          <Pager label="Pages of the board, below it" {...paging} />
        </div>
      )}
    </section>
  );
}

/** Totals of the matching rows. */
const Totals = ({ rows, game }: { rows: readonly BoardRow[]; game: GameId }) => (
  <>
    {(['power', 'score'] as const).map((metric) => {
      const { sum, known } = totalOf(rows, metric);
      return (
        <span key={metric}>
          {' '}
          · {metricTitle(game, metric).toLowerCase()}{' '}
          <strong>
            <Short value={sum} unknown="Not read of any of them." />
          </strong>
          {sum !== null && known < rows.length && ` of ${exact(known)}`}
        </span>
      );
    })}
  </>
);

const countText = (count: number, total: number, noun: { one: string; many: string }): string =>
  count === total ? counted(total, noun.one, noun.many) : `${exact(count)} of ${counted(total, noun.one, noun.many)}`;
