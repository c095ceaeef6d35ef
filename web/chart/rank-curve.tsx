import { type PointerEvent, useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { compact, exact } from '../format.ts';
import styles from './rank-curve.module.css';

const WIDTH = 480;
const HEIGHT = 112;
/** Maximum number of points; more would fall on the same pixels. */
const POINTS = 160;

/**
 * Plots a figure by rank, which tells a kingdom of a few giants from one of many equals. The rank axis is logarithmic,
 * because the top ranks would otherwise be a vertical line. `values` are sorted, greatest first; `marks` are ranks to
 * label. The pointer shows a rank's value.
 */
export function RankCurve({
  values,
  marks,
  label,
}: {
  values: ArrayLike<number>;
  marks: readonly number[];
  label: string;
}) {
  const [rank, setRank] = useState<number | null>(null);
  const count = values.length;
  const top = values[0] ?? 0;
  if (count < 2 || top <= 0) return null;
  const x = (index: number) => (Math.log(index + 1) / Math.log(count)) * WIDTH;
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const shownMarks = marks.filter((mark) => mark < count);
  const read = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    setRank(Math.round(count ** share) - 1);
  };
  const line = sampled(count).map((index) => `${x(index).toFixed(1)},${y(values[index] ?? 0).toFixed(1)}`);
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <span className={styles.reading}>
          {rank === null
            ? t('{top} to {compact}', { top: compact(top), compact: compact(values[count - 1] ?? 0) })
            : t('Rank {exact}: {compact}', { exact: exact(rank + 1), compact: compact(values[rank] ?? 0) })}
        </span>
      </figcaption>
      <div className={styles.plot}>
        <svg
          className={styles.chart}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('{label}: from {top} at rank 1 to {exact} at rank {count}.', {
            label,
            top: exact(top),
            exact: exact(values[count - 1] ?? 0),
            count: exact(count),
          })}
          onPointerMove={read}
          onPointerLeave={() => setRank(null)}
        >
          <polygon className={styles.area} points={`0,${HEIGHT} ${line.join(' ')} ${WIDTH},${HEIGHT}`} />
          {shownMarks.map((mark) => (
            <line key={mark} className={styles.mark} x1={x(mark - 1)} x2={x(mark - 1)} y1="0" y2={HEIGHT} />
          ))}
          <polyline className={styles.line} points={line.join(' ')} />
          {rank !== null && <line className={styles.cursor} x1={x(rank)} x2={x(rank)} y1="0" y2={HEIGHT} />}
        </svg>
      </div>
      <div className={styles.axis} aria-hidden>
        {shownMarks.map((mark) => (
          <span key={mark} style={{ insetInlineStart: `${(x(mark - 1) / WIDTH) * 100}%` }}>
            {exact(mark)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Returns the indexes to draw: all of the first, then ever fewer, spaced evenly on the logarithmic axis. */
function sampled(count: number): number[] {
  const ranks = Array.from({ length: POINTS }, (_, point) => Math.round(count ** (point / (POINTS - 1))));
  return [...new Set(ranks)].map((rank) => rank - 1);
}
