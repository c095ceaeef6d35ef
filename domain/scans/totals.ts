import { GAMES } from '../games/games.ts';
import { type ByKey, byKey } from './kingdom-metrics.ts';
import { doubtedIn, figureOf } from './quality.ts';
import { type Numbers, numbersOf, orderBy, type Table } from './rows.ts';

/** How many of the strongest governors sums are known by. */
const TOPS = [100, 300, 350, 600] as const;
type Top = `top${(typeof TOPS)[number]}`;

/**
 * Sums of a figure over all governors of a scan and over the strongest by power. Null is unknown: nothing of the figure
 * was read, or fewer governors than that.
 */
export type TopSums = Record<'total' | Top, number | null>;

type Summed = 'power' | 'score' | 'deads';

export interface AllianceSums {
  tag: string;
  /** In full; empty where no row has it. */
  name: string;
  members: number;
  power: number;
  score: number;
  /** Members whose score is in the sum; of none it is unknown. */
  read: number;
}

/** How many doubted values a figure leaves out, and what it is with them. */
export interface LeftOut {
  rows: number;
  raw: number;
}

/** What a kingdom's snapshot adds up to. Figures in doubt are left out of it. */
export interface Totals extends ByKey<number | null> {
  power: TopSums;
  score: TopSums;
  deads: TopSums;
  /** Governors in the scan. */
  player_count: number;
  /** Governors whose figure is in the sum of all; days of earlier releases lack those of metrics. */
  known?: Record<Summed, number> & Partial<ByKey<number>>;
  /** Only of figures that leave out doubted ones: how many, and the figure of all with those. */
  left_out?: Partial<Record<Summed | keyof ByKey<unknown>, LeftOut>>;
  /** Governors with the highest hall that the game has; null where no hall was read. */
  hall25_count: number | null;
  /** How many governors are in each of POWER_CLASSES. */
  distribution?: number[];
}

/** Lower ends of the classes of power in a distribution. */
export const POWER_CLASSES = [0, 5e6, 10e6, 20e6, 30e6, 45e6, 60e6, 80e6, 100e6, 150e6] as const;

/** A kingdom has some dozens; what a scan may hold beside them are tags of one or two. */
const MOST_ALLIANCES = 500;

interface Guarded {
  sums: TopSums;
  known: number;
  left_out: number;
  raw: number;
}

function guardedSums(values: Numbers, isDoubted: (row: number) => boolean, order: Uint32Array, count: number): Guarded {
  const found: Guarded = { sums: { total: null } as TopSums, known: 0, left_out: 0, raw: 0 };
  for (const top of TOPS) found.sums[`top${top}`] = null;
  for (let rank = 0; rank < order.length; rank++) {
    const row = order[rank] as number;
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    found.raw += value;
    if (isDoubted(row)) {
      found.left_out += 1;
      continue;
    }
    found.known += 1;
    found.sums.total = (found.sums.total ?? 0) + value;
    for (const top of TOPS)
      if (rank < top && count >= top) found.sums[`top${top}`] = (found.sums[`top${top}`] ?? 0) + value;
  }
  return found;
}

const NO_DOUBTS = new Set<string>();

/** For each row the figures that do not count. */
function doubtsIn(table: Table): ((row: number) => ReadonlySet<string>) | null {
  const words = table.texts.doubted;
  if (!words?.some((word) => word !== null)) return null;
  const doubts = words.map((word) => (word === null ? NO_DOUBTS : new Set(doubtedIn(word))));
  return (row) => doubts[row] ?? NO_DOUBTS;
}

const never = (): boolean => false;

/**
 * Adds up a snapshot with its verdicts: the kingdom's day. Its sums are those that the results page and the files show
 * of the same rows. The strongest are told by powers in no doubt.
 */
export function totalsOf(table: Table): Totals {
  const { roles, hall } = GAMES[table.game];
  const doubts = doubtsIn(table);
  const doubted = (key: string) => {
    const figure = figureOf(table.game, key);
    return doubts ? (row: number) => doubts(row).has(figure) : never;
  };
  const inDoubt = doubted(roles.power);
  const byPower = orderBy(table, roles.power);
  const order = doubts
    ? Uint32Array.from([...byPower.filter((row) => !inDoubt(row)), ...byPower.filter((row) => inDoubt(row))])
    : byPower;
  const guarded = (key: string) => guardedSums(numbersOf(table, key), doubted(key), order, table.count);
  const figures = {
    power: guarded(roles.power),
    score: guarded(roles.score),
    deads: guarded(roles.deads),
  };
  const known = (key: string) => sure(table.numbers[key], doubted(key));
  const halls = known(roles.hall);
  const metrics = byKey(({ columns, made }) => {
    const key = columns.find((key) => table.numbers[key]) ?? '';
    const counted = known(key);
    const all = doubts ? sure(table.numbers[key], never) : counted;
    const left_out = all.length - counted.length;
    return { value: MADE[made](counted), known: counted.length, left_out, raw: MADE[made](all) ?? 0 };
  });
  const left = Object.entries({ ...figures, ...metrics }).filter(([, { left_out }]) => left_out > 0);
  return {
    power: figures.power.sums,
    score: figures.score.sums,
    deads: figures.deads.sums,
    player_count: table.count,
    known: {
      power: figures.power.known,
      score: figures.score.known,
      deads: figures.deads.known,
      ...byKey(({ key }) => metrics[key].known),
    },
    ...(left.length > 0 && {
      left_out: Object.fromEntries(left.map(([key, { left_out, raw }]) => [key, { rows: left_out, raw }])),
    }),
    hall25_count: halls.length > 0 ? halls.filter((level) => level >= hall.highest).length : null,
    ...byKey(({ key }) => metrics[key].value),
    distribution: distributionOf(known(roles.power)),
  };
}

