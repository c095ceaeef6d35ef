import { GAMES, type GameId } from '../games/games.ts';
import { doubtedIn } from '../scans/quality.ts';
import { readRows } from '../scans/read.ts';
import { type Numbers, numbersOf, type Table, type Texts, textsOf } from '../scans/rows.ts';
import { Alliances } from './alliance-sums.ts';
import { IdSet } from './id-set.ts';
import {
  BOARDS,
  type BoardCounts,
  type BoardId,
  boardId,
  METRIC_IDS,
  type Metric,
  metricsOf,
  PUBLISHED_ALLIANCES,
  PUBLISHED_GOVERNORS,
} from './leaderboard.ts';
import { type GovernorRow, type KingdomRow, metricIn, type Ranking } from './rows.ts';
import { type Cells, Top } from './top.ts';

/**
 * Ranks millions of governors, one scan at a time. It keeps the best rows so far, the sums of alliances of kingdoms
 * with further scans, and which governors were counted.
 */

/** Bits for what was seen of a governor: power, which every scan lists, and the profile with all other figures. */
const LISTED = 1;
const PROFILE = 2;

/** Remembers what was counted of each governor. */
class Met {
  readonly #listed = new IdSet();
  /** Those whose profile was counted later than their power. Usually both are read at once, so there are few. */
  readonly #profiled = new IdSet();
  readonly #unread = new IdSet();

  /** Notes what a scan shows of a governor; returns the bits that are new. */
  add(id: number, bits: number): number {
    if (this.#listed.add(id)) {
      if (bits === LISTED) this.#unread.add(id);
      return bits;
    }
    const isNews = bits !== LISTED && this.#unread.has(id) && this.#profiled.add(id);
    return isNews ? PROFILE : 0;
  }

  has(id: number): boolean {
    return this.#listed.has(id);
  }

  get count(): number {
    return this.#listed.size;
  }

  /** Frees its memory at once. It must not be used afterwards. */
  free(): void {
    for (const ids of [this.#listed, this.#profiled, this.#unread]) ids.free();
  }
}

/** The figures of a governor's row, in the order of their cells in `Top`. */
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
const [ID, KINGDOM, POWER, SCORE, HALL, DEADS, TIERS] = [0, 1, 2, 3, 4, 5, 6] as const;
const TEXTS = ['name', 'tag'] as const;

/** Returns a governor's row, without rank and move, from the cells of `KEPT` and `TEXTS`. */
function governorRow(game: GameId, { numbers, texts: [name = '', tag = ''] }: Cells): GovernorRow {
  const figure = (column: number): number | null => {
    const value = numbers[column] as number;
    return Number.isNaN(value) ? null : value;
  };
  return {
    rank: 0,
    moved: null,
    kingdom_id: figure(KINGDOM) as number,
    governor_id: figure(ID) as number,
    alliance_tag: tag,
    name,
    power: figure(POWER) as number,
    [GAMES[game].roles.score]: figure(SCORE),
    cityhall: figure(HALL),
    deads: figure(DEADS),
    killcount_t1: figure(TIERS),
    killcount_t2: figure(TIERS + 1),
    killcount_t3: figure(TIERS + 2),
    killcount_t4: figure(TIERS + 3),
    killcount_t5: figure(TIERS + 4),
  };
}

/** Returns the columns that a ranking needs from a scan. */
export function rankedColumns(game: GameId): string[] {
  const { id, name, tag, power, score, deads, hall, tiers } = GAMES[game].roles;
  const named = GAMES[game].columns.some(({ key }) => key === 'alliance_name') ? ['alliance_name'] : [];
  return [id, name, tag, power, score, deads, hall, ...tiers, ...named, 'doubted'];
}

type KingdomBoard = Extract<BoardId, `kingdom-${string}`>;

interface Rankings {
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
  readonly #met = new Met();
  readonly #tops: readonly { metric: Metric; top: Top }[];
  readonly #alliances: Alliances;
  /** Kingdom → lowest power that any of its scans has reached so far. */
  readonly #reached = new Map<number, number>();
  #kingdom = 0;
  /** The kingdom's `#reached` when the current scan began. */
  #before = Number.POSITIVE_INFINITY;

  constructor(game: GameId, limits = { governors: PUBLISHED_GOVERNORS, alliances: PUBLISHED_ALLIANCES }) {
    this.#game = game;
    this.#alliances = new Alliances(game, limits.alliances);
    const width = { numbers: KEPT.length, texts: TEXTS.length };
    this.#tops = metricsOf('governor').map((metric) => ({ metric, top: new Top(limits.governors, width) }));
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
      // A doubtful power says nothing about how far down the scan reached.
      const doubts = doubtedIn(doubted?.[index]);
      if (power < least && !doubts.includes('power')) least = power;
      // A newer scan reached further down and did not list this governor, so they left or lost too much power.
      if (power >= reached && !this.#met.has(id)) continue;
      // A scan without profiles ranks by power only; the score then comes from an older scan with profiles. Once a
      // profile is read, its score counts even if unknown, and older scans do not replace it.
      const bits = read[index] === 0 ? LISTED : LISTED | PROFILE;
      const news = this.#met.add(id, bits);
      if (news === 0) continue;
      // Doubtful figures are not ranked.
      for (const { metric, top } of this.#tops) {
        if (doubts.includes(metric)) continue;
        const value = newIn(source, metric, index, news);
        if ((metric === 'power' || value > 0) && top.takes(value)) top.add(value, cellsAt(source, index));
      }
      const member = {
        ...{ id, kingdom, tag: source.tags[index] ?? '', name: source.alliances?.[index] ?? '', doubts },
        figureOf: (metric: Metric) => newIn(source, metric, index, news),
      };
      if ((news & LISTED) === 0) this.#alliances.addProfile(member);
      else if (member.tag) this.#alliances.add(member, bits !== LISTED);
    }
    this.#reached.set(kingdom, least);
  }

  /** Ends a kingdom, after its last scan. */
  end(kingdom: number): void {
    this.#alliances.end(kingdom);
  }

  /** Returns the finished boards, without ranks and moves. Every kingdom must have ended; nothing can be added. */
  finish(): Rankings {
    const alliances = this.#alliances.finish();
    const counts = { kingdoms: this.#reached.size, governors: this.#met.count, alliances: this.#alliances.count };
    this.#met.free();
    return {
      counts,
      boards: Object.fromEntries([
        ...this.#tops.map(({ metric, top }) => [
          boardId('governor', metric),
          top.finish((cells) => governorRow(this.#game, cells)),
        ]),
        ...BOARDS.alliance.metrics.map((metric) => [boardId('alliance', metric), alliances[metric]]),
      ]) as Rankings['boards'],
    };
  }
}

/** The columns of a scan that boards show. */
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

const cellsAt = ({ figures, names, tags }: Source, index: number): Cells => ({
  numbers: figures.map((column) => column[index] as number),
  texts: [names[index] ?? '', tags[index] ?? ''],
});

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
