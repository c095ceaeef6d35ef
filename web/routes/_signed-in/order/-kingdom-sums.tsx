import { Link } from '@tanstack/react-router';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { GAMES, type Game } from '../../../../domain/games.ts';
import { type Part, shownSums } from '../../../api/results.ts';
import type { Sum, Sums } from '../../../components/results/stats.ts';
import { capital, compact, counted, exact } from '../../../format.ts';
import type { Features } from '../../../table/features.ts';
import { type Sort, VirtualTable } from '../../../table/virtual-table.tsx';
import styles from './-kingdom-sums.module.css';

interface Line {
  item_id: string;
  kingdom: number;
  sums: Sums;
}

const helper = createColumnHelper<Features, Line>();

/** A sum in a cell; where rows were left out it looks it, and its title has both figures. */
function SumCell({ sum }: { sum: Sum }) {
  if (sum.value === null) return <span title="Not read in this scan.">?</span>;
  if (sum.leftOut === 0) return <span title={exact(sum.value)}>{compact(sum.value)}</span>;
  const title = `${exact(sum.value)} without ${counted(sum.leftOut, 'misread row')}, ${exact(sum.raw ?? 0)} with them.`;
  return (
    <span className={styles.guarded} title={title}>
      {compact(sum.value)}
    </span>
  );
}

const FIGURES = ['top100', 'top350', 'power', 'score', 'deads', 'highTierKills'] as const;

const titlesOf = (game: Game): Readonly<Record<(typeof FIGURES)[number], [title: string, about: string]>> => ({
  top100: ['Top 100', 'Power of the strongest 100'],
  top350: ['Top 350', 'Power of the strongest 350'],
  power: ['Power', 'Total power'],
  score: [game.score, `Total ${game.score.toLowerCase()}`],
  deads: ['Deads', 'Total deads'],
  highTierKills: ['T4 + T5', 'Kills of T4 and T5'],
});

function columnsOf(game: Game): ColumnDef<Features, Line>[] {
  const titles = titlesOf(game);
  return helper.columns([
    helper.accessor('kingdom', {
      header: capital(game.kingdom.one),
      cell: ({ row: { original } }) => (
        <Link to="/order/$orderId" params={{ orderId: original.item_id }} className={styles.kingdom}>
          {original.kingdom}
        </Link>
      ),
      meta: { width: 96, grow: true, sticky: true },
    }),
    helper.accessor((line) => line.sums.count, {
      id: 'count',
      header: capital(game.governor.many),
      cell: ({ getValue }) => exact(getValue()),
      meta: { width: 118, figures: true },
    }),
    ...FIGURES.map((key) =>
      helper.accessor((line) => line.sums[key].value ?? -1, {
        id: key,
        header: titles[key][0],
        cell: ({ row: { original } }) => <SumCell sum={original.sums[key]} />,
        meta: { width: 116, figures: true, about: titles[key][1] },
      }),
    ),
  ]);
}

const figureIn = (line: Line, id: string): number => {
  if (id === 'kingdom') return line.kingdom;
  if (id === 'count') return line.sums.count;
  return FIGURES.some((key) => key === id) ? (line.sums[id as (typeof FIGURES)[number]].value ?? -1) : 0;
};

/** A line of sums for each kingdom's results, and the way to them. */
export function KingdomSums({ parts }: { parts: readonly Part[] }) {
  const [sort, setSort] = useState<Sort>({ id: 'power', desc: true });
  const game = GAMES[parts[0]?.game ?? 'rok'];
  const columns = useMemo(() => columnsOf(game), [game]);
  const lines = useMemo(
    () =>
      parts
        .map(({ item_id, kingdom_id, sums }): Line => ({ item_id, kingdom: kingdom_id, sums: shownSums(sums) }))
        .sort((a, b) => (sort.desc ? -1 : 1) * (figureIn(a, sort.id) - figureIn(b, sort.id)) || a.kingdom - b.kingdom),
    [parts, sort],
  );
  return (
    <details className={styles.kingdoms} open>
      <summary>By {game.kingdom.one}</summary>
      <VirtualTable
        label={`Sums by ${game.kingdom.one}`}
        columns={columns}
        data={lines}
        rowId={(line) => line.item_id}
        sort={sort}
        onSort={setSort}
        empty="There are no results yet."
      />
    </details>
  );
}
