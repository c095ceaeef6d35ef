import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import {
  type BoardAnswer,
  type BoardInfo,
  type BoardKind,
  type BoardRow,
  keyOfRow,
  ROWS_PER_PAGE,
  WINDOW_DAYS,
} from '../../../domain/boards/leaderboard.ts';
import { DAY_MS } from '../../../domain/days.ts';
import { GAME_IDS, GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { boardQuery, boardStartQuery } from '../../api/boards.ts';
import { Failure } from '../../components/failure.tsx';
import listing from '../../components/listing.module.css';
import { Page } from '../../components/page.tsx';
import { capital, counted, date, dateTime, exact } from '../../format.ts';
import { type PageSort, PageTable } from '../../table/page-table.tsx';
import { Pager } from '../../table/pager.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SearchInput, useQueryText } from '../../ui/search-input.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import tabs from '../../ui/tabs.module.css';
import { useNarrow } from '../../ui/use-narrow.ts';
import styles from './-board.module.css';
import { type BoardColumn, boardColumns, searchedText } from './-board-columns.tsx';
import { type BoardSearch, defaultSize, metricFrom, PAGE_SIZES } from './-board-search.ts';

/** What the search of a board looks through. */
const SEARCHED: Readonly<Record<BoardKind, (kingdom: string) => string>> = {
  governor: (kingdom) => `Name, id, tag or ${kingdom}`,
  alliance: (kingdom) => `Tag, name or ${kingdom}`,
  kingdom: () => 'Number',
};

/** A public board: the first hundred rows at once, the rest when the browser has nothing better to do. */
export function Board({ kind, search }: { kind: BoardKind; search: BoardSearch }) {
  const game = search.game ?? 'rok';
  const metric = kind === 'kingdom' ? 'power' : metricFrom(search);
  const name = { kind, game, metric };
  const start = useQuery(boardStartQuery(name));
  const idle = useIdleAfter(start.data !== undefined);
  const total = start.data?.info.total ?? 0;
  const needed = search.q !== undefined || search.sort !== undefined || (search.page ?? 1) > 1;
  const all = useQuery({ ...boardQuery(name), enabled: total > ROWS_PER_PAGE && (idle || needed) });
  const answer = all.data ?? start.data;
  const nouns = GAME_NAMES[game][kind];
  const title = `${capital(nouns.one)} leaderboard`;
  return (
    <Page
      title={title}
      about={<About kind={kind} info={answer?.info} />}
      actions={<Choices kind={kind} search={search} />}
    >
      {start.error && <Failure error={start.error} retry={() => void start.refetch()} busy={start.isFetching} />}
      {all.error && <Failure error={all.error} retry={() => void all.refetch()} busy={all.isFetching} />}
      {answer && answer.info.total === 0 ? (
        <NoBoardYet info={answer.info} many={nouns.many} />
      ) : (
        !start.error && (
          <Rows
            kind={kind}
            game={game}
            search={search}
            answer={answer}
            whole={all.data !== undefined || total <= ROWS_PER_PAGE}
          />
        )
      )}
    </Page>
  );
}

/** The specification's notices: the delay of governors and alliances, the moment of the kingdoms. */
function About({ kind, info }: { kind: BoardKind; info: BoardInfo | undefined }) {
  const gathered = info?.captured_at ? dateTime(info.captured_at) : '…';
  if (kind === 'kingdom') return <p className={styles.about}>Data gathered as of {gathered}</p>;
  return (
    <p className={styles.about}>
      Data is delayed by 7 days: this is {info?.day ? <strong>{date(info.day)}</strong> : '…'}.
    </p>
  );
}

const NoBoardYet = ({ info, many }: { info: BoardInfo; many: string }) => <Notice>{youngText(info, many)}</Notice>;

/** Publication may be late by a day; later than that nothing was there to rank. */
const LATE_MS = 2 * DAY_MS;

function youngText({ since, first_publication }: BoardInfo, many: string): string {
  if (!since) return 'No scan of this game has been gathered yet. The board appears once there is one.';
  if (first_publication && first_publication < Date.now() - LATE_MS)
    return `Boards rank what was scanned in the last ${WINDOW_DAYS} days, and nothing was. The next one appears after a new scan.`;
  const when = first_publication ? `on ${dateTime(first_publication)}` : 'after the delay';
  return `Muster has gathered ${many} since ${date(since)}. The first board appears ${when}.`;
}

function Choices({ kind, search }: { kind: BoardKind; search: BoardSearch }) {
  const { game = 'rok' } = search;
  const metric = metricFrom(search);
  const to = `/leaderboard/${kind}` as const;
  return (
    <div className={styles.choices}>
      <nav className={tabs.tabs} aria-label="Game">
        {GAME_IDS.map((id) => (
          <Link
            key={id}
            to={to}
            search={{
              ...(id !== 'rok' && { game: id }),
              ...(metric === 'score' && { type: GAME_NAMES[id].roles.score }),
            }}
            className={tabs.tab}
            data-on={id === game || undefined}
            aria-current={id === game ? 'page' : undefined}
          >
            {GAME_NAMES[id].name}
          </Link>
        ))}
      </nav>
      {kind !== 'kingdom' && (
        <nav className={tabs.tabs} aria-label="Ranked by">
          {(['power', 'score'] as const).map((each) => (
            <Link
              key={each}
              to={to}
              search={{
                ...(game !== 'rok' && { game }),
                ...(each === 'score' && { type: GAME_NAMES[game].roles.score }),
              }}
              className={tabs.tab}
              data-on={each === metric || undefined}
              aria-current={each === metric ? 'page' : undefined}
            >
              {each === 'power' ? 'Power' : GAME_NAMES[game].score}
            </Link>
          ))}
        </nav>
      )}
    </div>
  );
}

/** True once the browser was idle after `ready`: what is on the screen comes before what may be wanted next. */
function useIdleAfter(ready: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (!ready) return;
    // Safari has no idle callback; a moment after the first paint does as well.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1500);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: 4000 });
    return () => cancelIdleCallback(handle);
  }, [ready]);
  return idle;
}

