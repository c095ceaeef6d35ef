import { GAMES } from '../games/games.ts';
import { doubtedIn, type Figure } from './quality.ts';
import { lastDay, numbersOf, type Table } from './rows.ts';

/** A sum that says what it is of. */
export interface GuardedSum {
  /** Of the rows whose figure is in no doubt; null where none was read. */
  value: number | null;
  /** Rows in it. */
  rows: number;
  /** Rows left out because their quality casts doubt on the figure. */
  left_out: number;
  /** The sum with those. */
  raw: number | null;
  /** Rows in it that are of bad quality, though not in this figure. */
  flawed: number;
}

/** What results add up to, on their last day where they have several. */
export interface ResultSums {
  /** Governors. */
  count: number;
  /** Of whom only the ranking list was read; they add power alone. */
  listed: number;
  /** Rows of bad quality. */
  flawed: number;
  /** Power of the strongest 100 and 350, or of as many as there are. */
  top100: GuardedSum;
  top350: GuardedSum;
  power: GuardedSum;
  score: GuardedSum;
  deads: GuardedSum;
  /** Kills of T4 and T5 together: what a war is measured by. */
  high_tier_kills: GuardedSum;
}

/**
 * What the sum of the strongest `most` is called everywhere. Of fewer it is no sum of so many, so the name says how many
 * were read.
 */
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

/** Adds up results table by table: the tables of one shape, of one kingdom or of many. */
export class Adder {
  readonly #sums: Record<Summed, GuardedSum> = {
    power: nothing(),
    score: nothing(),
    deads: nothing(),
    high_tier_kills: nothing(),
  };
  readonly #sure: number[] = [];
  readonly #doubted: number[] = [];
  /** Of the sure ones those whose row is bad in another figure. */
  readonly #flawedPowers: number[] = [];
  #count = 0;
  #listed = 0;
  #flawed = 0;

  /** The columns that a table must have; those of texts where its shape has them. */
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
      // Where one of the two is unknown, so is the sum.
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
