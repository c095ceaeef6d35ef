import { type ReactNode, useDeferredValue, useEffect, useMemo } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { t } from '../../../domain/language/text.ts';
import type { Kind } from '../../../domain/scans/layouts.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { runWhenIdle } from '../../idle-work.ts';
import { useTextMemo } from '../../ui/use-locale.ts';
import { FilterChips } from './filter-chips.tsx';
import { FlawNotice } from './flaws.tsx';
import { NO_FILTERS, ResultRows } from './result-rows.tsx';
import { flawsOf, isFiltering, passing, Results } from './results.ts';
import { foundText } from './rows-text.ts';
import type { View, ViewSearch } from './search.ts';
import { type Sums, statsOf } from './stats.ts';
import { StatsPanel } from './stats-panel.tsx';

interface Props extends View {
  game: Game;
  /** Null while loading. */
  rows: Row[] | null;
  combined: boolean;
  /** Histories have their own columns, so their column choice is stored separately. */
  kind?: Kind;
  /** Heading of copied text, such as 'Kingdom 1042, 21 Nov 2026'. */
  heading?: string;
  /** Rows with totals, rows only (rows of several kinds have no total), or totals only. */
  part?: 'both' | 'rows' | 'sums';
  /** Shown instead of the table while the rows load. */
  waiting?: ReactNode;
  /** Totals of all rows, until these are loaded. */
  sums?: Sums | null;
  /** The page offers Repair for misread rows. */
  repairable?: boolean;
}

/** Statistics, filters, search and table of results. The page's URL holds the view. */
export function ResultsView({
  game,
  rows: fetched,
  combined,
  kind = 'scan',
  heading = game.name,
  part = 'both',
  waiting,
  sums = null,
  repairable = false,
  search,
  change,
}: Props) {
  // Deferred, so that a slow phone stays responsive.
  const rows = useDeferredValue(fetched, null);
  const { results, all, chosen, stats } = useChosenRows(game, rows, search);
  const flaws = useMemo(() => flawsOf(results, all), [results, all]);
  const clear = () => change(NO_FILTERS);
  const panel = (
    <StatsPanel
      game={game}
      stats={stats}
      sums={stats ?? (isFiltering(search) ? null : sums)}
      of={rows && isFiltering(search) ? filteredText(results, chosen) : null}
      chart={search.chart ?? 'rank'}
      setChart={(chart) => change({ chart: chart === 'rank' ? undefined : chart })}
    />
  );
  if (part === 'sums')
    return (
      <>
        <FilterChips game={game} filters={search} change={change} clear={clear} />
        {panel}
      </>
    );
  return (
    <>
      <FlawNotice
        flaws={flaws}
        only={search.flawed === true}
        setOnly={(only) => change({ flawed: only || undefined })}
        many={game.governor.many}
        repairable={repairable}
      />
      {part === 'both' && panel}
      <ResultRows
        game={game}
        kind={kind}
        combined={combined}
        heading={heading}
        results={results}
        chosen={chosen}
        ready={rows !== null}
        waiting={waiting}
        search={search}
        change={change}
      />
    </>
  );
}

const NO_ROWS: Row[] = [];

/** Returns the rows that pass the URL's filters, and their totals. */
function useChosenRows(game: Game, rows: Row[] | null, search: ViewSearch) {
  const results = useTextMemo(() => new Results(game, rows ?? NO_ROWS), [game, rows]);
  useEffect(() => runWhenIdle(results.index.ahead), [results]);
  const all = useMemo(() => passing(results, {}), [results]);
  const { alliances, hallFrom, hallTo, powerFrom, powerTo, flawed } = search;
  const wanted = alliances?.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: parsing the URL creates a new alliances array each time.
  const chosen = useMemo(
    () => passing(results, { alliances, hallFrom, hallTo, powerFrom, powerTo, flawed }),
    [results, wanted, hallFrom, hallTo, powerFrom, powerTo, flawed],
  );
  const stats = useMemo(() => (rows ? statsOf(results, chosen) : null), [results, chosen, rows]);
  return { results, all, chosen, stats };
}

/** Describes the rows that the totals cover. */
const filteredText = (results: Results, chosen: Uint32Array): string =>
  chosen.length === 0
    ? t('Nobody matches the filters.')
    : t('Of the {rows} that match the filters.', { rows: foundText(results, chosen) });
