import { type Column, columnOf, GAMES, type GameId } from '../games/games.ts';
import { type Numbers, numbersOf, type Table } from '../scans/rows.ts';
import { belowEdges } from './depth.ts';
import { type Doubts, FELL, IMPOSSIBLE, NO_DOUBT, ONE_EMPTY } from './doubts.ts';
import type { Gains, Inside, Pairs } from './pairs.ts';
import { memoryOfPlaces, placesOf } from './places.ts';
import type { Scorable } from './scoring.ts';
import { newSeasons } from './seasons.ts';

/** Two snapshots of a game, or two sets of them (`withoutRepeats`), compared. Unknown figures must be NaN. */
export interface Difference extends Pairs {
  /** Rows of each side whose governors are missing in the other because it may not reach down to them. */
  unseen: { from: readonly number[]; to: readonly number[] };
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

/** Compares two sides. A repeated id counts once, by its first row. Throws if the games differ. */
export function differenceOf(from: Table, to: Table, inside?: Inside): Difference {
  if (from.game !== to.game) throw new Error('A difference is of one game.');
  const { game } = from;
  const { partner, strangers } = partnersOf(from, to);
  const seasons = newSeasons({ game, from, to, partner });
  const { rows, unseen } = rowsOf(from, to, { partner, strangers }, inside);
  const pairs = { game, from, to, rows };
  return { ...pairs, unseen, kills: killDoubts(pairs), seasons };
}

/** For each row of `from`, the governor's row in `to` or -1; and the rows of `to` whose governors are not in `from`. */
interface Partners {
  partner: Int32Array;
  strangers: Uint32Array;
}

/** Merges the sorted ids of both sides. A repeated id counts by its first row. */
function partnersOf(from: Table, to: Table): Partners {
  const { id } = GAMES[from.game].roles;
  const [before, after] = [placesOf(numbersOf(from, id)), placesOf(numbersOf(to, id))];
  const partner = new Int32Array(from.count).fill(-1);
  const isStranger = new Uint8Array(to.count).fill(1);
  let [alone, at, last] = [to.count, 0, Number.NaN];
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
  }
  const strangers = new Uint32Array(alone);
  for (let row = 0, found = 0; found < alone; row++) if (isStranger[row] === 1) strangers[found++] = row;
  return { partner, strangers };
}

/** Lists the governors who take part. Governors in both take part if they do at the start. */
function rowsOf(
  before: Table,
  after: Table,
  { partner, strangers }: Partners,
  inside: Inside | undefined,
): Pick<Difference, 'rows' | 'unseen'> {
  const isLow = belowEdges(before, after);
  const [from, to] = [0, 1].map(() => new Int32Array(partner.length + strangers.length)) as [Int32Array, Int32Array];
  const unseen: { from: number[]; to: number[] } = { from: [], to: [] };
  let count = 0;
  const add = (row: number, place: number) => {
    from[count] = row;
    to[count++] = place;
  };
  for (let row = 0; row < partner.length; row++) {
    const place = partner[row] as number;
    if (place >= 0 && (!inside || (inside.start[row] as number) >= 0)) add(row, place);
  }
  const common = count;
  for (const row of strangers) {
    if (inside && (inside.end[row] as number) < 0) continue;
    if (isLow.to(row)) unseen.to.push(row);
    else add(-1, row);
  }
  const joined = count - common;
  for (let row = 0; row < partner.length; row++) {
    if ((partner[row] as number) >= 0 || (inside && (inside.start[row] as number) < 0)) continue;
    if (isLow.from(row)) unseen.from.push(row);
    else add(row, -1);
  }
  const rows = { common, joined, gone: count - common - joined };
  return { rows: { from: from.subarray(0, count), to: to.subarray(0, count), ...rows }, unseen };
}

/** Returns those of the columns that a side has. */
const columns = ({ numbers }: Table, keys: readonly string[]): Numbers[] => keys.flatMap((key) => numbers[key] ?? []);

