import { ChevronDown, ChevronRight } from 'lucide';
import { type ReactNode, useCallback, useMemo } from 'react';
import { isRemovedId } from '../../../domain/boards/profile.ts';
import { doubtAt } from '../../../domain/difference/doubts.ts';
import { type GoalTarget, type Reached, TARGET_TITLE } from '../../../domain/difference/goals.ts';
import { type Goal, goalOf, weighed } from '../../../domain/difference/scoring.ts';
import type { Verified } from '../../../domain/difference/verified.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { orNull } from '../../../domain/known.ts';
import { arrow } from '../../../domain/language/formats.ts';
import { t, words } from '../../../domain/language/text.ts';
import { capital, countedOf, exact, nameOr } from '../../format.ts';
import { type Column, placeColumn, type Sort } from '../../table/column.ts';
import { Pager } from '../../table/pager.tsx';
import { Table, Under } from '../../table/table.tsx';
import { useIndexedPage } from '../../table/use-indexed-page.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { T } from '../../ui/text.tsx';
import { Unknown } from '../../ui/unknown.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { AllianceLink, GovernorLink, KingdomLink, RemovedName } from '../links.tsx';
import listing from '../listing.module.css';
import { CampMark } from './camp-mark.tsx';
import { type DifferenceRows, filteredRows, reachedRows, type ScoredRows, valuesBy } from './difference-rows.ts';
import { DEFAULT_SIZE, type DifferenceSearch, PAGE_SIZES } from './difference-search.ts';
import { figureTitles, gainedKeys } from './figure-titles.ts';
import { Gain, percent, Standing } from './gain.tsx';
import styles from './governor-table.module.css';

/** What the table needs to know about the comparison. */
export interface Compared {
  game: GameId;
  goals: readonly Goal[];
  /** Ids of governors without goals. */
  exempt: readonly number[];
  /** Governor id → percent of a zeroed governor's deads that does not count. */
  zeroed: Readonly<Record<string, number>>;
  /** Deads that replace those of the scans. */
  verified?: Verified;
  /** Returns the camp of a kingdom, if the event has camps. */
  campOf?: (kingdom: string) => string | null;
}

const BY_DKP: Sort = { id: 'dkp', ascending: false };

/** The filtered governors, a page at a time. Each row expands to explain its score. */
export function GovernorTable({
  of,
  rows,
  scores,
  weights,
  query,
  search,
  change,
  own = [],
  total,
  detail,
}: {
  of: Compared;
  rows: DifferenceRows;
  scores: ScoredRows;
  weights: Readonly<Record<string, number>>;
  /** The search text as typed; the URL follows later. */
  query: string;
  search: DifferenceSearch;
  change: (part: Partial<DifferenceSearch>) => void;
  /** Rows pinned to the top. */
  own?: readonly number[];
  /** Number of governors, if `rows` has only the first ones. */
  total?: number | undefined;
  /** Content of an expanded row. */
  detail: (row: number) => ReactNode;
}) {
  const { camp, home, alliance, power, who } = search;
  const keys = useMemo(() => weighed(weights).map(([key]) => key), [weights]);
  const reached = useMemo(() => reachedRows(rows, scores, of), [rows, scores, of]);
  const passing = useMemo(
    () => filteredRows(rows, scores, keys, { camp, home, alliance, power, who }, reached),
    [rows, scores, keys, camp, home, alliance, power, who, reached],
  );
  const values = useCallback((id: string) => valuesBy(rows, scores, id, reached), [rows, scores, reached]);
  const { order, count, shown, from, sort, onSort, sortHref, pager } = useIndexedPage({
    index: rows.index,
    rows: passing,
    values,
    query,
    search,
    change,
    usual: BY_DKP,
    usualSize: DEFAULT_SIZE,
    total,
  });
  const columns = useTextMemo(
    () => columnsOf(of, rows, { scores, reached, order, from }, { open: search.open, change }),
    [of, rows, scores, reached, order, from, search.open, change],
  );
  const everybody = total ?? rows.table.common + rows.table.joined;
  const { governor } = GAME_NAMES[of.game];
  if (order.length === 0)
    return (
      <div className={`${listing.nothing} ${styles.nothing}`}>
        <p>{t('Nobody here matches.')}</p>
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
          {t('Show everybody')}
        </Button>
      </div>
    );
  return (
    <>
      <div className={listing.toolbar}>
        <p className={listing.count} role="status">
          {countedOf(count, everybody, governor)}
        </p>
        <div className={styles.pages}>
          <Pager label={t('Pages')} {...pager} sizes={PAGE_SIZES} />
        </div>
      </div>
      <Table
        label={words(capital(governor.many))}
        columns={columns}
        rows={shown}
        rowId={(row) => rows.ids[row] ?? row}
        sort={sort}
        onSort={onSort}
        sortHref={sortHref}
        pinned={own}
        waiting={Math.min(pager.size, count - from) - shown.length}
        detail={(row) => rows.ids[row] === search.open && detail(row)}
      />
      {pager.pages > 1 && (
        <div className={styles.below}>
          <Pager label={t('Pages, below the table')} {...pager} sizes={PAGE_SIZES} />
        </div>
      )}
    </>
  );
}

