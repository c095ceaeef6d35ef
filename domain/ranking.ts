import { GAMES, type GameId } from './games.ts';
import { type AllianceRow, type Counts, type GovernorRow, PUBLISHED_GOVERNORS } from './leaderboard.ts';
import { type Numbers, numbersOf, type Table, textsOf } from './rows.ts';

/**
 * Ranks millions of governors from one scan at a time: what is kept is the best so far, the alliances' sums, and which
 * ids were counted. Nine bytes a governor and no more, so two million fit into an isolate beside the scan in hand.
 */

const POWER = 1;
const SCORE = 2;
const FULL = 0.85;

/** Which governors were met, with two bits for each: open addressing over exact ids. */
class Met {
  #ids: Float64Array;
  #bits: Uint8Array;
  #count = 0;

  constructor(expected: number) {
    const slots = Math.max(1024, Math.ceil(expected * 1.25));
    this.#ids = new Float64Array(slots);
    this.#bits = new Uint8Array(slots);
  }

  /** Adds bits to those of an id and answers the ones that it had. */
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
    // Fibonacci hashing of all 53 bits, spread over any number of slots.
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

interface Candidate {
  value: number;
  row: GovernorRow;
}

const best = (a: Candidate, b: Candidate): number => b.value - a.value || a.row.governor_id - b.row.governor_id;

/** The best rows so far. Holds twice as many as are wanted, then forgets the lesser half. */
class Top {
  readonly #limit: number;
  #rows: Candidate[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False where a row of that value can no longer be among the best, so that it need not be made. */
  takes(value: number): boolean {
    return value >= this.#least;
  }

  add(value: number, row: GovernorRow): void {
    this.#rows.push({ value, row });
    if (this.#rows.length >= 2 * this.#limit) this.#cut();
  }

  rows(): GovernorRow[] {
    this.#cut();
    return this.#rows.map(({ row }) => row);
  }

  #cut(): void {
    this.#rows.sort(best);
    if (this.#rows.length <= this.#limit) return;
    this.#rows.length = this.#limit;
    this.#least = this.#rows[this.#limit - 1]?.value ?? this.#least;
  }
}

/** The columns that a ranking reads of a scan. */
export function rankedColumns(game: GameId): string[] {
  const { id, name, tag, power, score, deads, hall, tiers } = GAMES[game].roles;
  const named = GAMES[game].columns.some(({ key }) => key === 'alliance_name') ? ['alliance_name'] : [];
  return [id, name, tag, power, score, deads, hall, ...tiers, ...named];
}

interface Alliance {
  kingdom: number;
  tag: string;
  name: string;
  power: number;
  score: number;
  members: number;
}

export interface Rankings {
  counts: Counts;
  byPower: GovernorRow[];
  byScore: GovernorRow[];
  alliancesByPower: AllianceRow[];
  alliancesByScore: AllianceRow[];
}

/** Takes scans newest first, so that each governor counts once, in the kingdom where he was seen last. */
export class Ranker {
  readonly #game: GameId;
  readonly #met: Met;
  readonly #byPower: Top;
  readonly #byScore: Top;
  readonly #alliances = new Map<string, Alliance>();
  /** Of each kingdom the least power that a scan so far has reached down to. */
  readonly #reached = new Map<number, number>();
  #kingdom = 0;
  /** What `#reached` was of the kingdom when the scan was begun. */
  #before = Number.POSITIVE_INFINITY;

  /** `expected` is about how many governors will come: memory is taken for them at once. */
  constructor(game: GameId, expected: number, limit = PUBLISHED_GOVERNORS) {
    this.#game = game;
    this.#met = new Met(expected);
    this.#byPower = new Top(limit);
    this.#byScore = new Top(limit);
  }

  /** The rows that come next are of this kingdom, of a scan of its own. */
  begin(kingdom: number): void {
    this.#kingdom = kingdom;
    this.#before = this.#reached.get(kingdom) ?? Number.POSITIVE_INFINITY;
  }

