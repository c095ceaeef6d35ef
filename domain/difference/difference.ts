import { type Column, columnOf, GAMES, type GameId } from '../games/games.ts';
import { type Numbers, numbersOf, type Table } from '../scans/rows.ts';
import { belowEdgeOf } from './depth.ts';
import { type Doubts, FELL, IMPOSSIBLE, NO_DOUBT, ONE_EMPTY } from './doubts.ts';
import { type Gains, GONE, type Pairs, UNSEEN } from './pairs.ts';
import { memoryOfPlaces, placesOf } from './places.ts';
import type { Scorable } from './scoring.ts';
import { newSeasons } from './seasons.ts';

/**
 * Two snapshots of a game, or two sets of them (`withoutRepeats`), compared. A governor's facts are stored at their row
 * in `from`; those who joined are rows of `to`. Unknown figures must be NaN.
 */
export interface Difference extends Pairs {
  joined: Uint32Array;
  /** Rows of `to` whose governors are missing in `from` because it may not reach down to them. */
  unseen: Uint32Array;
  common: number;
  gone: number;
  /** Doubts about each pair's kills by tier, the best sign of how well both were read. */
  kills: Doubts;
  /** Seasonal column → kingdoms (at the start) in which a new season began between the two. */
  seasons: ReadonlyMap<string, ReadonlySet<number>>;
  /** Kingdoms with the same reading on both sides. Their gains are unknown, not 0. */
  unmeasured?: ReadonlySet<number>;
}

/** Returns the columns of a game's scans that can be subtracted, in order. */
export const figuresOf = (game: GameId): Column[] =>
  GAMES[game].columns.filter(({ type, ident }) => type !== 'text' && !ident);

/** Returns the figures that both sides have. */
export const sharedFigures = ({ game, from, to }: Pick<Difference, 'game' | 'from' | 'to'>): Column[] =>
  figuresOf(game).filter(({ key }) => from.numbers[key] !== undefined && to.numbers[key] !== undefined);

/** Compares two sides. A repeated id counts once, by its first row. Throws if the games differ. */
export function differenceOf(from: Table, to: Table): Difference {
  if (from.game !== to.game) throw new Error('A difference is of one game.');
  const { game } = from;
  const { partner, strangers, common } = pairsOf(from, to);
  const [joined, unseen] = splitBy(belowEdgeOf(to, from), strangers);
  const gone = markUnseen(partner, belowEdgeOf(from, to));
  const pairs = { game, from, to, partner };
  return {
    ...pairs,
    joined,
    unseen,
    common,
    gone,
    kills: killDoubts(pairs),
    seasons: newSeasons(pairs),
  };
}

/** Merges the sorted ids of both sides. A repeated id counts by its first row. */
function pairsOf(from: Table, to: Table): Pick<Difference, 'partner' | 'common'> & { strangers: Uint32Array } {
  const { id } = GAMES[from.game].roles;
  const [before, after] = [placesOf(numbersOf(from, id)), placesOf(numbersOf(to, id))];
  const partner = new Int32Array(from.count).fill(GONE);
  const isStranger = new Uint8Array(to.count).fill(1);
  let [alone, common, at, last] = [to.count, 0, 0, Number.NaN];
  for (let place = 0; place < after.values.length; place++) {
    const value = after.values[place] as number;
    while (at < before.values.length && (before.values[at] as number) < value) at++;
    if (at === before.values.length) break;
    if (before.values[at] !== value) continue;
    const row = after.rows[place] as number;
    isStranger[row] = 0;
    alone--;
    if (value === last) continue;
    last = value;
    partner[before.rows[at] as number] = row;
    common++;
  }
  const strangers = new Uint32Array(alone);
  for (let row = 0, found = 0; found < alone; row++) if (isStranger[row] === 1) strangers[found++] = row;
  return { partner, strangers, common };
}

/** Splits rows into those that fail a test and those that pass. */
const splitBy = (holds: (row: number) => boolean, rows: Uint32Array): [Uint32Array, Uint32Array] => [
  rows.filter((row) => !holds(row)),
  rows.filter(holds),
];

