import { GAMES, type GameId } from '../games/games.ts';
import { doubtedIn } from '../scans/quality.ts';
import { readRows } from '../scans/read.ts';
import { type Numbers, numbersOf, type Table, type Texts, textsOf } from '../scans/rows.ts';
import { Alliances } from './alliance-sums.ts';
import {
  BOARDS,
  type BoardCounts,
  type BoardId,
  boardId,
  METRIC_IDS,
  type Metric,
  metricsOf,
  PUBLISHED_GOVERNORS,
} from './leaderboard.ts';
import { type GovernorRow, type KingdomRow, metricIn, type Ranking } from './rows.ts';

/**
 * Ranks millions of governors, one scan at a time. It keeps the best rows so far, the alliances' sums, and the set of
 * counted ids. At nine bytes a governor, two million fit into an isolate next to the current scan.
 */

/** Bits for what was seen of a governor: power, which every scan lists, and the profile with all other figures. */
const LISTED = 1;
const PROFILE = 2;
const FULL = 0.85;

/** Hash map from governor id to two bits, with open addressing. */
class Met {
  #ids: Float64Array;
  #bits: Uint8Array;
  #count = 0;

  constructor(expected: number) {
    const slots = Math.max(1024, Math.ceil(expected * 1.25));
    this.#ids = new Float64Array(slots);
    this.#bits = new Uint8Array(slots);
  }

  /** Adds bits to an id and returns the bits that it had before. */
  add(id: number, bits: number): number {
    if (this.#count > this.#ids.length * FULL) this.#grow();
    const slot = this.#slot(id);
    const had = this.#bits[slot] as number;
    if (had === 0) {
      this.#ids[slot] = id;
      this.#count++;
    }
    this.#bits[slot] = had | bits;
    return had;
  }

  has(id: number): boolean {
    return this.#bits[this.#slot(id)] !== 0;
  }

  get count(): number {
    return this.#count;
  }

  #slot(id: number): number {
    const slots = this.#ids.length;
    // Fibonacci hashing of all 53 bits, for any number of slots.
    const hash = Math.imul((id >>> 0) ^ Math.floor(id / 2 ** 32), 0x9e3779b1) >>> 0;
    let slot = Math.floor((hash / 2 ** 32) * slots);
    while (this.#bits[slot] !== 0 && this.#ids[slot] !== id) slot = slot + 1 === slots ? 0 : slot + 1;
    return slot;
  }

  #grow(): void {
    const ids = this.#ids;
    const bits = this.#bits;
    this.#ids = new Float64Array(ids.length * 2);
    this.#bits = new Uint8Array(ids.length * 2);
    for (let from = 0; from < ids.length; from++) {
      if (bits[from] === 0) continue;
      const slot = this.#slot(ids[from] as number);
      this.#ids[slot] = ids[from] as number;
      this.#bits[slot] = bits[from] as number;
    }
  }
}

/** The figures of a governor's row, in the order of `Top`'s columns. */
const KEPT = [
  'governor_id',
  'kingdom_id',
  'power',
  'score',
  'cityhall',
  'deads',
  't1',
  't2',
  't3',
  't4',
  't5',
] as const;
const WIDTH = KEPT.length;
const [ID, KINGDOM, POWER, SCORE, HALL, DEADS, TIERS] = [0, 1, 2, 3, 4, 5, 6] as const;

/**
 * The best rows so far, in columns because objects would take four times the memory. It holds up to twice `limit` rows,
 * then drops the lower half.
 */
class Top {
  readonly #game: GameId;
  readonly #limit: number;
  #count = 0;
  #least = Number.NEGATIVE_INFINITY;
  #values: Float64Array;
  #figures: Float64Array;
  #names: string[] = [];
  #tags: string[] = [];

  constructor(game: GameId, limit: number) {
    this.#game = game;
    this.#limit = limit;
    this.#values = new Float64Array(2 * limit);
    this.#figures = new Float64Array(2 * limit * WIDTH);
  }

  /** Returns false if a row with that value can no longer be among the best. */
  takes(value: number): boolean {
    return value >= this.#least;
  }