interface Shown {
  open: number | undefined;
  change: (part: Partial<DifferenceSearch>) => void;
}

interface Made {
  scores: ScoredRows;
  reached: Reached;
  order: Uint32Array;
  /** Rows on the pages before. */
  from: number;
}

function columnsOf(of: Compared, rows: DifferenceRows, made: Made, shown: Shown): Column<number>[] {
  const { scores, reached, order, from } = made;
  const titles = figureTitles(of.game);
  const { table } = rows;
  const home = (row: number) => table.kingdom[row] ?? -1;
  const gains = gainedKeys(of.game).filter((key) => rows.gains.has(key));
  return [
    placeColumn(from, (row) => placeIn(order, row)),
    {
      id: 'name',
      title: t('Name'),
      grow: true,
      sticky: true,
      ascending: true,
      cell: (row) => who(of, rows, row, shown),
    },
    {
      id: 'kingdom',
      title: words(capital(GAME_NAMES[of.game].kingdom.one)),
      wide: true,
      ascending: true,
      cell: (row) => (
        <KingdomOf
          of={of}
          number={table.kingdoms[home(row)] ?? '?'}
          now={table.kingdoms[table.kingdom_now[row] ?? -1]}
        />
      ),
    },
    {
      id: 'dkp',
      title: t('DKP'),
      figures: true,
      about: t('By the weights above, without unverified figures'),
      cell: (row) => score(scores, row),
    },
    {
      id: 'rank',
      title: t('Rank'),
      figures: true,
      about: t('Rank by DKP among everybody'),
      ascending: true,
      cell: (row) => scores.ranks[row] || <span title={t('No rank: the score is unknown or unverified')}>–</span>,
    },
    ...[...reached].map(([target, percents]) => goalColumn(of, rows, target, percents)),
    ...gains.map((key) => gainColumn(key, titles[key] ?? key, rows)),
    {
      id: 'power',
      title: t('Power'),
      figures: true,
      about: t('At the start'),
      cell: (row: number) => <Standing value={orNull(rows.powers[row])} />,
    },
  ];
}

const score = ({ dkp, raw, doubts }: ScoredRows, row: number) => (
  <strong>
    <Gain value={orNull(dkp[row])} raw={orNull(raw[row])} doubt={doubtAt(doubts, row)} />
  </strong>
);

const gainColumn = (key: string, title: string, rows: DifferenceRows): Column<number> => ({
  id: key,
  title,
  figures: true,
  about: t('Gained between the two scans'),
  cell: (row) => {
    const gains = rows.gains.get(key);
    if (!gains || row >= rows.table.common) return <Standing value={orNull(rows.now.get(key)?.[row])} />;
    const raw = orNull(gains.raw[row]);
    return <Gain value={raw} raw={raw} doubt={doubtAt(gains.doubts, row)} />;
  },
});

