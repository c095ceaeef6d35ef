import { Link } from '@tanstack/react-router';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { ChartColumn } from 'lucide';
import { type ReactNode, useMemo, useState } from 'react';
import { GAMES, type Game } from '../../../../domain/games/games.ts';
import type { Part } from '../../../api/results.ts';
import { shownSums } from '../../../components/results/shown-sums.ts';
import type { Sum, Sums } from '../../../components/results/stats.ts';
import { SumsPanel } from '../../../components/results/stats-panel.tsx';
import { capital, compact, counted, exact } from '../../../format.ts';
import type { Features } from '../../../table/features.ts';
import { type Sort, VirtualTable } from '../../../table/virtual-table.tsx';
import { Icon } from '../../../ui/icon.tsx';
import styles from './-kingdom-sums.module.css';

interface Line {
  item_id: string;
  kingdom: number;
  sums: Sums;
  /** Its sums are shown in full. */
  chosen: boolean;
}

/** Kingdoms whose sums are all shown in full; of more, one is chosen. */
const MOST_PANELS = 12;

const helper = createColumnHelper<Features, Line>();

/**
 * A sum in a cell; where rows were left out it looks it, and its title has both figures. `of` is how many governors a
 * sum of the strongest is of, where they are fewer than its column says.
 */
function SumCell({ sum, of }: { sum: Sum; of: number | null }) {
  if (sum.value === null) return <span title="Not read in this scan.">?</span>;
  const few = of !== null && ` of ${exact(of)}`;
  if (sum.leftOut === 0)
    return (
      <span title={exact(sum.value)}>
        {compact(sum.value)}
        {few}
      </span>
    );
  const title = `${exact(sum.value)} without ${counted(sum.leftOut, 'misread row')}, ${exact(sum.raw ?? 0)} with them.`;
  return (
    <span className={styles.guarded} title={title}>
      {compact(sum.value)}
      {few}
    </span>
  );
}

/** How many of the strongest the sums in these columns are of. */
const TOPS: Partial<Record<keyof Sums, number>> = { top100: 100, top350: 350 };

const fewerIn = ({ sums: { count } }: Line, key: keyof Sums): number | null =>
  count < (TOPS[key] ?? 0) ? count : null;

const FIGURES = ['top100', 'top350', 'power', 'score', 'deads', 'highTierKills'] as const;

const titlesOf = (game: Game): Readonly<Record<(typeof FIGURES)[number], [title: string, about: string]>> => ({
  top100: ['Top 100', 'Power of the strongest 100'],
  top350: ['Top 350', 'Power of the strongest 350'],
  power: ['Power', 'Total power'],
  score: [game.score, `Total ${game.score.toLowerCase()}`],
  deads: ['Deads', 'Total deads'],
  highTierKills: ['T4 + T5', 'Kills of T4 and T5'],
});

function columnsOf(game: Game, many: boolean): ColumnDef<Features, Line>[] {
  const titles = titlesOf(game);
  return helper.columns([
    helper.accessor('kingdom', {
      header: capital(game.kingdom.one),
      cell: ({ row: { original } }) => (
        <div className={styles.first}>
          <Link to="/order/$orderId" params={{ orderId: original.item_id }} className={styles.kingdom}>
            {original.kingdom}
          </Link>
          {many && <PanelLink game={game} line={original} />}
        </div>
      ),
      meta: { width: many ? 124 : 96, grow: true, sticky: true },
    }),
    helper.accessor((line) => line.sums.count, {
      id: 'count',
      header: capital(game.governor.many),
      cell: ({ getValue }) => exact(getValue()),
      meta: { width: 118, figures: true },
    }),
    ...FIGURES.map((key) =>
      helper.accessor((line) => line.sums[key].value, {
        id: key,
        header: titles[key][0],
        cell: ({ row: { original } }) => <SumCell sum={original.sums[key]} of={fewerIn(original, key)} />,
        meta: { width: 116, figures: true, about: titles[key][1] },
      }),
    ),
  ]);
}