  add(value: number, { figures, names, tags }: Source, index: number): void {
    const at = this.#count++;
    this.#values[at] = value;
    for (let column = 0; column < WIDTH; column++)
      this.#figures[at * WIDTH + column] = (figures[column] as Numbers)[index] as number;
    this.#names[at] = names[index] ?? '';
    this.#tags[at] = tags[index] ?? '';
    if (this.#count === this.#values.length) this.#cut();
  }

  /** Returns the best rows in order. */
  finish(): Ranking {
    this.#cut();
    return { length: this.#count, at: (index) => (index < this.#count ? this.#row(index) : undefined) };
  }

  #row(index: number): GovernorRow {
    const figure = (column: number): number | null => {
      const value = this.#figures[index * WIDTH + column] as number;
      return Number.isNaN(value) ? null : value;
    };
    return {
      rank: 0,
      moved: null,
      kingdom_id: figure(KINGDOM) as number,
      governor_id: figure(ID) as number,
      alliance_tag: this.#tags[index] as string,
      name: this.#names[index] as string,
      power: figure(POWER) as number,
      [GAMES[this.#game].roles.score]: figure(SCORE),
      cityhall: figure(HALL),
      deads: figure(DEADS),
      killcount_t1: figure(TIERS),
      killcount_t2: figure(TIERS + 1),
      killcount_t3: figure(TIERS + 2),
      killcount_t4: figure(TIERS + 3),
      killcount_t5: figure(TIERS + 4),
    };
  }

  #cut(): void {
    const values = this.#values;
    const figures = this.#figures;
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index).sort(
      (a, b) =>
        (values[b] as number) - (values[a] as number) ||
        (figures[a * WIDTH + ID] as number) - (figures[b * WIDTH + ID] as number),
    );
    const kept = order.subarray(0, this.#limit);
    this.#values = new Float64Array(values.length);
    this.#figures = new Float64Array(figures.length);
    for (const [to, from] of kept.entries()) {
      this.#values[to] = values[from] as number;
      this.#figures.set(figures.subarray(from * WIDTH, (from + 1) * WIDTH), to * WIDTH);
    }
    this.#names = Array.from(kept, (from) => this.#names[from] as string);
    this.#tags = Array.from(kept, (from) => this.#tags[from] as string);
    if (this.#count > this.#limit) this.#least = this.#values[this.#limit - 1] as number;
    this.#count = kept.length;
  }
}

/** Returns the columns that a ranking needs from a scan. */
export function rankedColumns(game: GameId): string[] {
  const { id, name, tag, power, score, deads, hall, tiers } = GAMES[game].roles;
  const named = GAMES[game].columns.some(({ key }) => key === 'alliance_name') ? ['alliance_name'] : [];
  return [id, name, tag, power, score, deads, hall, ...tiers, ...named, 'doubted'];
}

type KingdomBoard = Extract<BoardId, `kingdom-${string}`>;

export interface Rankings {
  counts: BoardCounts;
  boards: Record<Exclude<BoardId, KingdomBoard>, Ranking>;
}

/** Sorts rows into the kingdom boards. Kingdoms with an unknown figure come last. */
export const kingdomRankings = (rows: readonly KingdomRow[]): Record<KingdomBoard, Ranking> =>
  Object.fromEntries(
    metricsOf('kingdom').map((metric) => [
      boardId('kingdom', metric),
      rows.toSorted((a, b) => (metricIn(b, metric) ?? -1) - (metricIn(a, metric) ?? -1) || a.kingdom_id - b.kingdom_id),
    ]),
  ) as { [Board in KingdomBoard]: KingdomRow[] };

/**
 * Ranks governors. Scans must come newest first, so that each governor counts once, in the kingdom of their latest
 * scan.
 */
export class Ranker {
  readonly #game: GameId;
  readonly #met: Met;
  readonly #tops: readonly { metric: Metric; top: Top }[];
  readonly #alliances: Alliances;
  /** Kingdom → lowest power that any of its scans has reached so far. */
  readonly #reached = new Map<number, number>();
  #kingdom = 0;
  /** The kingdom's `#reached` when the current scan began. */
  #before = Number.POSITIVE_INFINITY;

  /** `expected` is the approximate number of governors, used to size the hash map. */
  constructor(game: GameId, expected: number, limit = PUBLISHED_GOVERNORS) {
    this.#game = game;
    this.#met = new Met(expected);
    this.#alliances = new Alliances(game);
    this.#tops = metricsOf('governor').map((metric) => ({ metric, top: new Top(game, limit) }));
  }

  /** Starts a scan of a kingdom; the next rows belong to it. */
  begin(kingdom: number): void {
    this.#kingdom = kingdom;
    this.#before = this.#reached.get(kingdom) ?? Number.POSITIVE_INFINITY;
  }

  /** Adds rows of the current scan, with the columns of `rankedColumns`. */
  add(table: Table): void {
    const kingdom = this.#kingdom;
    const reached = this.#before;
    const { roles } = GAMES[this.#game];
    const ids = numbersOf(table, roles.id);
    const powers = numbersOf(table, roles.power);
    const source = sourceOf(this.#game, table, kingdom);
    const read = readRows(table);
    const doubted = table.texts.doubted;
    let least = this.#reached.get(kingdom) ?? reached;
    for (let index = 0; index < table.count; index++) {
      const power = powers[index] as number;
      const id = ids[index] as number;
      if (power < least) least = power;
      // A newer scan reached further down and did not list this governor, so they left or lost too much power.
      if (power >= reached && !this.#met.has(id)) continue;
      // A scan without profiles ranks by power only; the score then comes from an older scan with profiles. Once a
      // profile is read, its score counts even if unknown, and older scans do not replace it.
      const bits = read[index] === 0 ? LISTED : LISTED | PROFILE;
      const news = bits & ~this.#met.add(id, bits);
      if (news === 0) continue;
      // Doubtful figures are not ranked.
      const doubts = doubtedIn(doubted?.[index]);
      for (const { metric, top } of this.#tops) {
        if (doubts.includes(metric)) continue;
        const value = newIn(source, metric, index, news);
        if ((metric === 'power' || value > 0) && top.takes(value)) top.add(value, source, index);
      }
      const tag = source.tags[index];
      if (!tag) continue;
      this.#alliances.add(
        { kingdom, tag, name: source.alliances?.[index] ?? '', isNew: (news & LISTED) !== 0 },
        (metric) => newIn(source, metric, index, news),
        doubts,
      );
    }
    this.#reached.set(kingdom, least);
  }

  /** Returns the finished boards, without ranks and moves. */
  finish(): Rankings {
    return {
      counts: { kingdoms: this.#reached.size, governors: this.#met.count, alliances: this.#alliances.count },
      boards: Object.fromEntries([
        ...this.#tops.map(({ metric, top }) => [boardId('governor', metric), top.finish()]),
        ...BOARDS.alliance.metrics.map((metric) => [boardId('alliance', metric), this.#alliances.ranking(metric)]),
      ]) as Rankings['boards'],
    };
  }
}

/** The columns of a scan that `Top` copies from. */
interface Source {
  figures: readonly Numbers[];
  names: Texts;
  tags: Texts;
  /** Full names of alliances, if the game's scans have them. */
  alliances: Texts | undefined;
}

const COLUMN = Object.fromEntries(METRIC_IDS.map((metric) => [metric, KEPT.indexOf(metric)])) as Record<Metric, number>;

/** Returns the figure that boards rank by; NaN if it is unknown or already counted. */
function newIn({ figures }: Source, metric: Metric, index: number, news: number): number {
  const bit = metric === 'power' ? LISTED : PROFILE;
  return (news & bit) === 0 ? Number.NaN : ((figures[COLUMN[metric]] as Numbers)[index] as number);
}

function sourceOf(game: GameId, table: Table, kingdom: number): Source {
  const { roles } = GAMES[game];
  const columns = [roles.power, roles.score, roles.hall, roles.deads, ...roles.tiers].map((key) =>
    numbersOf(table, key),
  );
  const home = new Float64Array(table.count).fill(kingdom);
  return {
    figures: [numbersOf(table, roles.id), home, ...columns],
    names: textsOf(table, roles.name),
    tags: textsOf(table, roles.tag),
    alliances: table.texts.alliance_name,
  };
}