/** The values that were read and are in no doubt. */
function sure(values: Numbers | undefined, isDoubted: (row: number) => boolean): Numbers {
  const read = new Float64Array(values?.length ?? 0);
  let count = 0;
  // A loop, not filter(): most of these columns are empty in most scans.
  for (let row = 0; row < read.length; row++) {
    const value = values?.[row] as number;
    if (!Number.isNaN(value) && !isDoubted(row)) read[count++] = value;
  }
  return read.subarray(0, count);
}

const sum = (values: Numbers): number | null => (values.length ? values.reduce((a, b) => a + b, 0) : null);
const average = (values: Numbers): number | null =>
  values.length ? Math.round((sum(values) as number) / values.length) : null;

/** How many different ones there are; 0 stands where there is none. */
function kinds(values: Numbers): number | null {
  const found = new Set(values.filter((value) => value > 0));
  return found.size > 0 ? found.size : null;
}

const MADE = { sum, average, kinds };

function distributionOf(powers: Numbers): number[] {
  const counts: number[] = POWER_CLASSES.map(() => 0);
  for (const power of powers) {
    const place = POWER_CLASSES.findLastIndex((from) => power >= from);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

/** The alliances of a snapshot with its verdicts, the mightiest first. */
export function alliancesOf(table: Table): AllianceSums[] {
  const { roles } = GAMES[table.game];
  const doubts = doubtsIn(table);
  const [powers, scores] = [numbersOf(table, roles.power), numbersOf(table, roles.score)];
  const sums = new Map<string, AllianceSums>();
  table.texts[roles.tag]?.forEach((tag, row) => {
    if (!tag) return;
    let alliance = sums.get(tag);
    if (!alliance) {
      alliance = { tag, name: '', members: 0, power: 0, score: 0, read: 0 };
      sums.set(tag, alliance);
    }
    const [power, score] = [powers[row] as number, scores[row] as number];
    alliance.name ||= table.texts.alliance_name?.[row] ?? '';
    alliance.members += 1;
    if (!Number.isNaN(power) && !doubts?.(row).has('power')) alliance.power += power;
    if (Number.isNaN(score) || doubts?.(row).has('score')) return;
    alliance.score += score;
    alliance.read += 1;
  });
  return [...sums.values()].sort((a, b) => b.power - a.power || (a.tag < b.tag ? -1 : 1)).slice(0, MOST_ALLIANCES);
}

/** Which sum of several scans covers the same governors, and how many those are. */
export interface CommonDepth {
  sum: keyof TopSums;
  ranks: number;
}

/**
 * What scans of these numbers of governors can be compared by: all of them where they are equally deep, else the most
 * top governors that every one of them has; null where even the hundred strongest are not in all.
 */
export function commonDepth(counts: readonly number[]): CommonDepth | null {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return { sum: 'total', ranks: least };
  const top = TOPS.findLast((ranks) => ranks <= least);
  return top === undefined ? null : { sum: `top${top}`, ranks: top };
}

/** True where scans of so many governors are about equally deep: what they add up to can be compared. */
export const comparable = (one: number, other: number): boolean => Math.min(one, other) >= 0.9 * Math.max(one, other);

const UNKNOWN = byKey(() => null);

/**
 * Totals out of the database. Those of an earlier release took unknown for 0, had sums of more governors than there
 * were, and lack metrics that came later: all of these are unknown.
 */
export function totalsFrom(json: string): Totals {
  const totals = { ...UNKNOWN, ...(JSON.parse(json) as Totals) };
  if (totals.known) return totals;
  const { player_count } = totals;
  const honest = (sums: TopSums): TopSums => {
    const found = { ...sums };
    if (sums.total === 0) found.total = null;
    for (const top of TOPS) if (player_count < top || sums[`top${top}`] === 0) found[`top${top}`] = null;
    return found;
  };
  const [power, score, deads] = [honest(totals.power), honest(totals.score), honest(totals.deads)];
  const read = score.total !== null || deads.total !== null;
  const hall25_count = read ? totals.hall25_count : null;
  return { ...totals, power, score, deads, hall25_count, domain_count: totals.domain_count || null };
}
