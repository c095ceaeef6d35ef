import { GAMES } from '../games/games.ts';
import { t } from '../language/text.ts';
import { greatestOf } from './order.ts';
import { doubtedIn, type Figure } from './quality.ts';
import { lastDay, type Numbers, numbersOf, type Table, type Texts } from './rows.ts';

/** A sum with the number of rows behind it. */
export interface GuardedSum {
  /** Sum of the figures without doubt; null if none was read. */
  value: number | null;
  /** Number of rows in the sum. */
  rows: number;
  /** Rows excluded because the figure is doubtful. */
  left_out: number;
  /** The sum including those. */
  raw: number | null;
  /** Rows in the sum that are flawed in another figure. */
  flawed: number;
}

/** Totals of results, on their last day if they cover several. */
export interface ResultSums {
  /** Number of governors. */
  count: number;
  /** Governors without a profile; only their power is counted. */
  listed: number;
  /** Rows of bad quality. */
  flawed: number;
  /** Power of the strongest 100 and 350, or of all if there are fewer. */
  top100: GuardedSum;
  top350: GuardedSum;
  power: GuardedSum;
  score: GuardedSum;
  deads: GuardedSum;
  /** Kills of T4 and T5 together, the usual measure of a war. */
  high_tier_kills: GuardedSum;
}

/** Returns the title of the sum over the strongest `most`. If fewer were read, it says how many. */
export const topTitle = (most: number, count: number): string =>
  count < most ? t('Top {most} ({count} read)', { most, count }) : t('Top {most}', { most });

type Summed = 'power' | 'score' | 'deads' | 'high_tier_kills';
const DOUBT: Readonly<Record<Summed, Figure>> = {
  power: 'power',
  score: 'score',
  deads: 'deads',
  high_tier_kills: 'tiers',
};

const nothing = (): GuardedSum => ({ value: null, rows: 0, left_out: 0, raw: null, flawed: 0 });

const total = (values: Numbers): number | null =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;

/** The unverified figures of each row of a table. */
interface Doubts {
  /** Null if no row has a doubtful figure. */
  figures: readonly (readonly string[])[] | null;
  /** Quality of the rows that are flawed; missing if none is. */
  flaws: Texts | undefined;
}

const isDoubted = ({ figures }: Doubts, row: number, figure: Figure): boolean =>
  figures !== null && (figures[row] as readonly string[]).includes(figure);
const isFlawed = ({ flaws }: Doubts, row: number): boolean => flaws !== undefined && flaws[row] != null;

/** Adds a column. Its sums are locals, because V8 allocates an object for each change of a field that may be null. */
function addColumn(sum: GuardedSum, values: Numbers, figure: Figure, doubts: Doubts): void {
  let [known, raw, value] = [0, sum.raw ?? 0, sum.value ?? 0];
  let [rows, flawed] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    const each = values[row] as number;
    if (Number.isNaN(each)) continue;
    known++;
    raw += each;
    if (isDoubted(doubts, row, figure)) continue;
    value += each;
    rows++;
    if (isFlawed(doubts, row)) flawed++;
  }
  if (known > 0) sum.raw = raw;
  if (rows > 0) sum.value = value;
  sum.rows += rows;
  sum.left_out += known - rows;
  sum.flawed += flawed;
}

/** Governors of the longest sum over the strongest. */
const MOST_TOP = 350;

/** Returns the highest values, in descending order. */
const highest = (values: Numbers, most: number): Numbers =>
  Float64Array.from(greatestOf(values, most), (index) => values[index] as number);

/** Adds up results, table by table. All tables must have the same shape. */
export class Adder {
  readonly #sums: Record<Summed, GuardedSum> = {
    power: nothing(),
    score: nothing(),
    deads: nothing(),
    high_tier_kills: nothing(),
  };
  /** The highest powers without doubt. */
  #sure: Numbers = new Float64Array(0);
  readonly #doubted: number[] = [];
  /** Powers without doubt of rows that are flawed in another figure. */
  readonly #flawedPowers: number[] = [];
  #count = 0;
  #listed = 0;
  #flawed = 0;

  /** Returns the columns that a table must have; text columns only if its shape has them. */
  static columns({ game }: Pick<Table, 'game'>): string[] {
    const { power, score, deads, tiers } = GAMES[game].roles;
    return [power, score, deads, tiers[3], tiers[4], 'doubted', 'quality', 'day'];
  }

  /** Adds a whole snapshot. */
  add(table: Table): void {
    const rows = lastDay(table);
    const { roles } = GAMES[rows.game];
    const [power, score, deads] = [roles.power, roles.score, roles.deads].map((key) => numbersOf(rows, key)) as Triple;
    const [t4, t5] = [numbersOf(rows, roles.tiers[3]), numbersOf(rows, roles.tiers[4])];
    // NaN if either is unknown.
    const high_tier_kills = t4.map((kills, row) => kills + (t5[row] as number));
    const doubts = doubtsIn(rows);
    for (const [key, values] of Object.entries({ power, score, deads, high_tier_kills }) as [Summed, Numbers][])
      addColumn(this.#sums[key], values, DOUBT[key], doubts);
    this.#addPowers(power, doubts);
    const profile = [score, deads, t4, t5];
    for (let row = 0; row < rows.count; row++) {
      if (profile.every((column) => Number.isNaN(column[row]))) this.#listed++;
      if (isFlawed(doubts, row)) this.#flawed++;
    }
    this.#count += rows.count;
  }

  finish(): ResultSums {
    return {
      count: this.#count,
      listed: this.#listed,
      flawed: this.#flawed,
      top100: this.#top(100),
      top350: this.#top(350),
      ...this.#sums,
    };
  }

  #addPowers(powers: Numbers, doubts: Doubts): void {
    const sure = new Float64Array(this.#sure.length + powers.length);
    sure.set(this.#sure);
    let count = this.#sure.length;
    for (let row = 0; row < powers.length; row++) {
      const power = powers[row] as number;
      if (isDoubted(doubts, row, 'power')) this.#doubted.push(power);
      else {
        sure[count++] = power;
        if (isFlawed(doubts, row)) this.#flawedPowers.push(power);
      }
    }
    this.#sure = highest(sure.subarray(0, count), MOST_TOP);
  }

  #top(most: number): GuardedSum {
    const sure = this.#sure.subarray(0, most);
    const all = highest(Float64Array.from([...this.#sure, ...this.#doubted]), most);
    const reaching = (powers: readonly number[], least = 0) => powers.filter((power) => power >= least).length;
    return {
      value: total(sure),
      rows: sure.length,
      left_out: reaching(this.#doubted, all.at(-1)),
      raw: total(all),
      flawed: reaching(this.#flawedPowers, sure.at(-1)),
    };
  }
}

type Triple = [Numbers, Numbers, Numbers];

function doubtsIn({ texts: { doubted, quality } }: Table): Doubts {
  return { figures: doubted?.some((words) => words !== null) ? doubted.map(doubtedIn) : null, flaws: quality };
}
