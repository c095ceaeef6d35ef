import type { Doubt } from '../../../domain/difference/doubts.ts';
import { exact } from '../../format.ts';
import { Unknown } from '../../ui/unknown.tsx';
import styles from './term-sum.module.css';

const NOT_READ = 'Not read in one of the two scans.';

export interface Term {
  key: string;
  title: string;
  weight: number;
  /** Null if not read. */
  gain: number | null;
  points: number | null;
  doubt: Doubt | null;
}

/** Shows the score as a sum: 10 × 1,234,567 T4 kills + …. */
export function TermSum({ terms }: { terms: readonly Term[] }) {
  const total = terms.reduce<number | null>(
    (sum, { points }) => (sum === null || points === null ? null : sum + points),
    0,
  );
  const doubted = terms.some(({ doubt }) => doubt !== null);
  return (
    <dl className={styles.sum}>
      {terms.map(({ key, weight, title, gain, points, doubt }) => (
        <div key={key} data-doubted={doubt !== null || undefined}>
          <dt>
            {weight} × {title}
          </dt>
          <dd>
            {gain === null ? <Unknown why={NOT_READ} /> : exact(gain)}
            <small> = {points === null ? <Unknown why={NOT_READ} /> : exact(points)}</small>
          </dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{doubted ? 'Raw total, not counted' : 'DKP'}</dt>
        <dd>{total === null ? <Unknown why="A figure in it is unknown." /> : exact(total)}</dd>
      </div>
    </dl>
  );
}
