import { formats, grouped, inLanguageDirection } from '../../domain/language/formats.ts';
import { numbered } from '../format.ts';

/** Axes of line charts. */

/** Returns the y range with a margin, which adds no values below 0; a constant line still gets a range. */
export function rangeOf(least: number, most: number): [from: number, to: number] {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const air = (most - least) * 0.12 || Math.max(1, most * 0.02);
  return [least < 0 ? least - air : Math.max(0, least - air), most + air];
}

/** Formats a rank of an axis: #12. Values between ranks have no label. */
export const rankLabel = (value: number): string => (Number.isInteger(value) && value > 0 ? numbered(value) : '');

/** Formats axis labels with as many decimals as needed to tell them apart. Ranks show whole numbers only. */
export function labelsOf(values: readonly number[], ranks: boolean): string[] {
  if (ranks) return values.map(rankLabel);
  const most = Math.max(...values.map(Math.abs));
  const [size, suffix] = formats().units.find(([each]) => most >= each) ?? [1, ''];
  const step = ((values[1] ?? most) - (values[0] ?? 0)) / size;
  let decimals = 0;
  while (decimals < 6 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return values.map((value) => inLanguageDirection(`${grouped((value / size).toFixed(decimals))}${suffix}`));
}

/** Width of a day's label, in px. */
const LABEL_WIDTH = 72;

/** Selects ascending times whose labels fit side by side on an axis of a width in px, including the last. */
export function everyFew(times: readonly number[], width: number): number[] {
  const step = Math.max(1, Math.ceil(times.length / Math.max(2, Math.floor(width / LABEL_WIDTH))));
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  let next = Number.POSITIVE_INFINITY;
  return times
    .filter((_, index) => (times.length - 1 - index) % step === 0)
    .toReversed()
    .filter((time) => {
      // Scans may be hours or weeks apart, and the axis shows them so.
      if (((next - time) / span) * width < LABEL_WIDTH) return false;
      next = time;
      return true;
    })
    .toReversed();
}
