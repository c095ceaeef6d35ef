import { columnOf } from '../../domain/games/games.ts';
import { emptyTable, type Table } from '../../domain/scans/rows.ts';

/** 16 columns: the 14 of the results table and two more. */
export const COLUMNS = [
  'governor_id',
  'alliance_tag',
  'home_kingdom',
  'name',
  'power',
  'killpoints',
  'town_center',
  'deads',
  'killcount_t1',
  'killcount_t2',
  'killcount_t3',
  'killcount_t4',
  'killcount_t5',
  'highest_power',
  'rss_gathered',
  'helps_given',
] as const;

export const columns = COLUMNS.map((key) => columnOf('rok', key)).filter((column) => column !== undefined);

export const META = {
  game: 'rok',
  kingdom_id: 3584,
  captured_at: 1_795_000_000_000,
  source: 'bench',
  quality: {},
} as const;

/** Upper bounds of uniformly distributed figures. Such noise is the hardest to compress. */
const NOISE = {
  killpoints: 1e10,
  deads: 1e7,
  killcount_t1: 1e7,
  killcount_t2: 1e7,
  killcount_t3: 1e7,
  killcount_t4: 1e8,
  killcount_t5: 1e8,
  rss_gathered: 1e11,
  helps_given: 1e5,
} as const;

const SCRIPTS = ['Governor', 'ᴳᵒᵛ', '王者', 'Король', 'ملك', 'König'];

/** Makes governors by descending power, the same every time. */
export function makeTable(rows: number): Table {
  const table = emptyTable('rok', rows);
  let state = 1;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let row = 0; row < rows; row++) {
    const power = Math.floor(2e8 / (1 + row / 500));
    const figures: Record<string, number> = {
      governor_id: 10_000_000 + row * 97,
      home_kingdom: 3584,
      power,
      town_center: 25 - (row % 6),
      highest_power: power + draw(1e6),
    };
    for (const [key, below] of Object.entries(NOISE)) figures[key] = draw(below);
    for (const [key, value] of Object.entries(figures)) (table.numbers[key] as Float64Array)[row] = value;
    (table.texts.name as string[])[row] = `${SCRIPTS[row % SCRIPTS.length]} ${row}`;
    (table.texts.alliance_tag as string[])[row] = `T${row % 37}`;
  }
  return table;
}