/** Kills by tier in a reading: unknown, none, or some. */
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
function killDoubts({ game, from, to, rows }: Pairs): Doubts {
  const doubts = new Uint8Array(rows.common);
  const tiers = GAMES[game].roles.tiers.filter((key) => from.numbers[key] && to.numbers[key]);
  const [then, now] = [killsIn(columns(from, tiers), from.count), killsIn(columns(to, tiers), to.count)];
  for (let pair = 0; pair < doubts.length; pair++) {
    const said = (then[rows.from[pair] as number] as number) + (now[rows.to[pair] as number] as number);
    if (said === NO_KILLS + KILLS) doubts[pair] = ONE_EMPTY;
  }
  for (const key of tiers) {
    const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
    for (let pair = 0; pair < doubts.length; pair++)
      if ((after[rows.to[pair] as number] as number) < (before[rows.from[pair] as number] as number))
        doubts[pair] = FELL;
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

function blankUnmeasured({ game, from, to, rows }: Difference, kingdoms: ReadonlySet<number>, raw: Numbers): void {
  const [before, after] = [from, to].map((side) => numbersOf(side, GAMES[game].roles.kingdom)) as [Numbers, Numbers];
  for (let pair = 0; pair < raw.length; pair++) {
    const kingdom = before[rows.from[pair] as number] as number;
    if (kingdoms.has(kingdom) && after[rows.to[pair] as number] === kingdom) raw[pair] = Number.NaN;
  }
}

function gainsAsRead(difference: Difference, key: string): Gains {
  const { game, from, to, rows, kills } = difference;
  const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
  const raw = new Float64Array(rows.common);
  for (let pair = 0; pair < raw.length; pair++)
    raw[pair] = (after[rows.to[pair] as number] as number) - (before[rows.from[pair] as number] as number);
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
function blankUnprovenKills({ game, from, to, rows }: Difference, raw: Numbers): void {
  const score = killScore(game);
  const [before, after] = score ? [from.numbers[score], to.numbers[score]] : [];
  if (!before || !after) return;
  const [then, now] = [from, to].map((table) => columns(table, GAMES[game].roles.tiers)) as [Numbers[], Numbers[]];
  for (let pair = 0; pair < raw.length; pair++) {
    if (raw[pair] !== 0) continue;
    const [row, place] = [rows.from[pair] as number, rows.to[pair] as number];
    const moved = before[row] !== after[place] && !Number.isNaN(before[row]) && !Number.isNaN(after[place]);
    if (moved && !hasKills(then, row) && !hasKills(now, place)) raw[pair] = Number.NaN;
  }
}

const hasKills = (tiers: readonly Numbers[], row: number): boolean => tiers.some((kills) => (kills[row] as number) > 0);

/**
 * Finds doubts in a lifetime counter: a fall, or a zero on one side only in a pair in which one reading has no kills
 * either (its profile was not read). The kill score needs no such second sign.
 */
function counterDoubts({ game, from, to, rows, kills }: Difference, key: string, raw: Numbers): Doubts {
  const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
  const byItself = key === killScore(game);
  const doubts = new Uint8Array(rows.common);
  for (let pair = 0; pair < doubts.length; pair++) {
    const gain = raw[pair] as number;
    if (gain < 0) doubts[pair] = FELL;
    else if (gain > 0 && (byItself || kills[pair] === ONE_EMPTY)) {
      const [then, now] = [before[rows.from[pair] as number], after[rows.to[pair] as number]] as [number, number];
      doubts[pair] = isOneEmpty(then, now) ? ONE_EMPTY : NO_DOUBT;
    }
  }
  return doubts;
}

/** Finds doubts in figures that may fall. Only a power of 0 is impossible. */
function stateDoubts({ game, from, to, rows }: Difference, key: string): Doubts {
  const doubts = new Uint8Array(rows.common);
  if (key !== GAMES[game].roles.power) return doubts;
  const [before, after] = [numbersOf(from, key), numbersOf(to, key)];
  for (let pair = 0; pair < doubts.length; pair++)
    if (before[rows.from[pair] as number] === 0 || after[rows.to[pair] as number] === 0) doubts[pair] = IMPOSSIBLE;
  return doubts;
}

/**
 * Returns gains of a seasonal figure. After a season's start the whole new value counts as gain; within a season a fall
 * is a misread.
 */
function seasonal({ game, from, to, rows, seasons }: Difference, key: string, raw: Numbers): Gains {
  const kingdoms = numbersOf(from, GAMES[game].roles.kingdom);
  const after = numbersOf(to, key);
  const restarted = seasons.get(key);
  const doubts = new Uint8Array(rows.common);
  for (let pair = 0; pair < doubts.length; pair++) {
    const kingdom = kingdoms[rows.from[pair] as number] as number;
    if (restarted?.has(kingdom)) raw[pair] = after[rows.to[pair] as number] as number;
    else if ((raw[pair] as number) < 0) doubts[pair] = FELL;
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
export const memoryOfDifference = ({ rows, kills }: Difference): ArrayBufferLike[] =>
  [rows.from, rows.to, kills].map(({ buffer }) => buffer);

/** Returns the governors in both in the form that scoring needs. */
export const scorable = ({ game, from, rows }: Pairs): Scorable => {
  const { id, power } = GAMES[game].roles;
  const [ids, powers] = [numbersOf(from, id), from.numbers[power]];
  return {
    game,
    count: rows.common,
    idAt: (pair) => ids[rows.from[pair] as number] as number,
    powerAt: (pair) => powers?.[rows.from[pair] as number] ?? Number.NaN,
  };
};
