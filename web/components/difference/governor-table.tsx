import { ChevronDown, ChevronRight } from 'lucide';
import { type ReactNode, useDeferredValue, useEffect, useMemo } from 'react';
import { doubtAt } from '../../../domain/difference/doubts.ts';
import { type Goal, goalOf, percentOf, weighed } from '../../../domain/difference/scoring.ts';
import { campColour } from '../../../domain/games/camps.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { capital, counted, exact, nameOr } from '../../format.ts';
import { inIdleMoments } from '../../idle-work.ts';
import { type PageColumn, type PageSort, PageTable, Under } from '../../table/page-table.tsx';
import { Pager } from '../../table/pager.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { Select } from '../../ui/select.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { AllianceLink, GovernorLink, KingdomLink } from '../links.tsx';
import listing from '../listing.module.css';
import { CampMark } from './camp-mark.tsx';
import { type DifferenceRows, filteredRows, type ScoredRows, sortedRows } from './difference-rows.ts';
import { DEFAULT_SIZE, type DifferenceSearch, PAGE_SIZES } from './difference-search.ts';
import { figureTitles, gainedKeys } from './figure-titles.ts';
import { Gain, known, percent, Standing } from './gain.tsx';
import styles from './governor-table.module.css';

/** What two scans are of, as far as the table has to know. */
export interface Compared {
  game: GameId;
  goals: readonly Goal[];
  /** Ids of those who have no goals. */
  exempt: readonly number[];
  /** The camp of a kingdom, where there are camps. */
  campOf?: (kingdom: string) => string | null;
}

/** Everybody on both sides: a page of the rows that a filter leaves, each opening to why its score is what it is. */
export function GovernorTable({
  of,
  rows,
  scores,
  weights,
  query,
  search,
  change,
  own = [],
  detail,
}: {
  of: Compared;
  rows: DifferenceRows;
  scores: ScoredRows;
  weights: Readonly<Record<string, number>>;
  /** The search as it is typed; the address follows later. */
  query: string;
  search: DifferenceSearch;
  change: (part: Partial<DifferenceSearch>) => void;
  /** Rows that stand above the others. */
  own?: readonly number[];
  /** What opens under a row. */
  detail: (row: number) => ReactNode;
}) {
  const narrow = useNarrow();
  const wanted = useDeferredValue(query);
  const { camp, home, alliance, power, who } = search;
  // Before the first letter is typed, and before names are sorted.
  useEffect(() => inIdleMoments([rows.keys, rows.names]), [rows]);
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
    () => columnsOf(of, rows, scores, { narrow, open: search.open, change }),
    [of, rows, scores, narrow, search.open, change],
  );
  const size = search.size ?? DEFAULT_SIZE;
  const pages = Math.max(1, Math.ceil(order.length / size));
  const page = Math.min(search.page ?? 1, pages);
  const shown = [...order.subarray((page - 1) * size, page * size)];
  const everybody = rows.table.common + rows.table.joined;
  const { governor } = GAME_NAMES[of.game];
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
          <Select
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
          </Select>
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
        detail={(row) => rows.ids[row] === search.open && detail(row)}
      />
    </>
  );
}

interface Shown {
  narrow: boolean;
  open: number | undefined;
  change: (part: Partial<DifferenceSearch>) => void;
}

function columnsOf(of: Compared, rows: DifferenceRows, scores: ScoredRows, shown: Shown): PageColumn<number>[] {
  const titles = figureTitles(of.game);
  const { table } = rows;
  const home = (row: number) => table.kingdom[row] ?? -1;
  const gains = gainedKeys(of.game).filter((key) => rows.gains.has(key));
  const goals = of.goals.some(({ dkp }) => dkp !== null);
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
      cell: (row) => who(of, rows, row, shown),
    },
    ...(shown.narrow
      ? []
      : [
          {
            id: 'kingdom',
            title: capital(GAME_NAMES[of.game].kingdom.one),
            ascending: true,
            cell: (row: number) => (
              <KingdomOf
                of={of}
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
    ...(goals ? [goalColumn(of, rows, scores)] : []),
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

const gainColumn = (key: string, title: string, rows: DifferenceRows): PageColumn<number> => ({
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
function goalColumn(of: Compared, rows: DifferenceRows, scores: ScoredRows): PageColumn<number> {
  const exempt = new Set(of.exempt);
  return {
    id: 'goal',
    title: 'Goal',
    figures: true,
    unsorted: true,
    about: 'Percent of the DKP that this power is expected to reach',
    cell: (row) => {
      if (exempt.has(rows.ids[row] ?? 0)) return <span title="Has no goals">exempt</span>;
      const power = known(rows.powers[row]);
      const goal = power === null ? null : goalOf(of.goals, power);
      return percent(percentOf(known(scores.dkp[row]), goal?.dkp ?? null));
    },
  };
}

/** A name that opens to why its score is what it is. */
function who(of: Compared, { table, ids }: DifferenceRows, row: number, { narrow, open, change }: Shown) {
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
        {narrow && (
          <>
            <span className={styles.dot} style={{ background: campColour(of.campOf?.(kingdom) ?? '') }} />{' '}
            <KingdomLink game={of.game} id={homeOf(kingdom)}>
              {kingdom}
            </KingdomLink>{' '}
            ·{' '}
          </>
        )}
        {tag && (
          <>
            <AllianceLink game={of.game} kingdom={homeOf(kingdom)} tag={tag} /> ·{' '}
          </>
        )}
        <GovernorLink game={of.game} id={governor} name={String(governor)} />
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

/** The kingdom in the name of one in an event, where it may stand with a camp's domain. */
const homeOf = (kingdom: string): string => kingdom.split('-', 1)[0] ?? kingdom;

function KingdomOf({ of, number, now }: { of: Compared; number: string; now: string | undefined }) {
  const camp = of.campOf?.(number);
  return (
    <>
      <KingdomLink game={of.game} id={homeOf(number)}>
        {number}
      </KingdomLink>
      {now !== undefined && now !== number && <span title="Moved between the two scans"> → {now}</span>}
      {camp && (
        <Under>
          <CampMark name={camp} />
        </Under>
      )}
    </>
  );
}
