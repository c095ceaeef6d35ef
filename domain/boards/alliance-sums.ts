import type { GameId } from '../games/games.ts';
import { BOARDS, typeOf } from './leaderboard.ts';
import type { AllianceRow, Ranking } from './rows.ts';

type AllianceMetric = (typeof BOARDS.alliance.metrics)[number];

interface Sum {
  /** Null if no member's figure was read. */
  value: number | null;
  /** Members whose figure is included. */
  counted: number;
  /** Members whose figure is excluded as doubtful, and the sum of those figures. */
  doubted: number;
  doubtedSum: number;
}

interface Alliance {
  kingdom: number;
  tag: string;
  name: string;
  sums: Record<AllianceMetric, Sum>;
  members: number;
}

/** Every scan lists power. Other figures are unknown until a profile is read. */
const noSums = () =>
  Object.fromEntries(
    BOARDS.alliance.metrics.map((metric): [AllianceMetric, Sum] => [
      metric,
      { value: metric === 'power' ? 0 : null, counted: 0, doubted: 0, doubtedSum: 0 },
    ]),
  ) as Alliance['sums'];

/** Adds up alliances' figures governor by governor, and ranks the alliances. */
export class Alliances {
  readonly #game: GameId;
  readonly #byKey = new Map<string, Alliance>();

  constructor(game: GameId) {
    this.#game = game;
  }

  /** Adds a governor's figures. `figureOf` returns NaN if a figure is unknown or already counted. */
  add(
    { kingdom, tag, name, isNew }: { kingdom: number; tag: string; name: string; isNew: boolean },
    figureOf: (metric: AllianceMetric) => number,
    doubts: readonly string[],
  ): void {
    const key = `${kingdom}/${tag}`;
    let alliance = this.#byKey.get(key);
    if (!alliance) {
      alliance = { kingdom, tag, name: '', sums: noSums(), members: 0 };
      this.#byKey.set(key, alliance);
    }
    alliance.name ||= name;
    if (isNew) alliance.members++;
    for (const metric of BOARDS.alliance.metrics) {
      const value = figureOf(metric);
      if (Number.isNaN(value)) continue;
      const sum = alliance.sums[metric];
      if (doubts.includes(metric)) {
        sum.doubted++;
        sum.doubtedSum += value;
      } else {
        sum.counted++;
        sum.value = (sum.value ?? 0) + value;
      }
    }
  }

  /** Number of alliances with members. */
  get count(): number {
    return this.#standing().length;
  }

  /**
   * Ranks the alliances by a figure, without ranks and moves. Those without a known figure appear only in the ranking
   * by power.
   */
  ranking(by: AllianceMetric): Ranking {
    const of = ({ sums }: Alliance): number => sums[by].value ?? 0;
    const order = this.#standing()
      .filter((alliance) => by === 'power' || of(alliance) > 0)
      .sort((a, b) => of(b) - of(a) || a.kingdom - b.kingdom || (a.tag < b.tag ? -1 : 1));
    return {
      length: order.length,
      at: (index) => {
        const alliance = order[index];
        return alliance && this.#rowOf(alliance);
      },
    };
  }

  #standing(): Alliance[] {
    return [...this.#byKey.values()].filter(({ members }) => members > 0);
  }

  #rowOf({ kingdom, tag, name, sums, members }: Alliance): AllianceRow {
    const figures = BOARDS.alliance.metrics.map((metric) => [typeOf(this.#game, metric), sums[metric]] as const);
    const doubted = figures.filter(([, sum]) => sum.doubted > 0);
    return {
      rank: 0,
      moved: null,
      kingdom_id: kingdom,
      alliance_tag: tag,
      alliance_name: name,
      ...(Object.fromEntries(figures.map(([key, { value }]) => [key, value])) as Pick<AllianceRow, 'power'>),
      member_count: members,
      counted: Object.fromEntries(figures.map(([key, { counted }]) => [key, counted])),
      ...(doubted.length > 0 && {
        left_out: Object.fromEntries(
          doubted.map(([key, sum]) => [key, { rows: sum.doubted, raw: (sum.value ?? 0) + sum.doubtedSum }]),
        ),
      }),
    };
  }
}