const figureIn = (line: Line, id: string): number | null => {
  if (id === 'kingdom') return line.kingdom;
  if (id === 'count') return line.sums.count;
  return FIGURES.some((key) => key === id) ? line.sums[id as (typeof FIGURES)[number]].value : null;
};

/** What is unknown comes last either way. */
const byFigure = (a: number | null, b: number | null, desc: boolean): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : desc ? b - a : a - b;

/** Shows the sums of a line in full in place of another's, or no longer. Which ones show is the address's. */
const PanelLink = ({ game, line: { kingdom, chosen } }: { game: Game; line: Line }) => (
  <Link
    from="/order/$orderId"
    to="."
    search={(before) => ({ ...before, kingdom: chosen ? undefined : kingdom })}
    replace
    resetScroll={false}
    className={styles.toPanel}
    data-on={chosen || undefined}
    aria-label={`${chosen ? 'Close statistics' : 'Statistics'} of ${game.kingdom.one} ${kingdom}`}
  >
    <Icon of={ChartColumn} size={16} />
  </Link>
);

/** Statistics under a title that says whose they are, and of how many. */
export const Titled = ({ title, count, children }: { title: ReactNode; count: string; children?: ReactNode }) => (
  <div className={styles.titled}>
    <h2>{title}</h2>
    <span className={styles.note}>{count}</span>
    {children}
  </div>
);

/** A kingdom's sums in full, under the way to its results. */
function Panel({ game, line: { item_id, kingdom, sums } }: { game: Game; line: Line }) {
  const title = (
    <Link to="/order/$orderId" params={{ orderId: item_id }}>
      {capital(game.kingdom.one)} {kingdom}
    </Link>
  );
  return (
    <li>
      <Titled title={title} count={counted(sums.count, game.governor.one, game.governor.many)}>
        <SumsPanel game={game} sums={sums} label={`Statistics of ${game.kingdom.one} ${kingdom}`} />
      </Titled>
    </li>
  );
}

/** The sums of each kingdom's results: a line of each to compare them by, and in full of a few, or of the chosen one. */
export function KingdomSums({ parts, chosen }: { parts: readonly Part[]; chosen: number | undefined }) {
  const [sort, setSort] = useState<Sort>({ id: 'power', desc: true });
  const game = GAMES[parts[0]?.game ?? 'rok'];
  const many = parts.length > MOST_PANELS;
  const columns = useMemo(() => columnsOf(game, many), [game, many]);
  const lines = useMemo(
    () =>
      parts
        .map(({ item_id, kingdom_id: kingdom, sums }): Line => {
          return { item_id, kingdom, sums: shownSums(sums), chosen: kingdom === chosen };
        })
        .sort((a, b) => byFigure(figureIn(a, sort.id), figureIn(b, sort.id), sort.desc) || a.kingdom - b.kingdom),
    [parts, sort, chosen],
  );
  const panels = many ? lines.filter((line) => line.chosen) : lines;
  return (
    <details className={styles.kingdoms} open>
      <summary>
        By {game.kingdom.one}
        {parts[0]?.kind === 'history' && ', on the last day of the history'}
      </summary>
      <VirtualTable
        label={`Sums by ${game.kingdom.one}`}
        columns={columns}
        data={lines}
        rowId={(line) => line.item_id}
        sort={sort}
        onSort={setSort}
        empty="There are no results yet."
      />
      {panels.length > 0 && (
        <ul className={styles.panels}>
          {panels.map((line) => (
            <Panel key={line.item_id} game={game} line={line} />
          ))}
        </ul>
      )}
      {many && panels.length === 0 && (
        <p className={`${styles.note} ${styles.hint}`}>
          <Icon of={ChartColumn} size={16} /> beside a {game.kingdom.one} shows its sums in full.
        </p>
      )}
    </details>
  );
}
