import { useEffect, useId, useRef, useState } from 'react';
import { labelled, listed, t } from '../../domain/language/text.ts';
import { compact, date, exact } from '../format.ts';
import { Short } from '../ui/short.tsx';
import { useOwnTime } from '../ui/time.tsx';
import { useTextMemo } from '../ui/use-locale.ts';
import { ChartTable, OpenedTable } from './chart-table.tsx';
import styles from './line-chart.module.css';
import { readByKeys } from './read-by-keys.ts';

export interface Line {
  label: string;
  /** One value per day; null if unknown. */
  values: readonly (number | null)[];
  /** A CSS colour, if the line's subject has one. */
  colour?: string;
  /** The values split into runs, if not all points may be connected. */
  runs?: readonly (readonly (number | null)[])[];
}

/** Custom properties with default colours, in the order of the lines. */
const COLOURS = ['--line-1', '--line-2', '--line-3', '--line-4'] as const;

/**
 * A line chart over days, with a hidden table for screen readers or one to open. The pointer and the arrow keys show a
 * day's values. `reversed` puts 1 at the top, for ranks.
 */
export function LineChart({
  label,
  days,
  lines,
  reversed = false,
  show = compact,
  marks = NO_MARKS,
  opens = false,
}: {
  label: string;
  /** Oldest first, as 'YYYY-MM-DD' or ISO 8601 times. */
  days: readonly string[];
  lines: readonly Line[];
  reversed?: boolean;
  show?: (value: number) => string;
  /** Labels of some of the days. */
  marks?: Readonly<Record<string, string>>;
  /** True if everybody can open the table. */
  opens?: boolean;
}) {
  const root = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const cursor = useRef<((day: number) => void) | null>(null);
  const titleId = useId();
  const ownTime = useOwnTime();
  const drawing = useTextMemo(() => ({ days, lines, reversed, marks, onRead: setAt }), [days, lines, reversed, marks]);
  useEffect(() => {
    const element = root.current;
    if (!element || drawing.days.length === 0) return;
    const gone = new AbortController();
    // The figures are readable before, and without, the chart library.
    import('./draw-lines.ts')
      .then(({ keepDrawn }) => {
        if (gone.signal.aborted) return;
        cursor.current = keepDrawn(element, drawing, gone.signal);
      })
      .catch(() => undefined);
    return () => gone.abort();
  }, [drawing]);
  const read = at ?? days.length - 1;
  const dayText = (index: number) => {
    const day = days[index] ?? '';
    return [day && moment(day, ownTime), marks[day]].filter(Boolean).join(' · ');
  };
  const readings = lines.map(({ label: name, values }) => `${name} ${shown(values[read], show)}`);
  const keys = { label, at: read, count: days.length, text: labelled(dayText(read), listed(readings)) };
  const Figures = opens ? OpenedTable : HiddenTable;
  return (
    <figure className={styles.figure} aria-labelledby={titleId}>
      <figcaption className={styles.caption}>
        <span id={titleId} className={styles.title}>
          {label}
        </span>
        <span className={styles.day}>{dayText(read)}</span>
      </figcaption>
      <ul className={styles.readings}>
        {lines.map((line, index) => (
          <li key={line.label}>
            <span className={styles.swatch} style={{ background: colourOf(line, index) }} />
            {lines.length > 1 && `${line.label} `}
            <strong>
              <Short value={line.values[read]} show={show} unknown={t('Unknown on this day.')} />
            </strong>
          </li>
        ))}
      </ul>
      {days.length > 1 ? (
        <div
          ref={root}
          className={styles.plot}
          {...readByKeys(keys, (day) => {
            setAt(day);
            cursor.current?.(day);
          })}
        />
      ) : (
        <p className={styles.few}>{t('A line needs scans of two days.')}</p>
      )}
      <Figures
        label={label}
        head={[t('Day'), ...lines.map((line) => line.label)]}
        rows={() =>
          days.map((_, index) => [dayText(index), ...lines.map(({ values }) => shown(values[index], exact))] as const)
        }
      />
    </figure>
  );
}

const NO_MARKS = {};

const HiddenTable = ({ rows, ...figures }: Parameters<typeof OpenedTable>[0]) => (
  <ChartTable {...figures} rows={rows()} />
);

/** Formats a day, or a scan's time if there may be several on one day. */
const moment = (day: string, ownTime: (at: number) => string): string =>
  day.includes('T') ? ownTime(Date.parse(day)) : date(day);

export const colourOf = (line: Line, index: number): string =>
  line.colour ?? `var(${COLOURS[index % COLOURS.length] ?? COLOURS[0]})`;

const shown = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? '?' : show(value);
