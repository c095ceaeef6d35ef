import { exact, UNITS } from '../format.ts';

/** What stands along the sides of a chart of lines. */

/** The whole of what is there with some air; a line that stays level still gets a scale. */
export function rangeOf(least: number, most: number): [from: number, to: number] {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const air = (most - least) * 0.12 || Math.max(1, most * 0.02);
  return [Math.max(0, least - air), most + air];
}

/** Labels of a scale: as many decimals as tell one from the next; of ranks only whole ones. */
export function labelsOf(values: readonly number[], ranks: boolean): string[] {
  if (ranks) return values.map((value) => (Number.isInteger(value) && value > 0 ? `#${exact(value)}` : ''));
  const most = Math.max(...values);
  const unit = UNITS.find(({ size }) => most >= size) ?? { size: 1, suffix: '' };
  const step = ((values[1] ?? most) - (values[0] ?? 0)) / unit.size;
  let decimals = 0;
  while (decimals < 6 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return values.map((value) => `${(value / unit.size).toFixed(decimals)}${unit.suffix}`);
}

/** Width in pixels that the label of a day takes. */
const LABEL_WIDTH = 72;

/** As many of the times as have room for their label in that width (pixels), the last one among them; two at least. */
export function everyFew(times: readonly number[], width: number): number[] {
  const step = Math.max(1, Math.ceil(times.length / Math.max(2, Math.floor(width / LABEL_WIDTH))));
  return times.filter((_, index) => (times.length - 1 - index) % step === 0);
}
