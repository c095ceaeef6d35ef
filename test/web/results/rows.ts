import { GAMES } from '../../../domain/games/games.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { Results } from '../../../web/components/results/results.ts';

/** A governor with a full profile whose kill points match the kills. */
export const read: Row = {
  governor_id: 11,
  alliance_tag: 'ABC',
  home_kingdom: 1012,
  name: 'Ælfgifu',
  power: 90,
  killpoints: 156,
  town_center: 25,
  deads: 7,
  killcount_t1: 1,
  killcount_t2: 2,
  killcount_t3: 3,
  killcount_t4: 4,
  killcount_t5: 5,
  highest_power: 95,
  doubted: null,
  quality: null,
};
/** Figures that only a profile contains. */
const unread = Object.fromEntries(
  ['killpoints', 'town_center', 'deads', 'highest_power', ...[1, 2, 3, 4, 5].map((tier) => `killcount_t${tier}`)].map(
    (key) => [key, null],
  ),
);
/** A governor read only from the ranking list. */
export const listed: Row = {
  ...read,
  governor_id: 12,
  name: 'Brand',
  alliance_tag: null,
  power: 100,
  ...unread,
};

export const many = (count: number, change: (index: number) => Row = () => ({})): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    ...read,
    governor_id: index + 1,
    name: `Governor ${index + 1}`,
    power: index + 1,
    ...change(index),
  }));

export const resultsOf = (...rows: Row[]): Results => new Results(GAMES.rok, rows);

/** Returns the governor ids of these rows. */
export const idsOn = (results: Results, rows: Uint32Array): unknown[] =>
  Array.from(rows, (row) => results.rows[row]?.governor_id);