/** Marks missing governors who may be below the later side's edge. Returns how many others are gone. */
function markUnseen(partner: Int32Array, isBelow: (row: number) => boolean): number {
  let gone = 0;
  for (let row = 0; row < partner.length; row++) {
    if (partner[row] !== GONE) continue;
    if (isBelow(row)) partner[row] = UNSEEN;
    else gone++;
  }
  return gone;
}

/** Returns those of the columns that a side has. */
const columns = ({ numbers }: Table, keys: readonly string[]): Numbers[] => keys.flatMap((key) => numbers[key] ?? []);

/** What a reading says about kills by tier: unknown, none, or some. */
const UNREAD = 0;
const NO_KILLS = 1;
const KILLS = 2;

/** Kills by tier depend on one snapshot only, so they are cached for all differences that use it. */
const killsSaid = new WeakMap<Numbers, { tiers: readonly Numbers[]; said: Uint8Array }>();

function killsIn(tiers: readonly Numbers[], count: number): Uint8Array {
  const [first] = tiers;
  if (!first) return new Uint8Array(count);
  const known = killsSaid.get(first);
  if (known?.tiers.length === tiers.length && tiers.every((tier, index) => tier === known.tiers[index]))
    return known.said;
  const said = new Uint8Array(count);
  for (const tier of tiers)
    for (let row = 0; row < count; row++) {
      const kills = tier[row] as number;
      if (kills > 0) said[row] = KILLS;
      else if (kills === 0 && said[row] === UNREAD) said[row] = NO_KILLS;
    }
  killsSaid.set(first, { tiers, said });
  return said;
}

/**
 * Marks pairs in which a tier fell, or in which one reading has no kills at all and the other has some. It loops by
 * column because looping by row takes three times as long.
 */
function killDoubts({ game, from, to, partner }: Pairs): Doubts {
  const doubts = new Uint8Array(from.count);
  const tiers = GAMES[game].roles.tiers.filter((key) => from.numbers[key] && to.numbers[key]);
  const [then, now] = [killsIn(columns(from, tiers), from.count), killsIn(columns(to, tiers), to.count)];
  for (let row = 0; row < doubts.length; row++) {
    const place = partner[row] as number;
    if (place >= 0 && (then[row] as number) + (now[place] as number) === NO_KILLS + KILLS) doubts[row] = ONE_EMPTY;
  }
  for (const key of tiers) {
    const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
    for (let row = 0; row < doubts.length; row++) {
      const place = partner[row] as number;
      if (place >= 0 && (after[place] as number) < (before[row] as number)) doubts[row] = FELL;
    }
  }
  return doubts;
}

const isOneEmpty = (then: number, now: number): boolean => (then === 0 && now > 0) || (then > 0 && now === 0);

/** Returns a column's gains and doubts. Throws if a side lacks the column. */
export function gainsOf(difference: Difference, key: string): Gains {
  const gains = gainsAsRead(difference, key);
  if (difference.unmeasured?.size) blankUnmeasured(difference, difference.unmeasured, gains.raw);
  return gains;
}

function blankUnmeasured({ game, from, to, partner }: Difference, kingdoms: ReadonlySet<number>, raw: Numbers): void {
  const [before, after] = [from, to].map((side) => numbersOf(side, GAMES[game].roles.kingdom)) as [Numbers, Numbers];
  for (let row = 0; row < raw.length; row++) {
    const kingdom = before[row] as number;
    if (kingdoms.has(kingdom) && after[partner[row] as number] === kingdom) raw[row] = Number.NaN;
  }
}

function gainsAsRead(difference: Difference, key: string): Gains {
  const { game, from, to, partner, kills } = difference;
  const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
  const raw = new Float64Array(from.count).fill(Number.NaN);
  for (let row = 0; row < from.count; row++) {
    const place = partner[row] as number;
    if (place >= 0) raw[row] = (after[place] as number) - (before[row] as number);
  }
  const { roles } = GAMES[game];
  if (roles.tiers.includes(key)) {
    blankUnprovenKills(difference, raw);
    return { raw, doubts: kills };
  }
  const column = columnOf(game, key);
  if (column?.seasonal) return seasonal(difference, key, raw);
  return { raw, doubts: column?.lifetime ? counterDoubts(difference, key, raw) : stateDoubts(difference, key) };
}

/**
 * Returns the figure that must grow with any kill. It shows whether tiers that both readings give as 0 really stood
 * still.
 */
