import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { monthDay } from '../../domain/figures.ts';
import { inLanguageDirection } from '../../domain/language/formats.ts';
import { colourOf, type Line } from './line-chart.tsx';
import { everyFew, labelsOf, rangeOf } from './scales.ts';

const HEIGHT = 200;
/** Width of the axis of values, in px. */
const Y_AXIS = 72;

/**
 * Draws lines into an element and redraws them when colours or width change, until `gone` aborts. Returns the function
 * that puts the cursor on a day.
 */
export function keepDrawn(element: HTMLElement, drawing: Drawing, gone: AbortSignal): (day: number) => void {
  let plot = draw(element, drawing);
  const redraw = () => {
    plot.destroy();
    plot = draw(element, drawing);
  };
  const sized = new ResizeObserver(() => {
    if (element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  sized.observe(element);
  for (const other of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
    matchMedia(other).addEventListener('change', redraw, { signal: gone });
  addEventListener('themechange', redraw, { signal: gone });
  gone.addEventListener('abort', () => {
    sized.disconnect();
    plot.destroy();
  });
  return (day) => plot.setCursor({ left: plot.valToPos(plot.data[0]?.[day] ?? 0, 'x'), top: 0 });
}

interface Drawing {
  days: readonly string[];
  lines: readonly Line[];
  reversed: boolean;
  /** Labels of some of the days. */
  marks: Readonly<Record<string, string>>;
  onRead: (index: number | null) => void;
}

function draw(element: HTMLElement, { days, lines, reversed, marks, onRead }: Drawing): uPlot {
  const style = getComputedStyle(element);
  // Resolve colours in the element, because a canvas knows neither custom properties nor light-dark(). Without this
  // setting, forced colours would give every line the text colour.
  element.style.setProperty('forced-color-adjust', 'none');
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
      scales: { x: { time: true }, y: { dir: reversed ? -1 : 1, range: (_, least, most) => rangeOf(least, most) } },
      axes: [
        {
          stroke: faint,
          font,
          grid: { show: false },
          ticks: { show: false },
          space: 56,
          size: 30,
          splits: () => everyFew(times, element.clientWidth - Y_AXIS),
          values: (_, splits) => splits.map((time) => inLanguageDirection(monthDay(time * 1000))),
        },
        {
          stroke: faint,
          font,
          grid,
          ticks: { show: false },
          size: Y_AXIS,
          space: 36,
          values: (_, all) => labelsOf(all, reversed),
        },
      ],
      series: [
        {},
        ...pieces.map(({ line, values }) => ({
          stroke: resolve(colourOf(lines[line] as Line, line)),
          width: 2,
          spanGaps: true,
          // A run of one day has no line, so draw its point.
          points: { show: days.length < 16 || values.filter((value) => value !== null).length === 1, size: 5 },
        })),
      ],
      hooks: {
        setCursor: [({ cursor }) => onRead(cursor.idx ?? null)],
        draw: [(plot) => drawMarks(plot, marks, { stroke: faint, font })],
      },
    },
    [times, ...pieces.map(({ values }) => [...values])] as uPlot.AlignedData,
    element,
  );
}

/** Draws a dashed line with a label at each marked day. */
function drawMarks(
  { ctx, bbox, valToPos }: uPlot,
  marks: Drawing['marks'],
  look: { stroke: string; font: string },
): void {
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = look.stroke;
  ctx.fillStyle = look.stroke;
  ctx.font = look.font.replace('12px', `${11 * ratio}px`);
  ctx.setLineDash([4 * ratio, 4 * ratio]);
  for (const [place, [day, label]] of Object.entries(marks).entries()) {
    const x = valToPos(Date.parse(day) / 1000, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isLate = x > bbox.left + bbox.width * 0.75;
    ctx.textAlign = isLate ? 'right' : 'left';
    // Neighbours have their labels at two heights, so that they do not cover each other.
    ctx.fillText(label, x + (isLate ? -4 : 4) * ratio, bbox.top + (place % 2 === 0 ? 10 : 24) * ratio);
  }
  ctx.restore();
}