  /** Adds rows of the scan that was begun, with the columns of `rankedColumns`. */
  add(table: Table): void {
    const kingdom = this.#kingdom;
    const reached = this.#before;
    const { roles } = GAMES[this.#game];
    const ids = numbersOf(table, roles.id);
    const powers = numbersOf(table, roles.power);
    const scores = numbersOf(table, roles.score);
    const rowOf = rowMaker(this.#game, table, kingdom);
    let least = this.#reached.get(kingdom) ?? reached;
    for (let index = 0; index < table.count; index++) {
      const power = powers[index] as number;
      const score = scores[index] as number;
      const id = ids[index] as number;
      if (power < least) least = power;
      // Whom a newer scan that reached further down did not meet has left, or lost too much to say.
      if (power >= reached && !this.#met.has(id)) continue;
      // A scan without profiles ranks by power; the score then comes from an older, full one.
      const bits = Number.isNaN(score) ? POWER : POWER | SCORE;
      const had = this.#met.add(id, bits);
      const newPower = (had & POWER) === 0;
      const newScore = (bits & ~had & SCORE) !== 0;
      if (!newPower && !newScore) continue;
      const wanted = newPower && this.#byPower.takes(power);
      const fights = newScore && score > 0 && this.#byScore.takes(score);
      if (wanted || fights) {
        const row = rowOf(index);
        if (wanted) this.#byPower.add(power, row);
        // The two boards place rows by themselves, so each has its own.
        if (fights) this.#byScore.add(score, wanted ? { ...row } : row);
      }
      this.#addToAlliance(table, kingdom, index, newPower ? power : null, newScore ? score : 0);
    }
    this.#reached.set(kingdom, least);
  }

  /** The finished boards, without ranks and moves. */
  finish(): Rankings {
    const alliances = [...this.#alliances.values()].filter(({ members }) => members > 0);
    return {
      counts: { kingdoms: this.#reached.size, governors: this.#met.count, alliances: alliances.length },
      byPower: this.#byPower.rows(),
      byScore: this.#byScore.rows(),
      alliancesByPower: this.#allianceRows(alliances, 'power'),
      alliancesByScore: this.#allianceRows(
        alliances.filter(({ score }) => score > 0),
        'score',
      ),
    };
  }

  #addToAlliance(table: Table, kingdom: number, index: number, power: number | null, score: number): void {
    const tag = textsOf(table, GAMES[this.#game].roles.tag)[index];
    if (!tag) return;
    const key = `${kingdom}/${tag}`;
    let alliance = this.#alliances.get(key);
    if (!alliance) {
      alliance = { kingdom, tag, name: '', power: 0, score: 0, members: 0 };
      this.#alliances.set(key, alliance);
    }
    alliance.name ||= table.texts.alliance_name?.[index] ?? '';
    alliance.score += score;
    if (power === null) return;
    alliance.power += power;
    alliance.members++;
  }

  #allianceRows(alliances: readonly Alliance[], by: 'power' | 'score'): AllianceRow[] {
    const { score } = GAMES[this.#game].roles;
    return alliances
      .toSorted((a, b) => b[by] - a[by] || a.kingdom - b.kingdom || (a.tag < b.tag ? -1 : 1))
      .map((alliance) => ({
        rank: 0,
        moved: null,
        kingdom_id: alliance.kingdom,
        alliance_tag: alliance.tag,
        alliance_name: alliance.name,
        power: alliance.power,
        [score]: alliance.score,
        member_count: alliance.members,
      }));
  }
}

const cell = (numbers: Numbers, index: number): number | null => {
  const value = numbers[index] as number;
  return Number.isNaN(value) ? null : value;
};

function rowMaker(game: GameId, table: Table, kingdom: number): (index: number) => GovernorRow {
  const { roles } = GAMES[game];
  const names = textsOf(table, roles.name);
  const tags = textsOf(table, roles.tag);
  const numbers = (key: string) => numbersOf(table, key);
  const ids = numbers(roles.id);
  const powers = numbers(roles.power);
  const scores = numbers(roles.score);
  const deads = numbers(roles.deads);
  const halls = numbers(roles.hall);
  const [t1, t2, t3, t4, t5] = roles.tiers.map(numbers) as [Numbers, Numbers, Numbers, Numbers, Numbers];
  return (index) => ({
    rank: 0,
    moved: null,
    kingdom_id: kingdom,
    governor_id: ids[index] as number,
    alliance_tag: tags[index] ?? '',
    name: names[index] ?? '',
    power: powers[index] as number,
    [roles.score]: cell(scores, index),
    cityhall: cell(halls, index),
    deads: cell(deads, index),
    killcount_t1: cell(t1, index),
    killcount_t2: cell(t2, index),
    killcount_t3: cell(t3, index),
    killcount_t4: cell(t4, index),
    killcount_t5: cell(t5, index),
  });
}
