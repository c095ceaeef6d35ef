import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide';
import { type ReactNode, useMemo, useState } from 'react';
import { GAMES, type Game } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import type { Part } from '../../../api/results.ts';
import { shownSums } from '../../../components/results/shown-sums.ts';
import type { Sum, Sums } from '../../../components/results/stats.ts';
import { SumsPanel } from '../../../components/results/stats-panel.tsx';
import { capital, compact, counted, exact } from '../../../format.ts';
import type { Column, Sort } from '../../../table/column.ts';
import { VirtualTable } from '../../../table/virtual-table.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Unknown } from '../../../ui/unknown.tsx';
import { useTextMemo } from '../../../ui/use-locale.ts';
import styles from './-kingdom-sums.module.css';

interface Line {
  item_id: string;
  kingdom: number;
  sums: Sums;
  /** The panel with all its totals is open. */
  chosen: boolean;
}

/** Up to this number of kingdoms, all panels are open; beyond, the user selects one. */
const MOST_PANELS = 12;

/**
 * A total in a cell, underlined if rows were excluded. `of` is the number of governors included, if fewer than the
 * column's title says.
 */
function sumIn({ value, excluded }: Sum, of: number | null): ReactNode {
  if (value === null) return <Unknown why={t('Not read in this scan.')} />;
  const text = of === null ? compact(value) : t('{sum} of {count}', { sum: compact(value), count: exact(of) });
  return excluded === 0 ? text : <span className={styles.guarded}>{text}</span>;
}

/** The exact total, and the raw total if rows were excluded. */
function hintOf({ value, excluded, raw }: Sum): string {
  if (value === null) return t('Not read in this scan.');
  if (excluded === 0) return exact(value);
  return t('{sum}, excluding {rows}. Raw total {raw}.', {
    sum: exact(value),
    rows: counted(excluded, 'misread row'),
    raw: exact(raw ?? 0),
  });
}

/** Number of governors in the columns of the strongest. */
const TOPS: Partial<Record<keyof Sums, number>> = { top100: 100, top350: 350 };

const fewerIn = ({ sums: { count } }: Line, key: keyof Sums): number | null =>
  count < (TOPS[key] ?? 0) ? count : null;

const FIGURES = ['top100', 'top350', 'power', 'score', 'deads', 'highTierKills'] as const;

const titlesOf = (game: Game): Readonly<Record<(typeof FIGURES)[number], [title: string, about: string]>> => ({
  top100: [t('Top 100'), t('Power of the strongest 100')],
  top350: [t('Top 350'), t('Power of the strongest 350')],
  power: [t('Power'), t('Total power')],
  score: [game.score, t('Total {game, select, cod {merits} other {killpoints}}', { game: game.id })],
  deads: [t('Deads'), t('Total deads')],
  highTierKills: ['T4 + T5', t('Kills of T4 and T5')],
});

function columnsOf(game: Game, many: boolean): Column<Line>[] {
  const titles = titlesOf(game);
  return [
    {
      id: 'kingdom',
      title: capital(game.kingdom.one),
      value: ({ kingdom }) => kingdom,
      width: many ? 124 : 96,
      grow: true,
      sticky: true,
      cell: (line) => (
        <div className={styles.first}>
          <Link to="/order/$orderId" params={{ orderId: line.item_id }} className={styles.kingdom}>
            {line.kingdom}
          </Link>
          {many && <PanelLink game={game} line={line} />}
        </div>
      ),
    },
    {
      id: 'count',
      title: capital(game.governor.many),
      width: 118,
      figures: true,
      value: ({ sums }) => sums.count,
      cell: ({ sums }) => exact(sums.count),
    },
    ...FIGURES.map(
      (key): Column<Line> => ({
        id: key,
        title: titles[key][0],
        about: titles[key][1],
        width: 116,
        figures: true,
        value: ({ sums }) => sums[key].value,
        cell: (line) => sumIn(line.sums[key], fewerIn(line, key)),
        hint: ({ sums }) => hintOf(sums[key]),
      }),
    ),
  ];
}

