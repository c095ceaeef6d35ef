import { GAMES } from '../games/games.ts';
import { doubtedIn, type Figure } from './quality.ts';
import { lastDay, numbersOf, type Table } from './rows.ts';

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
  count < most ? `Top ${most} (${count} read)` : `Top ${most}`;

type Summed = 'power' | 'score' | 'deads' | 'high_tier_kills';
const DOUBT: Readonly<Record<Summed, Figure>> = {
  power: 'power',
  score: 'score',
  deads: 'deads',
  high_tier_kills: 'tiers',
};

const nothing = (): GuardedSum => ({ value: null, rows: 0, left_out: 0, raw: null, flawed: 0 });

function add(sum: GuardedSum, value: number, doubted: boolean, bad: boolean): void {
  if (Number.isNaN(value)) return;
  sum.raw = (sum.raw ?? 0) + value;
  if (doubted) sum.left_out += 1;
  else {
    sum.value = (sum.value ?? 0) + value;
    sum.rows += 1;
    sum.flawed += Number(bad);
  }
}

const descending = (powers: readonly number[]): number[] => powers.toSorted((a, b) => b - a);
const total = (values: readonly number[]): number | null =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;

/** Adds up results, table by table. All tables must have the same shape. */
export class Adder {
  readonly #sums: Record<Summed, GuardedSum> = {
    power: nothing(),
    score: nothing(),
    deads: nothing(),
    high_tier_kills: nothing(),
  };
  readonly #sure: number[] = [];
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
    const { power, score, deads, tiers } = GAMES[rows.game].roles;
    const [t4, t5] = [numbersOf(rows, tiers[3]), numbersOf(rows, tiers[4])];
    const figures: Record<Summed, (row: number) => number> = {
      power: at(numbersOf(rows, power)),
      score: at(numbersOf(rows, score)),
      deads: at(numbersOf(rows, deads)),
      // NaN if either is unknown.
      high_tier_kills: (row) => (t4[row] as number) + (t5[row] as number),
    };
    for (let row = 0; row < rows.count; row++) {
      const doubts = doubtedIn(rows.texts.doubted?.[row]);
      const bad = rows.texts.quality?.[row] != null;
      for (const key of Object.keys(DOUBT) as Summed[])
        add(this.#sums[key], figures[key](row), doubts.includes(DOUBT[key]), bad);
      (doubts.includes('power') ? this.#doubted : this.#sure).push(figures.power(row));
      if (bad && !doubts.includes('power')) this.#flawedPowers.push(figures.power(row));
      const profile = [figures.score(row), figures.deads(row), t4[row] as number, t5[row] as number];
      this.#listed += Number(profile.every(Number.isNaN));
      this.#flawed += Number(bad);
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

  #top(most: number): GuardedSum {
    const sure = descending(this.#sure).slice(0, most);
    const all = descending([...this.#sure, ...this.#doubted]).slice(0, most);
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

const at =
  (numbers: Float64Array) =>
  (row: number): number =>
    numbers[row] as number;
