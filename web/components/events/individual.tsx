import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide';
import { useDeferredValue, useMemo } from 'react';
import { doubtAt } from '../../../domain/difference/doubts.ts';
import { goalOf, percentOf, weighed } from '../../../domain/difference/scoring.ts';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { type EventBoard, type EventMeta, eventTableQuery } from '../../api/events.ts';
import { capital, counted, exact, nameOr } from '../../format.ts';
import { type PageColumn, type PageSort, PageTable, Under } from '../../table/page-table.tsx';
import { Pager } from '../../table/pager.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { useQueryText } from '../../ui/search-input.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { Failure } from '../failure.tsx';
import listing from '../listing.module.css';
import { CampMark } from './camp-mark.tsx';
import { Gain, known, percent, Standing } from './event-figure.tsx';
import { EventFilters } from './event-filters.tsx';
import { type ChangeSearch, peopleText } from './event-page.tsx';
import { type EventRows, eventRows, filteredRows, type ScoredRows, scoredRows, sortedRows } from './event-rows.ts';
import { DEFAULT_SIZE, type EventSearch, PAGE_SIZES, weightsOf } from './event-search.ts';
import { figureTitles, gainedKeys } from './event-words.ts';
import styles from './individual.module.css';
import { useOwnGovernors } from './own-governors.ts';
import { Weights } from './weights.tsx';
import { WhyThisScore } from './why-this-score.tsx';

export interface ViewProps {
  id: string;
  meta: EventMeta;
  board: EventBoard;
  search: EventSearch;
  change: ChangeSearch;
}

/** The table ready for use, and everybody's score by the weights of the address or of the event. */
export function useScored({ id, meta, board, search }: Omit<ViewProps, 'change'>) {
  const answer = useQuery(eventTableQuery(id, board.range));
  const table = answer.data;
  const rows = useMemo(() => (table ? eventRows(table) : null), [table]);
  const weights = useMemo(() => weightsOf(search.weights) ?? meta.weights, [search.weights, meta.weights]);
  const scores = useMemo(() => {
    if (!rows) return null;
    const zeroed = meta.zeroed as Record<string, 0>;
    return scoredRows(rows, meta.game, { weights, power_off: meta.power_off, zeroed });
  }, [rows, meta, weights]);
  return { answer, rows, scores, weights };
}

/** Everybody: searched, filtered, sorted, scored again by one's own weights, each score explained on demand. */
export function Individual({ id, meta, board, search, change }: ViewProps) {
  const { answer, rows, scores, weights } = useScored({ id, meta, board, search });
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  return (
    <section className={listing.listing} aria-label="Individual">
      <p className={styles.people}>{capital(peopleText(board))}.</p>
      <Weights meta={meta} weights={weights} change={change} />
      <EventFilters meta={meta} table={answer.data} search={search} change={change} query={query} setQuery={setQuery} />
      {answer.error && <Failure error={answer.error} retry={() => void answer.refetch()} busy={answer.isFetching} />}
      {rows && scores ? (
        <Table
          id={id}
          meta={meta}
          rows={rows}
          scores={scores}
          weights={weights}
          query={query}
          search={search}
          change={change}
          range={board.range}
        />
      ) : (
        !answer.error && (
          <>
            <Loading what="everybody" />
            <PageTable
              label={capital(GAME_NAMES[meta.game].governor.many)}
              columns={[{ id: 'name', title: 'Name', grow: true, cell: () => null }]}
              rows={[]}
              rowId={() => 0}
              waiting={DEFAULT_SIZE}
            />
          </>
        )
      )}
    </section>
  );
}