export function killScore(game: GameId): string | null {
  const { killPoints, allKills, roles } = GAMES[game];
  return killPoints ? roles.score : allKills;
}

/**
 * If neither reading has kills by tier but the kill score changed, the tiers were not read: their gain is unknown, not
 * 0.
 */
function blankUnprovenKills({ game, from, to, partner }: Difference, raw: Numbers): void {
  const score = killScore(game);
  const [before, after] = score ? [from.numbers[score], to.numbers[score]] : [];
  if (!before || !after) return;
  const [then, now] = [from, to].map((table) => columns(table, GAMES[game].roles.tiers)) as [Numbers[], Numbers[]];
  for (let row = 0; row < raw.length; row++) {
    if (raw[row] !== 0) continue;
    const place = partner[row] as number;
    const moved = before[row] !== after[place] && !Number.isNaN(before[row]) && !Number.isNaN(after[place]);
    if (moved && !hasKills(then, row) && !hasKills(now, place)) raw[row] = Number.NaN;
  }
}

const hasKills = (tiers: readonly Numbers[], row: number): boolean => tiers.some((kills) => (kills[row] as number) > 0);

/**
 * Finds doubts in a lifetime counter: a fall, or a zero on one side only in a pair in which one reading has no kills
 * either (its profile was not read). The kill score needs no such second sign.
 */
function counterDoubts({ game, from, to, partner, kills }: Difference, key: string, raw: Numbers): Doubts {
  const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
  const byItself = key === killScore(game);
  const doubts = new Uint8Array(from.count);
  for (let row = 0; row < from.count; row++) {
    const gain = raw[row] as number;
    if (gain < 0) doubts[row] = FELL;
    else if (gain > 0 && (byItself || kills[row] === ONE_EMPTY))
      doubts[row] = isOneEmpty(before[row] as number, after[partner[row] as number] as number) ? ONE_EMPTY : NO_DOUBT;
  }
  return doubts;
}

/** Finds doubts in figures that may fall. Only a power of 0 is impossible. */
function stateDoubts({ game, from, to, partner }: Difference, key: string): Doubts {
  const doubts = new Uint8Array(from.count);
  if (key !== GAMES[game].roles.power) return doubts;
  const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
  for (let row = 0; row < from.count; row++) {
    const place = partner[row] as number;
    if (place >= 0 && (before[row] === 0 || after[place] === 0)) doubts[row] = IMPOSSIBLE;
  }
  return doubts;
}

/**
 * Returns gains of a seasonal figure. After a season's start the whole new value counts as gain; within a season a fall
 * is a misread.
 */
function seasonal({ game, from, to, partner, seasons }: Difference, key: string, raw: Numbers): Gains {
  const kingdoms = numbersOf(from, GAMES[game].roles.kingdom);
  const after = numbersOf(to, key);
  const restarted = seasons.get(key);
  const doubts = new Uint8Array(from.count);
  for (let row = 0; row < from.count; row++) {
    const place = partner[row] as number;
    if (place < 0) continue;
    if (restarted?.has(kingdoms[row] as number)) raw[row] = after[place] as number;
    else if ((raw[row] as number) < 0) doubts[row] = FELL;
  }
  return { raw, doubts };
}

/** Returns a column's gains, or null if a side lacks the column. */
export const knownGains = (difference: Difference, key: string): Gains | null =>
  difference.from.numbers[key] && difference.to.numbers[key] ? gainsOf(difference, key) : null;

/** Returns the buffers that a side holds: its numeric columns and what is cached for them. */
export const memoryOfSide = ({ numbers }: Table): ArrayBufferLike[] =>
  Object.values(numbers).flatMap((column) => {
    const found = killsSaid.get(column);
    return [column.buffer, ...memoryOfPlaces(column), ...(found ? [found.said.buffer] : [])];
  });

/** Returns the buffers that a difference holds, apart from its sides. */
export const memoryOfDifference = ({ partner, joined, unseen, kills }: Difference): ArrayBufferLike[] =>
  [partner, joined, unseen, kills].map(({ buffer }) => buffer);

/** Returns the rows of a difference in the form that scoring needs. */
export const scorable = ({ game, from, partner }: Difference): Scorable => {
  const { id, power } = GAMES[game].roles;
  return { game, ids: numbersOf(from, id), powers: from.numbers[power], partner };
};
