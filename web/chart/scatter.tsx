import { type PointerEvent, useId, useMemo, useState } from 'react';
import { inLanguageDirection } from '../../domain/language/formats.ts';
import { labelled, listed, t } from '../../domain/language/text.ts';
import { T } from '../ui/text.tsx';
import { OpenedTable } from './chart-table.tsx';
import { readByKeys } from './read-by-keys.ts';
import styles from './scatter.module.css';

export interface Point {
  name: string;
  x: number;
  y: number;
  /** A CSS colour; the accent if missing. */
  colour?: string | undefined;
}

/** A horizontal line of a target from one x up to another (exclusive). */
export interface Target {
  from: number;
  to: number;
  y: number;
}

const WIDTH = 640;
const HEIGHT = 320;
const EDGE = 28;

const middle = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/**
 * A scatter plot divided into quadrants at the medians, with a table to open. The pointer shows the nearest point, and
 * the arrow keys go from point to point by x. `quadrants` are named from the upper left, row by row.
 */
export function Scatter({
  label,
  x,
  y,
  quadrants,
  points: all,
  targets = [],
  target = '',
  show,
}: {
  label: string;
  x: string;
  y: string;
  quadrants: readonly [string, string, string, string];
  points: readonly Point[];
  targets?: readonly Target[];
  /** What the targets are. */
  target?: string;
  show: (value: number) => string;
}) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const points = useMemo(() => all.toSorted((one, other) => one.x - other.x), [all]);
  const mostX = points.at(-1)?.x || 1;
  const drawn = targets.filter(({ from }) => from < mostX);
  const mostY = [...points, ...drawn].reduce((most, each) => Math.max(most, each.y), 1);
  const left = (value: number) => EDGE + (Math.max(0, Math.min(mostX, value)) / mostX) * (WIDTH - 2 * EDGE);
  const top = (value: number) => HEIGHT - EDGE - (Math.max(0, value) / mostY) * (HEIGHT - 2 * EDGE);
  const [cutX, cutY] = [left(middle(points.map((point) => point.x))), top(middle(points.map((point) => point.y)))];
  const read = at === null ? null : points[at];
  const move = ({ currentTarget, clientX, clientY }: PointerEvent<Element>) => {
    const box = currentTarget.getBoundingClientRect();
    const px = ((clientX - box.left) / box.width) * WIDTH;
    const py = ((clientY - box.top) / box.height) * HEIGHT;
    let best = -1;
    let nearest = 24 ** 2;
    for (const [index, point] of points.entries()) {
      const distance = (left(point.x) - px) ** 2 + (top(point.y) - py) ** 2;
      if (distance < nearest) [best, nearest] = [index, distance];
    }
    setAt(best < 0 ? null : best);
  };
  const reading = read ? listed([`${x} ${show(read.x)}`, `${y} ${show(read.y)}`]) : '';
  const text = read ? labelled(read.name, reading) : t('No dot is chosen');
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <span id={id}>{label}</span>
        <span className={styles.reading}>
          {read ? <T of="{label}: {value}" label={<bdi>{read.name}</bdi>} value={reading} /> : t('Point at a dot')}
        </span>
      </figcaption>
      <div
        className={styles.field}
        {...readByKeys({ label, at: at ?? 0, count: points.length, text }, setAt)}
        onPointerMove={move}
        onPointerLeave={() => setAt(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <path
            className={styles.cut}
            d={`M${cutX} ${EDGE / 2}V${HEIGHT - EDGE}M${EDGE} ${cutY}H${WIDTH - EDGE / 2}`}
          />
          {drawn.length > 0 && (
            <path
              className={styles.target}
              d={drawn.map(({ from, to, y: height }) => `M${left(from)} ${top(height)}H${left(to)}`).join('')}
            />
          )}
          {points.map((point, index) => (
            <circle
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and points have no other key.
              key={index}
              cx={left(point.x)}
              cy={top(point.y)}
              r={index === at ? 6 : 3}
              style={point.colour === undefined ? undefined : { fill: point.colour }}
              data-read={index === at || undefined}
            />
          ))}
          <text x={EDGE + 4} y={EDGE}>
            {quadrants[0]}
          </text>
          <text x={WIDTH - EDGE} y={EDGE} textAnchor="end">
            {quadrants[1]}
          </text>
          <text x={EDGE + 4} y={HEIGHT - EDGE - 6}>
            {quadrants[2]}
          </text>
          <text x={WIDTH - EDGE} y={HEIGHT - EDGE - 6} textAnchor="end">
            {quadrants[3]}
          </text>
          <text x={EDGE} y={HEIGHT - 8}>
            0
          </text>
          <text x={WIDTH - EDGE} y={HEIGHT - 8} textAnchor="end">
            {inLanguageDirection(`${x} ${show(mostX)}`)}
          </text>
          <text x={4} y={14}>
            {inLanguageDirection(`${y} ${show(mostY)}`)}
          </text>
        </svg>
      </div>
      {drawn.length > 0 && (
        <p className={styles.legend}>
          <span className={styles.dash} /> {target}
        </p>
      )}
      <OpenedTable
        label={label}
        head={[t('Name'), x, y]}
        rows={() => points.toReversed().map((point) => [point.name, show(point.x), show(point.y)] as const)}
      />
    </figure>
  );
}
