import { lazy, type ReactNode, Suspense } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { RankCurve } from '../../chart/rank-curve.tsx';
import { compact, counted, exact, inSentence } from '../../format.ts';
import { Figure } from '../../ui/figure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import tabs from '../../ui/tabs.module.css';
import { T } from '../../ui/text.tsx';
import { Unknown } from '../../ui/unknown.tsx';
import { CHARTS, type Chart } from './search.ts';
import type { Stats, Sum, Sums } from './stats.ts';
import styles from './stats-panel.module.css';

/** Charts loaded on demand. */
const SpreadChart = lazy(async () => ({ default: (await import('./stats-charts.tsx')).SpreadChart }));
const KillsChart = lazy(async () => ({ default: (await import('./stats-charts.tsx')).KillsChart }));

/** Totals of a scan with charts of power and kills. `of` describes the rows covered, if fewer than all. */
export function StatsPanel({
  game,
  stats,
  sums,
  of,
  chart,
  setChart,
}: {
  game: Game;
  /** Null while the rows load. */
  stats: Stats | null;
  /** Totals, which may be known before. */
  sums: Sums | null;
  of: string | null;
  chart: Chart;
  setChart: (chart: Chart) => void;
}) {
  return (
    <section className={styles.panel} aria-label={t('Statistics')}>
      <Figures game={game} sums={sums} />
      <div className={styles.chart}>
        <fieldset className={`${tabs.tabs} ${styles.charts}`} aria-label={t('Chart')}>
          {CHARTS.map((each) => (
            <button
              key={each}
              type="button"
              className={tabs.tab}
              data-on={each === chart || undefined}
              aria-pressed={each === chart}
              onClick={() => setChart(each)}
            >
              {words(CHART_NAMES[each])}
            </button>
          ))}
        </fieldset>
        {stats ? (
          <Suspense fallback={<Skeleton height="100%" />}>
            <ChosenChart chart={chart} stats={stats} game={game} />
          </Suspense>
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
      <Notes of={of} stats={sums} game={game} />
    </section>
  );
}

/** Totals of rows that are not loaded. `label` names them for screen readers. */
export const SumsPanel = ({ game, sums, label }: { game: Game; sums: Sums; label: string }) => (
  <section className={styles.panel} data-plain aria-label={label}>
    <Figures game={game} sums={sums} />
    <Notes of={null} stats={sums} game={game} />
  </section>
);

const Figures = ({ game, sums }: { game: Game; sums: Sums | null }) => (
  <dl className={styles.figures}>
    <Entry name={topPower(100, sums?.count ?? 100)} sum={sums?.top100} />
    <Entry name={topPower(350, sums?.count ?? 350)} sum={sums?.top350} />
    <Entry name={t('Total power')} sum={sums?.power} />
    <Entry
      name={t('{game, select, cod {Total merits} other {Total killpoints}}', { game: game.id })}
      sum={sums?.score}
    />
    <Entry name={t('Total deads')} sum={sums?.deads} />
    <Entry name={t('T4 and T5 kills')} sum={sums?.highTierKills} />
  </dl>
);

const topPower = (most: number, count: number): string =>
  count < most ? t('Top {most} ({count} read) power', { most, count }) : t('Top {most} power', { most });

const CHART_NAMES: Readonly<Record<Chart, string>> = {
  rank: message('Power by rank'),
  spread: message('Distribution'),
  kills: message('Kills by tier'),
};

function Entry({ name, sum }: { name: string; sum: Sum | undefined }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd className={styles.value}>
        {/* Undefined means loading, null means not read. */}
        {sum === undefined ? (
          <Skeleton width="5rem" height="1.5rem" />
        ) : sum.value === null ? (
          <Unknown why={t('Not read in this scan.')} />
        ) : (
          <Figure value={sum.value} />
        )}
      </dd>
      {sum && guardText(sum) !== null && <dd className={styles.guard}>{guardText(sum)}</dd>}
    </div>
  );
}

/** Returns a note about rows that are excluded from the sum or have other unverified figures. */
function guardText({ excluded, raw, flawed }: Sum): string | null {
  if (excluded > 0)
    return t('{rows} excluded, raw total {raw}', { rows: counted(excluded, 'row'), raw: compact(raw ?? 0) });
  return flawed > 0 ? t('Includes {rows} with other unverified figures', { rows: counted(flawed, 'row') }) : null;
}

function Notes({ of, stats, game }: { of: string | null; stats: Sums | null; game: Game }) {
  const notes: ReactNode[] = [];
  if (of !== null) notes.push(<p key="of">{of}</p>);
  if (stats !== null && stats.listedOnly > 0)
    notes.push(
      <p key="listed">
        <T
          of="The scan has no {score}, deads and kills for {listedOnly} of {count}. Totals include only their power."
          score={inSentence(words(game.score))}
          listedOnly={exact(stats.listedOnly)}
          count={counted(stats.count, game.governor.one, game.governor.many)}
        />
      </p>,
    );
  return notes.length > 0 && <div className={styles.notes}>{notes}</div>;
}

const MARKS = [10, 100, 350];

function ChosenChart({ chart, stats, game }: { chart: Chart; stats: Stats; game: Game }) {
  if (chart === 'kills') return <KillsChart stats={stats} />;
  if (stats.powers.length < 2)
    return (
      <p className={styles.none}>
        <T of="A chart needs the power of at least two {many}." many={words(game.governor.many)} />
      </p>
    );
  return chart === 'rank' ? (
    <RankCurve values={stats.powers} marks={MARKS} label={t('Power by rank')} />
  ) : (
    <SpreadChart stats={stats} game={game} />
  );
}