/** Position of a pinned row in the shown order, from 1; a dash if the filters hide it. */
function placeIn(order: Uint32Array, row: number): string {
  const place = order.indexOf(row);
  return place < 0 ? '–' : exact(place + 1);
}

/** A column with the percent reached of a target that depends on power at the start. Exempt governors have none. */
function goalColumn(of: Compared, rows: DifferenceRows, target: GoalTarget, percents: Float64Array): Column<number> {
  const exempt = new Set(of.exempt);
  const title = words(TARGET_TITLE[target]);
  return {
    id: `goal:${target}`,
    title: t('Goal: {title}', { title }),
    figures: true,
    about: t('Percent of the {title} that this power is expected to reach', { title }),
    cell: (row) => {
      if (exempt.has(rows.ids[row] ?? 0)) return <span title={t('Has no goals')}>{t('exempt')}</span>;
      const power = orNull(rows.powers[row]);
      const expected = power === null ? null : goalOf(of.goals, power)?.[target];
      if (expected === null || expected === undefined) return <span title={t('No goal is set for this power')}>–</span>;
      const reached = orNull(percents[row]);
      return reached === null ? <Unknown why={t('Unknown or unverified in one of the two scans')} /> : percent(reached);
    },
  };
}

/** A name that expands the score explanation. */
function who(of: Compared, { table, ids }: DifferenceRows, row: number, { open, change }: Shown) {
  const governor = ids[row] ?? 0;
  const isOpen = open === governor;
  const kingdom = table.kingdoms[table.kingdom[row] ?? -1] ?? '';
  const tag = table.tags[table.tag[row] ?? -1];
  const renamed = table.renamed[row];
  const verified = of.verified?.[governor];
  if (isRemovedId(governor)) return <RemovedName />;
  return (
    <span className={styles.who}>
      <button
        type="button"
        className={styles.open}
        aria-expanded={isOpen}
        title={t('Why this score')}
        onClick={() => change({ open: isOpen ? undefined : governor })}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
        <PlayerName name={nameOr(table.name[row] ?? '', String(governor))} />
      </button>
      <Under>
        <span className={styles.home}>
          <span className={styles.dot} data-camp={of.campOf?.(kingdom) ?? undefined} />{' '}
          <KingdomLink game={of.game} id={homeOf(kingdom)}>
            {kingdom}
          </KingdomLink>{' '}
          ·{' '}
        </span>
        {tag && (
          <>
            <AllianceLink game={of.game} kingdom={homeOf(kingdom)} tag={tag} /> ·{' '}
          </>
        )}
        <GovernorLink game={of.game} id={governor} name={String(governor)} />
        {renamed && <T of=" · was {name}" name={<PlayerName name={renamed} />} />}
        {verified && (
          <span title={t('{t4} of T4, {t5} of T5', { t4: exact(verified.t4), t5: exact(verified.t5) })}>
            {' '}
            {t('· deads verified')}
          </span>
        )}
        {of.zeroed[governor] !== undefined &&
          t(' · zeroed: {governor}% of deads off', { governor: of.zeroed[governor] })}
      </Under>
    </span>
  );
}

/** Returns the kingdom of a name that may include a camp's domain, such as '1001-2'. */
const homeOf = (kingdom: string): string => kingdom.split('-', 1)[0] ?? kingdom;

function KingdomOf({ of, number, now }: { of: Compared; number: string; now: string | undefined }) {
  const camp = of.campOf?.(number);
  return (
    <>
      <KingdomLink game={of.game} id={homeOf(number)}>
        {number}
      </KingdomLink>
      {now !== undefined && now !== number && (
        <span title={t('Moved between the two scans')}>
          {' '}
          {arrow()} {now}
        </span>
      )}
      {camp && (
        <Under>
          <CampMark name={camp} />
        </Under>
      )}
    </>
  );
}
