import {
  type DifferenceTable,
  differenceRows,
  filteredRows,
  scoredRows,
  sortedRows,
} from '../../web/components/difference/difference-rows.ts';

/** What the page of a comparison does when somebody moves a weight, in the browser that it is bundled for. */

function tableOf(rows: number): DifferenceTable {
  const places = Array.from({ length: rows }, (_, row) => row);
  const gains = (size: number) => places.map((row) => ((row * 7919) % 9973) * size);
  return {
    kingdoms: ['4001', '4002'],
    tags: ['MC~', 'OWL'],
    common: rows,
    joined: 0,
    gone: 0,
    id: places.map((row) => 10_000_000 + row * 13),
    name: places.map((row) => `Moss 灯 ${row}`),
    tag: places.map((row) => row % 2),
    kingdom: places.map((row) => row % 2),
    kingdom_now: places.map((row) => row % 2),
    power: places.map((row) => 90_000_000 - row * 1500),
    now: {},
    gains: { killcount_t4: gains(3), killcount_t5: gains(7), deads: gains(11) },
    doubts: { killcount_t4: { fell: places.filter((row) => row % 50 === 0) } },
    renamed: {},
  };
}

/** Milliseconds of each time that so many rows are scored, ranked, filtered and sorted anew. */
export function rescore(rows: number, times: number): number[] {
  const ready = differenceRows(tableOf(rows));
  return Array.from({ length: times }, (_, time) => {
    const weights = { killcount_t4: 10 + time, killcount_t5: 20, deads: time % 3 };
    const start = performance.now();
    const scores = scoredRows(ready, 'rok', { weights });
    sortedRows(ready, scores, filteredRows(ready, scores, Object.keys(weights), {}), 'dkp', false);
    return performance.now() - start;
  });
}
