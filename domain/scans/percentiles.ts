import { orderOf } from './order.ts';

/**
 * Returns for each row the percent of the other known rows with a lower value, to a tenth: 100 for a single best, 0 for
 * everybody at the lowest. A row alone has 100. NaN if the value is unknown.
 */
export function percentilesOf(values: Float64Array): Float64Array {
  const percentiles = new Float64Array(values.length).fill(Number.NaN);
  const order = orderOf(values, true);
  let known = order.length;
  while (known > 0 && Number.isNaN(values[order[known - 1] as number])) known--;
  let lower = 0;
  for (let place = 0; place < known; place++) {
    const row = order[place] as number;
    if (place > 0 && (values[order[place - 1] as number] as number) < (values[row] as number)) lower = place;
    percentiles[row] = known === 1 ? 100 : Math.round((1000 * lower) / (known - 1)) / 10;
  }
  return percentiles;
}
