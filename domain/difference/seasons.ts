import { GAMES, type GameId } from '../games/games.ts';
import { type Numbers, numbersOf, type Table } from '../scans/rows.ts';

/** Fewer falls count as misread rows, whatever the other signs say. */
const LEAST_FALLS = 2;
const LEAST_FALLS_SHARE = 0.1;

/** The top holders of a column, whose fall is a sign of its own: a tenth of a kingdom, at least five. */
const TOP_SHARE = 0.1;
const LEAST_TOP = 5;

/** A governor with more than 0 in a seasonal column. */
interface Holder {
  then: number;
  now: number;
  /** Null if a reading does not contain the governor's map. */
  changedMap: boolean | null;
}

/** Two readings; `partner` holds for each row of `from` the governor's row in `to`, or -1. */
interface Readings {
  game: GameId;
  from: Table;
  to: Table;
  partner: Int32Array;
}

/**
 * Returns, for each seasonal column (merits), the kingdoms at the start in which a new season began between the
 * readings. No single threshold is enough: in one real restart, 66 of 162 lords had fewer merits afterwards.
 */
export function newSeasons({ game, from, to, partner }: Readings): Map<string, Set<number>> {
  const seasons = new Map<string, Set<number>>();
  const { roles, columns, map } = GAMES[game];
  const kingdoms = numbersOf(from, roles.kingdom);
  const [mapThen, mapNow] = map ? [from.numbers[map], to.numbers[map]] : [];
  for (const { key, seasonal } of columns) {
    const [before, after] = [from.numbers[key], to.numbers[key]];
    if (!seasonal || !before || !after) continue;
    const holders = new Map<number, Holder[]>();
    for (let row = 0; row < from.count; row++) {
      const place = partner[row] as number;
      const [then, now] = [before[row] as number, after[place] as number];
      if (!(then > 0) || !(now >= 0)) continue;
      const kingdom = kingdoms[row] as number;
      const known = holders.get(kingdom) ?? [];
      holders.set(kingdom, known);
      known.push({ then, now, changedMap: changed(mapThen, row, mapNow, place) });
    }
    const restarted = [...holders].filter(([, all]) => hasRestarted(all));
    if (restarted.length > 0) seasons.set(key, new Set(restarted.map(([kingdom]) => kingdom)));
  }
  return seasons;
}

function changed(then: Numbers | undefined, row: number, now: Numbers | undefined, place: number): boolean | null {
  const [before, after] = [then?.[row] ?? Number.NaN, now?.[place] ?? Number.NaN];
  return Number.isNaN(before) || Number.isNaN(after) ? null : before !== after;
}

/**
 * True if most governors have less, or if two of three signs agree: most of the top have less, most changed map, the
 * sum fell.
 */
function hasRestarted(holders: readonly Holder[]): boolean {
  const fell = holders.filter(isLess).length;
  if (fell < Math.max(LEAST_FALLS, holders.length * LEAST_FALLS_SHARE)) return false;
  if (fell * 2 > holders.length) return true;
  const top = [...holders]
    .sort((a, b) => b.then - a.then)
    .slice(0, Math.max(LEAST_TOP, Math.round(holders.length * TOP_SHARE)));
  const located = holders.filter(({ changedMap }) => changedMap !== null);
  const signs = [
    isMost(top, isLess),
    isMost(located, ({ changedMap }) => changedMap === true),
    sum(holders, ({ now }) => now) < sum(holders, ({ then }) => then),
  ];
  return signs.filter(Boolean).length >= 2;
}

const isLess = ({ then, now }: Holder): boolean => now < then;

const isMost = <Value>(all: readonly Value[], holds: (value: Value) => boolean): boolean =>
  all.filter(holds).length * 2 > all.length;

const sum = (holders: readonly Holder[], of: (holder: Holder) => number): number =>
  holders.reduce((total, holder) => total + of(holder), 0);
