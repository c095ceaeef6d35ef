import {
  type DifferenceFilter,
  type DifferenceTable,
  differenceRows,
  filteredRows,
  scoredRows,
  valuesBy,
} from '../../web/components/difference/difference-rows.ts';

/** Operations of the comparison and event pages on their tables, bundled for the browser. */

/** Names in the scripts that players use. */
const NAMES = ['Moss', '灯 Moss', '한국', '꧁Aḥmed꧂', 'Иван', 'José', 'xX_Dragon', '龙王', 'محمد', 'ᴍᴏꜱꜱ'];

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
    name: places.map((row) => `${NAMES[(row * 7919) % NAMES.length]} ${(row * 104_729) % 99_991}`),
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

/** Runs a stepwise job to its end. Returns the duration of each step. */
function stepsOf(work: { step(): boolean }): number[] {
  const steps: number[] = [];
  for (let isDone = false; !isDone; ) {
    const start = performance.now();
    isDone = work.step();
    steps.push(performance.now() - start);
  }
  return steps;
}

/** Search input, letter by letter. */
const TYPED = ['m', 'mo', 'mos', 'moss', '灯', '灯1', '灯 19', '100', 'mc', 'nobody'];

/**
 * Measures `times` runs of each operation on a table of `rows` rows, in ms: scoring and sorting by other weights,
 * filtering by typed text, and sorting by each kind of column. The first run of each includes compilation. Data that
 * the page prepares when idle is prepared before; the longest step of that is reported too.
 */
export function handle(rows: number, times: number): Record<string, number[]> {
  const ready = differenceRows(tableOf(rows));
  const usual = { killcount_t4: 10, killcount_t5: 20 };
  const scores = scoredRows(ready, 'rok', { weights: usual });
  const keys = Object.keys(usual);
  const { index } = ready;
  const byDkp = (filter: DifferenceFilter, q = '') =>
    index.ordered(index.found(filteredRows(ready, scores, keys, filter), q), scores.dkp, false);
  const sorted = (column: string) => (time: number) =>
    index.ordered(filteredRows(ready, scores, keys, {}), valuesBy(ready, scores, column) ?? scores.dkp, time % 2 === 1);
  const longest = Math.max(...index.ahead.flatMap(stepsOf));
  const acts: Record<string, (time: number) => unknown> = {
    'scored by other weights': (time) => {
      const weights = { killcount_t4: 10 + time, killcount_t5: 20, deads: time % 3 };
      const anew = scoredRows(ready, 'rok', { weights });
      return index.ordered(filteredRows(ready, anew, Object.keys(weights), {}), anew.dkp, false);
    },
    'searched for a name': (time) => byDkp({}, TYPED[time % TYPED.length]),
    'filtered by kingdom, alliance and power': (time) => byDkp({ home: '4001', alliance: 'MC~', power: 1e6 * time }),
    'sorted by DKP': sorted('dkp'),
    'sorted by what was gained': sorted('deads'),
    'sorted by name': sorted('name'),
    'sorted by kingdom': sorted('kingdom'),
  };
  const taken = (act: (time: number) => unknown) =>
    Array.from({ length: times }, (_, time) => {
      const start = performance.now();
      act(time);
      return performance.now() - start;
    });
  const all = Object.entries(acts).map(([name, act]) => [name, taken(act)]);
  return { ...Object.fromEntries(all), 'made ready in idle moments, the longest step': new Array(times).fill(longest) };
}