/** Unknown values come last either way. */
const byFigure = (a: number | null, b: number | null, ascending: boolean): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : ascending ? a - b : b - a;

/** Opens a kingdom's panel instead of another's, or closes it. The URL holds the choice. */
const PanelLink = ({ game, line: { kingdom, chosen } }: { game: Game; line: Line }) => (
  <Link
    from="/order/$orderId"
    to="."
    search={(before) => ({ ...before, kingdom: chosen ? undefined : kingdom })}
    replace
    resetScroll={false}
    className={styles.toPanel}
    data-on={chosen || undefined}
    aria-label={
      chosen
        ? t('Close statistics of {game, select, cod {server} other {kingdom}} {id}', {
            game: game.id,
            id: String(kingdom),
          })
        : t('Statistics of {game, select, cod {server} other {kingdom}} {id}', { game: game.id, id: String(kingdom) })
    }
  >
    <Icon of={ChartColumn} size={16} />
  </Link>
);

/** Statistics with a title and a count. */
export const Titled = ({ title, count, children }: { title: ReactNode; count: string; children?: ReactNode }) => (
  <div className={styles.titled}>
    <h2>{title}</h2>
    <span className={styles.note}>{count}</span>
    {children}
  </div>
);

/** A kingdom's totals with a link to its results. */
function Panel({ game, line: { item_id, kingdom, sums } }: { game: Game; line: Line }) {
  const title = (
    <Link to="/order/$orderId" params={{ orderId: item_id }}>
      {words(capital(game.kingdom.one))} {kingdom}
    </Link>
  );
  return (
    <li>
      <Titled title={title} count={counted(sums.count, game.governor.one, game.governor.many)}>
        <SumsPanel
          game={game}
          sums={sums}
          label={t('Statistics of {game, select, cod {server} other {kingdom}} {id}', {
            game: game.id,
            id: String(kingdom),
          })}
        />
      </Titled>
    </li>
  );
}

/** Totals by kingdom as a table, with panels for a few kingdoms or for the selected one. */
export function KingdomSums({ parts, chosen }: { parts: readonly Part[]; chosen: number | undefined }) {
  const [sort, setSort] = useState<Sort>({ id: 'power', ascending: false });
  const game = GAMES[parts[0]?.game ?? 'rok'];
  const many = parts.length > MOST_PANELS;
  const columns = useTextMemo(() => columnsOf(game, many), [game, many]);
  const lines = useMemo(() => {
    const value = columns.find(({ id }) => id === sort.id)?.value ?? (() => null);
    return parts
      .map(({ item_id, kingdom_id: kingdom, sums }): Line => {
        return { item_id, kingdom, sums: shownSums(sums), chosen: kingdom === chosen };
      })
      .sort((a, b) => byFigure(value(a), value(b), sort.ascending) || a.kingdom - b.kingdom);
  }, [parts, columns, sort, chosen]);
  const panels = many ? lines.filter((line) => line.chosen) : lines;
  return (
    <details className={styles.kingdoms} open>
      <summary>
        {parts[0]?.kind === 'history'
          ? t('By {game, select, cod {server} other {kingdom}}, on the last day of the history', { game: game.id })
          : t('By {game, select, cod {server} other {kingdom}}', { game: game.id })}
      </summary>
      <VirtualTable
        label={t('Sums by {game, select, cod {server} other {kingdom}}', { game: game.id })}
        columns={columns}
        rows={lines}
        sort={sort}
        onSort={setSort}
        empty={t('There are no results yet.')}
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
          <Icon of={ChartColumn} size={16} />{' '}
          {t('beside a {game, select, cod {server} other {kingdom}} shows all its totals.', { game: game.id })}
        </p>
      )}
    </details>
  );
}