function Table({
  id,
  meta,
  rows,
  scores,
  weights,
  query,
  search,
  change,
  range,
}: {
  id: string;
  meta: EventMeta;
  rows: EventRows;
  scores: ScoredRows;
  weights: Readonly<Record<string, number>>;
  query: string;
  search: EventSearch;
  change: ChangeSearch;
  range: EventBoard['range'];
}) {
  const narrow = useNarrow();
  const wanted = useDeferredValue(query);
  const { camp, home, alliance, power, who } = search;
  const keys = useMemo(() => weighed(weights).map(([key]) => key), [weights]);
  const found = useMemo(
    () => filteredRows(rows, scores, keys, { q: wanted, camp, home, alliance, power, who }),
    [rows, scores, keys, wanted, camp, home, alliance, power, who],
  );
  const sort: PageSort = { id: search.sort ?? 'dkp', ascending: search.ascending === true };
  const order = useMemo(
    () => sortedRows(rows, scores, found, sort.id, sort.ascending),
    [rows, scores, found, sort.id, sort.ascending],
  );
  const columns = useMemo(
    () => columnsOf(meta, rows, scores, { narrow, open: search.open, change }),
    [meta, rows, scores, narrow, search.open, change],
  );
  const own = useOwnGovernors(meta.game, rows);
  const size = search.size ?? DEFAULT_SIZE;
  const pages = Math.max(1, Math.ceil(order.length / size));
  const page = Math.min(search.page ?? 1, pages);
  const shown = [...order.subarray((page - 1) * size, page * size)];
  const everybody = rows.table.common + rows.table.joined;
  const { governor } = GAME_NAMES[meta.game];
  if (order.length === 0)
    return (
      <div className={`${listing.nothing} ${styles.nothing}`}>
        <p>Nobody here matches.</p>
        <Button
          onClick={() =>
            change({
              q: undefined,
              camp: undefined,
              home: undefined,
              alliance: undefined,
              power: undefined,
              who: undefined,
              page: undefined,
            })
          }
        >
          Show everybody
        </Button>
      </div>
    );
  return (
    <>
      <div className={listing.toolbar}>
        <p className={listing.count} role="status">
          {order.length === everybody
            ? counted(everybody, governor.one, governor.many)
            : `${exact(order.length)} of ${counted(everybody, governor.one, governor.many)}`}
        </p>
        <label className={styles.size}>
          Rows
          <select
            value={size}
            onChange={({ target }) =>
              change({
                size: Number(target.value) === DEFAULT_SIZE ? undefined : Number(target.value),
                page: undefined,
              })
            }
          >
            {PAGE_SIZES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <Pager
          label="Pages"
          page={page}
          pages={pages}
          change={(next) => change({ page: next > 1 ? next : undefined })}
        />
      </div>
      <PageTable
        label={capital(governor.many)}
        columns={columns}
        rows={shown}
        rowId={(row) => rows.ids[row] ?? row}
        sort={sort}
        onSort={({ id: column, ascending }) =>
          change({
            sort: column === 'dkp' ? undefined : column,
            ascending: ascending || undefined,
            page: undefined,
          })
        }
        pinned={own}
        detail={(row) =>
          rows.ids[row] === search.open && (
            <WhyThisScore id={id} meta={meta} range={range} governor={rows.ids[row] ?? 0} weights={weights} />
          )
        }
      />
    </>
  );
}

interface Shown {
  narrow: boolean;
  open: number | undefined;
  change: ChangeSearch;
}

function columnsOf(meta: EventMeta, rows: EventRows, scores: ScoredRows, shown: Shown): PageColumn<number>[] {
  const titles = figureTitles(meta.game);
  const { table } = rows;
  const home = (row: number) => table.kingdom[row] ?? -1;
  const gains = gainedKeys(meta.game).filter((key) => rows.gains.has(key));
  const goals = meta.goals.some(({ dkp }) => dkp !== null);
  return [
    {
      id: 'rank',
      title: '#',
      about: 'Rank by DKP',
      unsorted: true,
      cell: (row) => <span className={styles.rank}>{scores.ranks[row] || '–'}</span>,
    },
    {
      id: 'name',
      title: 'Name',
      grow: true,
      sticky: true,
      ascending: true,
      cell: (row) => who(meta, rows, row, shown),
    },
    ...(shown.narrow
      ? []
      : [
          {
            id: 'kingdom',
            title: capital(GAME_NAMES[meta.game].kingdom.one),
            ascending: true,
            cell: (row: number) => (
              <KingdomOf
                meta={meta}
                number={table.kingdoms[home(row)] ?? '?'}
                now={table.kingdoms[table.kingdom_now[row] ?? -1]}
              />
            ),
          },
        ]),
    {
      id: 'dkp',
      title: 'DKP',
      figures: true,
      about: 'By the weights above, without doubted figures',
      cell: (row) => score(scores, row),
    },
    ...(goals ? [goalColumn(meta, rows, scores)] : []),
    ...gains.map((key) => gainColumn(key, titles[key] ?? key, rows)),
    {
      id: 'power',
      title: 'Power',
      figures: true,
      about: 'At the start',
      cell: (row: number) => <Standing value={known(rows.powers[row])} />,
    },
  ];
}

const score = ({ dkp, raw, doubts }: ScoredRows, row: number) => (
  <strong>
    <Gain value={known(dkp[row])} raw={known(raw[row])} doubt={doubtAt(doubts, row)} />
  </strong>
);

const gainColumn = (key: string, title: string, rows: EventRows): PageColumn<number> => ({
  id: key,
  title,
  figures: true,
  about: 'Gained between the two scans',
  cell: (row) => {
    const gains = rows.gains.get(key);
    if (!gains || row >= rows.table.common) return <Standing value={known(rows.now.get(key)?.[row])} />;
    const raw = known(gains.raw[row]);
    return <Gain value={raw} raw={raw} doubt={doubtAt(gains.doubts, row)} />;
  },
});

/** Percent of the goal that the power at the start sets; those who are exempt have none. */
function goalColumn(meta: EventMeta, rows: EventRows, scores: ScoredRows): PageColumn<number> {
  const exempt = new Set(meta.exempt);
  return {
    id: 'goal',
    title: 'Goal',
    figures: true,
    unsorted: true,
    about: 'Percent of the DKP that this power is expected to reach',
    cell: (row) => {
      if (exempt.has(rows.ids[row] ?? 0)) return <span title="Owes nothing">exempt</span>;
      const power = known(rows.powers[row]);
      const goal = power === null ? null : goalOf(meta.goals, power);
      return percent(percentOf(known(scores.dkp[row]), goal?.dkp ?? null));
    },
  };
}

/** A name that opens to why its score is what it is. */
function who(meta: EventMeta, { table, ids }: EventRows, row: number, { narrow, open, change }: Shown) {
  const governor = ids[row] ?? 0;
  const isOpen = open === governor;
  const kingdom = table.kingdoms[table.kingdom[row] ?? -1] ?? '';
  const tag = table.tags[table.tag[row] ?? -1];
  const renamed = table.renamed[row];
  return (
    <span className={styles.who}>
      <button
        type="button"
        className={styles.open}
        aria-expanded={isOpen}
        title="Why this score"
        onClick={() => change({ open: isOpen ? undefined : governor })}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
        <PlayerName name={nameOr(table.name[row] ?? '', String(governor))} />
      </button>
      <Under>
        {tag && (
          <>
            <PlayerName name={tag} /> ·{' '}
          </>
        )}
        {governor}
        {narrow && (
          <>
            {' '}
            ·{' '}
            <span
              className={styles.dot}
              style={{ background: meta.camp_colours[meta.kingdoms_to_camps[kingdom] ?? ''] }}
            />{' '}
            {kingdom}
          </>
        )}
        {renamed && (
          <>
            {' '}
            · was <PlayerName name={renamed} />
          </>
        )}
      </Under>
    </span>
  );
}

function KingdomOf({ meta, number, now }: { meta: EventMeta; number: string; now: string | undefined }) {
  const camp = meta.kingdoms_to_camps[number];
  return (
    <>
      {number}
      {now !== undefined && now !== number && <span title="Moved during the event"> → {now}</span>}
      {camp && (
        <Under>
          <CampMark name={camp} colour={meta.camp_colours[camp]} />
        </Under>
      )}
    </>
  );
}
