import type { Game } from '../../../domain/games.ts';
import { RankCurve } from '../../chart/rank-curve.tsx';
import { exact } from '../../format.ts';
import { Figure } from '../../ui/figure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Stats } from './result-rows.ts';
import styles from './stats-panel.module.css';

const MARKS = [10, 100, 350];

/** Undefined is on its way; null was not read. */
function Sum({ value }: { value: number | null | undefined }) {
  if (value === undefined) return <Skeleton width="5rem" height="1.5rem" />;
  return value === null ? '?' : <Figure value={value} />;
}

/** The sums of a scan, and how its power is spread over the ranks. */
export function StatsPanel({ game, stats }: { game: Game; stats: Stats | null }) {
  const figures: [string, number | null | undefined][] = [
    ['Top 100 power', stats?.top100],
    ['Top 350 power', stats?.top350],
    ['Total power', stats?.power],
    [`Total ${game.score.toLowerCase()}`, stats?.score],
    ['Total deads', stats?.deads],
    ['T4 and T5 kills', stats?.highTierKills],
  ];
  return (
    <section className={styles.panel} aria-label="Statistics">
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name} className={styles.figure}>
            <dt>{name}</dt>
            <dd>
              <Sum value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.curve}>
        {stats ? <RankCurve values={stats.powers} marks={MARKS} label="Power by rank" /> : <Skeleton height="100%" />}
      </div>
      {stats !== null && stats.listedOnly > 0 && (
        <p className={styles.note}>
          {exact(stats.listedOnly)} of {exact(stats.count)} {game.governor.many} were read from the ranking list only:
          the sums hold their power, not their {game.score.toLowerCase()}, deads and kills.
        </p>
      )}
    </section>
  );
}
