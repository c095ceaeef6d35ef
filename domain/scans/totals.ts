import { GAMES } from '../games/games.ts';
import { type ByKey, byKey } from './kingdom-metrics.ts';
import { doubtedIn, figureOf } from './quality.ts';
import { type Numbers, numbersOf, orderBy, type Table } from './rows.ts';

/** Numbers of strongest governors with a sum of their own. */
const TOPS = [100, 300, 350, 600] as const;
type Top = `top${(typeof TOPS)[number]}`;

/**
 * Sums of a figure over all governors of a scan and over the strongest by power. Null means unknown: the figure was not
 * read, or there are fewer governors.
 */
type TopSums = Record<'total' | Top, number | null>;

type Summed = 'power' | 'score' | 'deads';

export interface AllianceSums {
  tag: string;
  /** Full name; empty if no row has it. */
  name: string;
  members: number;
  power: number;
  score: number;
  /** Members whose score is in the sum; if 0, the score is unknown. */
  read: number;
}

/** Number of doubtful values excluded from a figure, and the figure including them. */
interface LeftOut {
  rows: number;
  raw: number;
}

/** Totals of a kingdom's snapshot, without doubtful figures. */
export interface Totals extends ByKey<number | null> {
  power: TopSums;
  score: TopSums;
  deads: TopSums;
  /** Governors in the scan. */
  player_count: number;
  /** Governors whose figure is in the total. Days of earlier releases lack those of metrics. */
  known?: Record<Summed, number> & Partial<ByKey<number>>;
  /** Only for figures with excluded values: their number, and the total including them. */
  left_out?: Partial<Record<Summed | keyof ByKey<unknown>, LeftOut>>;
  /** Governors with the game's highest hall; null if no hall was read. */
  hall25_count: number | null;
  /** Number of governors in each of POWER_CLASSES. */
  distribution?: number[];
}

/** Lower bounds of the power classes in a distribution. */
export const POWER_CLASSES = [0, 5e6, 10e6, 20e6, 30e6, 45e6, 60e6, 80e6, 100e6, 150e6] as const;

/** A kingdom has some dozens; further tags in a scan have one or two members. */
const MOST_ALLIANCES = 500;

interface Guarded {
  sums: TopSums;
  known: number;
  left_out: number;
  raw: number;
}

function guardedSums(values: Numbers, isDoubted: (row: number) => boolean, order: Uint32Array, count: number): Guarded {
  const found: Guarded = { sums: { total: null } as TopSums, known: 0, left_out: 0, raw: 0 };
  const { sums } = found;
  let rank = 0;
  const addUntil = (end: number): void => {
    for (; rank < end; rank++) {
      const row = order[rank] as number;
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      found.raw += value;
      if (isDoubted(row)) found.left_out += 1;
      else {
        found.known += 1;
        sums.total = (sums.total ?? 0) + value;
      }
    }
  };
  for (const top of TOPS) {
    if (top <= count) addUntil(top);
    sums[`top${top}`] = top <= count ? sums.total : null;
  }
  addUntil(order.length);
  return found;
}

const NO_DOUBTS = new Set<string>();

/** Returns a lookup of each row's doubtful figures; null if there are none. */
function doubtsIn(table: Table): ((row: number) => ReadonlySet<string>) | null {
  const words = table.texts.doubted;
  if (!words?.some((word) => word !== null)) return null;
  // Many rows have the same words, so each set is made once.
  const sets = new Map(Array.from(new Set(words), (word) => [word, new Set(doubtedIn(word))]));
  const doubts = words.map((word) => sets.get(word) ?? NO_DOUBTS);
  return (row) => doubts[row] ?? NO_DOUBTS;
}

const never = (): boolean => false;

/**
 * Adds up a snapshot with verdicts, for the kingdom's day. The sums match those that the results page and files show
 * for the same rows. Rows with a doubtful power rank last among the strongest.
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

/** Returns the values that were read and are not doubtful. */
function sure(values: Numbers | undefined, isDoubted: (row: number) => boolean): Numbers {
  const read = new Float64Array(values?.length ?? 0);
  let count = 0;
  // A loop instead of filter(), because most of these columns are empty in most scans.
  for (let row = 0; row < read.length; row++) {
    const value = values?.[row] as number;
    if (!Number.isNaN(value) && !isDoubted(row)) read[count++] = value;
  }
  return read.subarray(0, count);
}

const sum = (values: Numbers): number | null => (values.length ? values.reduce((a, b) => a + b, 0) : null);
const average = (values: Numbers): number | null =>
  values.length ? Math.round((sum(values) as number) / values.length) : null;

/** Counts distinct values above 0; 0 means none. */
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

/** Returns the alliances of a snapshot with verdicts, highest power first. */
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

/** The sum that several scans have in common, and the number of governors that it covers. */
interface CommonDepth {
  sum: keyof TopSums;
  ranks: number;
}

/**
 * Returns the sum by which scans of these depths can be compared: all governors if the depths are equal, else the
 * largest top that every scan reaches. Null if some scan has fewer than a hundred.
 */
export function commonDepth(counts: readonly number[]): CommonDepth | null {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return { sum: 'total', ranks: least };
  const top = TOPS.findLast((ranks) => ranks <= least);
  return top === undefined ? null : { sum: `top${top}`, ranks: top };
}

/**
 * Returns whether scans with these numbers of governors are about equally deep, so that their totals can be compared.
 */
export const comparable = (one: number, other: number): boolean => Math.min(one, other) >= 0.9 * Math.max(one, other);

const UNKNOWN = byKey(() => null);

/**
 * Parses totals from the database. Totals of an earlier release stored unknown as 0, had top sums of more governors
 * than there were, and lack newer metrics; all of these become null.
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