function Rows({
  kind,
  game,
  search,
  answer,
  whole,
}: {
  kind: BoardKind;
  game: GameId;
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
  const wanted = useDeferredValue(query);
  const narrow = useNarrow();
  const columns = useMemo(() => boardColumns(kind, game, narrow), [kind, game, narrow]);
  const rows = answer?.rankings;
  const found = useMemo(() => arranged(rows ?? [], columns, wanted, search), [rows, columns, wanted, search]);
  const size = search.size ?? defaultSize(kind);
  // Until every row is there, only the first hundred can be counted.
  const count = whole || wanted ? found.length : (answer?.info.total ?? 0);
  const pages = Math.max(1, Math.ceil(count / size));
  const page = Math.min(search.page ?? 1, pages);
  const shown = found.slice((page - 1) * size, page * size);
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
        </p>
        <Pager label="Pages of the board" {...paging} />
      </div>
      {answer === undefined && <Loading what="the board" />}
      {answer && shown.length === 0 && waiting === 0 ? (
        <div className={`${listing.nothing} ${styles.nothing}`}>
          <p>
            Nothing on this board matches “<bdi>{wanted}</bdi>”.
          </p>
          <Button onClick={() => setQuery('')}>Clear the search</Button>
        </div>
      ) : (
        <PageTable
          label={`${GAME_NAMES[game][kind].many}, ranked`}
          columns={columns}
          rows={shown}
          rowId={keyOfRow}
          sort={sort}
          onSort={onSort}
          waiting={waiting}
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

const countText = (count: number, total: number, noun: { one: string; many: string }): string =>
  count === total ? counted(total, noun.one, noun.many) : `${exact(count)} of ${counted(total, noun.one, noun.many)}`;

/** The rows that match, in the order of the address; those without a value come last either way. */
function arranged(rows: readonly BoardRow[], columns: readonly BoardColumn[], query: string, search: BoardSearch) {
  const wanted = query.trim().toLowerCase();
  const found = wanted ? rows.filter((row) => searchedText(row).toLowerCase().includes(wanted)) : rows;
  const column = columns.find(({ id }) => id === search.sort);
  if (!column) return found;
  const sign = search.ascending ? 1 : -1;
  return found.toSorted((a, b) => {
    const [left, right] = [column.value(a), column.value(b)];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    const order = typeof left === 'string' ? left.localeCompare(String(right)) : left - Number(right);
    return sign * order || a.rank - b.rank;
  });
}
