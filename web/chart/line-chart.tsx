import 'uplot/dist/uPlot.min.css';
import { useEffect, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import { compact, date, exact, ownTime, UNITS } from '../format.ts';
import { Short } from '../ui/short.tsx';
import styles from './line-chart.module.css';

export interface Line {
  label: string;
  /** One for each day; null where nothing is known. */
  values: readonly (number | null)[];
  /** A CSS colour, where the line stands for something that has one. */
  colour?: string;
  /** The same in pieces, where not all of it may be joined. */
  runs?: readonly (readonly (number | null)[])[];
}

/** Custom properties of the style sheet, in the order of the lines. */
const COLOURS = ['--line-1', '--line-2', '--line-3', '--line-4'] as const;
const HEIGHT = 200;

/**
 * Lines through days. The figures stand in a table as well, for those who cannot see them; the pointer and the arrow
 * keys read a day. `reversed` puts 1 on top, as ranks want it.
 */
export function LineChart({
  label,
  days,
  lines,
  reversed = false,
  show = compact,
}: {
  label: string;
  /** 'YYYY-MM-DD', or moments in ISO 8601, oldest first. */
  days: readonly string[];
  lines: readonly Line[];
  reversed?: boolean;
  show?: (value: number) => string;
}) {
  const root = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const titleId = useId();
  useEffect(() => {
    const element = root.current;
    if (!element || days.length === 0) return;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let plot = draw(element, { days, lines, reversed, onRead: setAt });
    const redraw = () => {
      plot.destroy();
      plot = draw(element, { days, lines, reversed, onRead: setAt });
    };
    const sized = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    sized.observe(element);
    dark.addEventListener('change', redraw);
    addEventListener('themechange', redraw);
    return () => {
      sized.disconnect();
      dark.removeEventListener('change', redraw);
      removeEventListener('themechange', redraw);
      plot.destroy();
    };
  }, [days, lines, reversed]);
  const read = at ?? days.length - 1;
  return (
    <figure className={styles.figure} aria-labelledby={titleId}>
      <figcaption className={styles.caption}>
        <span id={titleId} className={styles.title}>
          {label}
        </span>
        <span className={styles.day}>{days[read] !== undefined && moment(days[read])}</span>
      </figcaption>
      <ul className={styles.readings}>
        {lines.map((line, index) => (
          <li key={line.label}>
            <span className={styles.swatch} style={{ background: colourOf(line, index) }} />
            {lines.length > 1 && `${line.label} `}
            <strong>
              <Short value={line.values[read]} show={show} unknown="Not known of this day." />
            </strong>
          </li>
        ))}
      </ul>
      {days.length > 1 ? (
        <div ref={root} className={styles.plot} aria-hidden />
      ) : (
        <p className={styles.few}>A line needs scans of two days.</p>
      )}
      <DayTable label={label} days={days} lines={lines} />
    </figure>
  );
}

/** A day, or the moment of a scan where there may be several on one. */
const moment = (day: string): string => (day.includes('T') ? ownTime(Date.parse(day)) : date(day));

const colourOf = (line: Line, index: number): string =>
  line.colour ?? `var(${COLOURS[index % COLOURS.length] ?? COLOURS[0]})`;

const shown = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? '?' : show(value);

const DayTable = ({ label, days, lines }: { label: string; days: readonly string[]; lines: readonly Line[] }) => (
  // A table would stay as wide as its words, and the page with it.
  <div className="visually-hidden">
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {lines.map((line) => (
            <th key={line.label} scope="col">
              {line.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{moment(day)}</th>
            {lines.map((line) => (
              <td key={line.label}>{shown(line.values[index], exact)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface Drawing {
  days: readonly string[];
  lines: readonly Line[];
  reversed: boolean;
  onRead: (index: number | null) => void;
}

const monthDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function draw(element: HTMLElement, { days, lines, reversed, onRead }: Drawing): uPlot {
  const style = getComputedStyle(element);
  // Colours as the browser resolved them: a canvas knows neither custom properties nor light-dark().
  const resolve = (value: string): string => {
    element.style.color = value;
    const resolved = getComputedStyle(element).color;
    element.style.color = '';
    return resolved;
  };
  const colour = (name: string): string => resolve(`var(${name})`);
  const faint = colour('--ink-3');
  const grid = { stroke: colour('--line'), width: 1 };
  const font = `12px ${style.fontFamily}`;
  const times = days.map((day) => Date.parse(day) / 1000);
  const pieces = lines.flatMap(({ values, runs = [values] }, line) => runs.map((run) => ({ line, values: run })));
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { time: true }, y: { dir: reversed ? -1 : 1, range: rangeOf } },
      axes: [
        {
          stroke: faint,
          font,
          grid: { show: false },
          ticks: { show: false },
          space: 56,
          size: 30,
          splits: () => everyFew(times, element.clientWidth),
          values: (_, splits) => splits.map((time) => monthDay.format(time * 1000)),
        },
        {
          stroke: faint,
          font,
          grid,
          ticks: { show: false },
          size: 72,
          space: 36,
          values: (_, all) => labels(all, reversed),
        },
      ],
      series: [
        {},
        ...pieces.map(({ line, values }) => ({
          stroke: resolve(colourOf(lines[line] as Line, line)),
          width: 2,
          spanGaps: true,
          // A piece of one day would not be seen otherwise.
          points: { show: days.length < 16 || values.filter((value) => value !== null).length === 1, size: 5 },
        })),
      ],
      hooks: { setCursor: [({ cursor }) => onRead(cursor.idx ?? null)] },
    },
    [times, ...pieces.map(({ values }) => [...values])] as uPlot.AlignedData,
    element,
  );
}

/** The whole of what is there with some air; a line that stays level still gets a scale. */
const rangeOf = (_: uPlot, least: number, most: number): uPlot.Range.MinMax => {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const air = (most - least) * 0.12 || Math.max(1, most * 0.02);
  return [Math.max(0, least - air), most + air];
};

/** Labels of a scale: as many decimals as tell one from the next; of ranks only whole ones. */
function labels(values: readonly number[], ranks: boolean): string[] {
  if (ranks) return values.map((value) => (Number.isInteger(value) && value > 0 ? `#${exact(value)}` : ''));
  const most = Math.max(...values);
  const unit = UNITS.find(({ size }) => most >= size) ?? { size: 1, suffix: '' };
  const step = ((values[1] ?? most) - (values[0] ?? 0)) / unit.size;
  let decimals = 0;
  while (decimals < 6 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return values.map((value) => `${(value / unit.size).toFixed(decimals)}${unit.suffix}`);
}

/** As many of the days as have room for their label. */
function everyFew(times: readonly number[], width: number): number[] {
  const step = Math.max(1, Math.ceil(times.length / Math.max(2, Math.floor(width / 72))));
  return times.filter((_, index) => (times.length - 1 - index) % step === 0);
}
