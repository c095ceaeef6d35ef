import type { GameId } from '../games/games.ts';
import { BOARDS, typeOf } from './leaderboard.ts';
import type { AllianceRow, Ranking } from './rows.ts';
import { type Cells, Top } from './top.ts';

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

/** The order of an alliance's numbers in `Top`: its kingdom, its members, then its sums of each metric. */
const SUMS = ['value', 'counted', 'doubted', 'doubtedSum'] as const satisfies readonly (keyof Sum)[];
const [KINGDOM, MEMBERS, FIRST_SUM] = [0, 1, 2] as const;
const WIDTH = { numbers: FIRST_SUM + SUMS.length * BOARDS.alliance.metrics.length, texts: 2 };

/** The alliances of a kingdom. */
interface Kingdom {
  byTag: Map<string, Alliance>;
  /** Alliances of the members whose profile was not read yet, by governor. */
  unread: Map<number, Alliance>;
}

/** A governor's row in a scan. `figureOf` returns NaN if a figure is unknown or already counted. */
interface Member {
  id: number;
  kingdom: number;
  tag: string;
  /** Full name of the alliance; empty if unknown. */
  name: string;
  figureOf: (metric: AllianceMetric) => number;
  doubts: readonly string[];
}

/** Adds up alliances' figures governor by governor, kingdom by kingdom, and ranks the alliances. */
export class Alliances {
  readonly #game: GameId;
  /** Kingdoms that have not ended. */
  readonly #kingdoms = new Map<number, Kingdom>();
  readonly #tops: readonly { metric: AllianceMetric; top: Top }[];
  #count = 0;

  /** `limit` is how many a board lists. */
  constructor(game: GameId, limit: number) {
    this.#game = game;
    this.#tops = BOARDS.alliance.metrics.map((metric) => ({ metric, top: new Top(limit, WIDTH) }));
  }

  /** Adds a governor to the alliance in which they were last seen. */
  add(member: Member, isRead: boolean): void {
    const { id, kingdom, tag } = member;
    let known = this.#kingdoms.get(kingdom);
    if (!known) {
      known = { byTag: new Map(), unread: new Map() };
      this.#kingdoms.set(kingdom, known);
    }
    let alliance = known.byTag.get(tag);
    if (!alliance) {
      alliance = { kingdom, tag, name: '', sums: noSums(), members: 0 };
      known.byTag.set(tag, alliance);
    }
    alliance.members++;
    if (!isRead) known.unread.set(id, alliance);
    addTo(alliance, member);
  }

  /**
   * Adds a governor's profile from an older scan of the kingdom to the alliance in which they were last seen, which may
   * be another one. Adds nothing if they have left the kingdom since.
   */
  addProfile(member: Member): void {
    const alliance = this.#kingdoms.get(member.kingdom)?.unread.get(member.id);
    if (alliance) addTo(alliance, member);
  }

  /** Enters a kingdom's alliances into the rankings. No governor of it may be added afterwards. */
  end(kingdom: number): void {
    for (const alliance of this.#kingdoms.get(kingdom)?.byTag.values() ?? []) {
      this.#count++;
      for (const { metric, top } of this.#tops) {
        const value = alliance.sums[metric].value ?? 0;
        // Those without a known figure appear only in the ranking by power.
        if ((metric === 'power' || value > 0) && top.takes(value)) top.add(value, cellsOf(alliance));
      }
    }
    this.#kingdoms.delete(kingdom);
  }

  /** Number of alliances. */
  get count(): number {
    return this.#count;
  }

  /** Returns the rankings by metric, without ranks and moves. */
  finish(): Record<AllianceMetric, Ranking> {
    return Object.fromEntries(
      this.#tops.map(({ metric, top }) => [metric, top.finish((cells) => allianceRow(this.#game, cells))]),
    ) as Record<AllianceMetric, Ranking>;
  }
}

function addTo(alliance: Alliance, { tag, name, figureOf, doubts }: Member): void {
  if (tag === alliance.tag) alliance.name ||= name;
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

const cellsOf = ({ kingdom, members, sums, tag, name }: Alliance): Cells => ({
  numbers: [
    kingdom,
    members,
    ...BOARDS.alliance.metrics.flatMap((metric) => SUMS.map((part) => sums[metric][part] ?? Number.NaN)),
  ],
  texts: [tag, name],
});

function sumAt(numbers: Cells['numbers'], at: number): Sum {
  const sum = Object.fromEntries(SUMS.map((part, index) => [part, numbers[at + index]])) as unknown as Sum;
  return { ...sum, value: Number.isNaN(sum.value) ? null : sum.value };
}

function allianceRow(game: GameId, { numbers, texts: [tag = '', name = ''] }: Cells): AllianceRow {
  const figures = BOARDS.alliance.metrics.map(
    (metric, index) => [typeOf(game, metric), sumAt(numbers, FIRST_SUM + index * SUMS.length)] as const,
  );
  const doubted = figures.filter(([, sum]) => sum.doubted > 0);
  return {
    rank: 0,
    moved: null,
    kingdom_id: numbers[KINGDOM] as number,
    alliance_tag: tag,
    alliance_name: name,
    ...(Object.fromEntries(figures.map(([key, { value }]) => [key, value])) as Pick<AllianceRow, 'power'>),
    member_count: numbers[MEMBERS] as number,
    counted: Object.fromEntries(figures.map(([key, { counted }]) => [key, counted])),
    ...(doubted.length > 0 && {
      left_out: Object.fromEntries(
        doubted.map(([key, sum]) => [key, { rows: sum.doubted, raw: (sum.value ?? 0) + sum.doubtedSum }]),
      ),
    }),
  };
}
