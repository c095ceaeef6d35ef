import { type PointerEvent, useId, useState } from 'react';
import { inLanguageDirection } from '../../domain/language/formats.ts';
import styles from './bars.module.css';
import { ChartTable } from './chart-table.tsx';

export interface Bar {
  /** Full name of the bar. */
  name: string;
  /** Label below the bar; may be empty. */
  tick: string;
  /** Null if unknown: draws no bar and shows '?'. */
  value: number | null;
}

/**
 * A vertical bar chart, with a hidden table for screen readers. The pointer shows a bar's value; otherwise the caption
 * shows `reading`. `framed` adds a frame for charts outside a panel.
 */
export function Bars({
  label,
  nameOf,
  reading,
  bars,
  show,
  exact,
  framed = false,
}: {
  label: string;
  /** Column titles of the hidden table. */
  nameOf: [bar: string, value: string];
  reading: string;
  bars: readonly Bar[];
  show: (value: number) => string;
  exact: (value: number) => string;
  framed?: boolean;
}) {
  const [at, setAt] = useState<number | null>(null);
  const id = useId();
  const most = Math.max(1, ...bars.map(({ value }) => value ?? 0));
  const read = bars[at ?? -1];
  const move = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))));
  };
  return (
    <figure className={framed ? styles.framed : styles.figure} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <span id={id}>{label}</span>
        <span className={styles.reading}>
          {read ? `${read.name}: ${read.value === null ? '?' : show(read.value)}` : reading}
        </span>
      </figcaption>
      <div className={styles.bars} aria-hidden onPointerMove={move} onPointerLeave={() => setAt(null)}>
        {bars.map(({ name, value }, index) => (
          <span key={name} className={styles.slot} data-read={index === at || undefined}>
            <span className={styles.bar} style={{ height: `${((value ?? 0) / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className={styles.ticks} aria-hidden>
        {bars.map(({ name, tick }) => (
          <span key={name}>{tick && inLanguageDirection(tick)}</span>
        ))}
      </div>
      <ChartTable
        label={label}
        head={nameOf}
        rows={bars.map(({ name, value }) => [name, value === null ? '?' : exact(value)])}
      />
    </figure>
  );
}
