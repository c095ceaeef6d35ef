import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import type { Strong } from '../../../domain/history/between.ts';
import type { History } from '../../../domain/history/history.ts';
import { knownIn, stateIn } from '../../../domain/history/present.ts';
import { totalsFrom } from '../../../domain/scans/totals.ts';
import { batchDirectories } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { comparePacked } from './compare-packed.ts';
import type { Asked } from './directory.ts';
import { powersOf } from './histories.ts';
import { type DayPair, type Gained, gainedFrom, pairBetween, type WatchedKingdom, weekBefore } from './monitored.ts';

/** Changes in a user's kingdoms since a time: power, governors who joined, left, were renamed or stand still. */

/** Maximum number of kingdoms listed, and of governors listed per change. The rest are only counted. */
const KINGDOMS = 10;
const NAMES = 5;

export interface Moved {
  id: number;
  name: string;
}

/** Their number and the strongest of them. */
export interface MovedList<Named extends Moved = Moved> {
  count: number;
  governors: Named[];
}

export interface MovedKingdom {
  game: GameId;
  kingdom_id: number;
  last_scan: number;
  /** Time of the scan compared with; null if the two cannot be compared. */
  before: number | null;
  compared: number | null;
  power: number | null;
  score: number | null;
  power_change: number | null;
  score_change: number | null;
  joined: MovedList | null;
  /** Includes the kingdom in which each was seen since; null if in none. */
  left: MovedList<Moved & { kingdom_id: number | null }> | null;
  renamed: MovedList<Moved & { old_name: string }>;
  /** Governors with no changed figure. */
  still: MovedList | null;
}

// With a single min(), SQLite takes the other columns from that row, here the name before the first change.
const RENAMED = `
  SELECT id, name, old_name, home FROM (
    SELECT change.governor_id AS id, known.name, change.old_value AS old_name, known.kingdom_id AS home,
      min(change.captured_at)
    FROM governor_changes change INDEXED BY governor_changes_kingdom
    CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = change.governor_id
    WHERE change.game = ?1 AND change.kingdom_id = ?2 AND change.field = 'name' AND change.captured_at > ?3
    GROUP BY change.governor_id)
  WHERE old_name <> name`;

/** `home` is where the governor is known now. */
interface Renamed extends Moved {
  old_name: string;
  home: number;
}

/**
 * Returns the kingdom's newest scan paired with the newest one at or before `since`, or a week before it if null, as
 * for monitored kingdoms. Returns null if there is no such pair.
 */
const pairOf = ({ days }: WatchedKingdom, since: number | null): DayPair | null =>
  pairBetween(
    since === null ? weekBefore(days) : days.findLast(({ captured_at }) => captured_at <= since),
    days.at(-1),
  );

type Scanned = WatchedKingdom & { last_scan: number; pair: DayPair | null };

/** The lists of a kingdom found in its packed history: each with its number and the strongest of it. */
interface Lists {
  joined: ListedStrong<Named>;
  left: ListedStrong<Named & { kingdom_id?: number }>;
  still: ListedStrong<Named>;
  gained: Gained;
}

type Named = Moved & Strong;

interface ListedStrong<Each extends Strong = Strong> {
  count: number;
  strongest: Each[];
}

const strongestOf = <Each extends Strong>(all: readonly Each[]): ListedStrong<Each> => ({
  count: all.length,
  strongest: all.toSorted((a, b) => b.power - a.power || a.id - b.id).slice(0, NAMES),
});

/** Lists governors of a kingdom with the names that its history knows. */
function namedIn(history: History, all: readonly Strong[]): ListedStrong<Named> {
  const nameOf = (id: number): string => {
    const known = knownIn({ history }, id);
    return known ? stateIn({ history }, known).name : '';
  };
  const { count, strongest } = strongestOf(all);
  return { count, strongest: strongest.map((one) => ({ ...one, name: nameOf(one.id) })) };
}

/** Adds those who are known in another kingdom now to those who are seen nowhere. */
const withGone = (left: ListedStrong<Named>, gone: readonly (Named & { kingdom_id: number })[]): Lists['left'] => ({
  count: left.count + gone.length,
  strongest: strongestOf<Lists['left']['strongest'][number]>([...left.strongest, ...gone]).strongest,
});

/** Converts a list to its answer. `more` adds fields to each entry. */
const listOf = <Each extends Named, More extends object>(
  { count, strongest }: ListedStrong<Each>,
  more: (one: Each) => More,
): MovedList<Moved & More> => ({
  count,
  governors: strongest.map((one) => ({ id: one.id, name: one.name, ...more(one) })),
});

/** Builds a kingdom's entry. `lists` is undefined if two scans of it cannot be compared. */
function movedOf(kingdom: Scanned, lists: Lists | undefined, renamed: ListedStrong<Renamed & Strong>): MovedKingdom {
  const { game, kingdom_id, last_scan, days, pair } = kingdom;
  const last = days.at(-1);
  const totals = last && totalsFrom(last.totals);
  return {
    game,
    kingdom_id,
    last_scan,
    before: pair?.since ?? null,
    power: totals?.power.total ?? null,
    score: totals?.score.total ?? null,
    ...gainedFrom(lists?.gained),
    joined: lists ? listOf(lists.joined, () => ({})) : null,
    left: lists ? listOf(lists.left, ({ kingdom_id: where = null }) => ({ kingdom_id: where })) : null,
    renamed: listOf(renamed, ({ old_name }) => ({ old_name })),
    still: lists ? listOf(lists.still, () => ({})) : null,
  };
}

/**
 * Returns those of the monitored kingdoms that were scanned since `since`, most recent first, and how many more there
 * are. If `isWeek`, each is compared with a week before its last scan instead of with the scan at `since`.
 */
export async function movedKingdoms(
  db: Db,
  store: R2Bucket,
  watched: readonly WatchedKingdom[],
  since: number,
  isWeek = false,
): Promise<{ kingdoms: MovedKingdom[]; more: number }> {
  const scanned = watched
    .flatMap((kingdom): Scanned[] => {
      const { last_scan } = kingdom;
      return last_scan !== null && last_scan > since
        ? [{ ...kingdom, last_scan, pair: pairOf(kingdom, isWeek ? null : since) }]
        : [];
    })
    .toSorted((one, other) => other.last_scan - one.last_scan);
  const shown = scanned.slice(0, KINGDOMS);
  if (shown.length === 0) return { kingdoms: [], more: 0 };
  const renaming = batchDirectories<Renamed>(
    db,
    shown.map(({ game, kingdom_id }) => ({ game, sql: RENAMED, values: [game, kingdom_id, since] })),
  );
  // The histories are read meanwhile.
  renaming.catch(() => undefined);
  const renamedIn = async (kingdom: Scanned) => (await renaming)[shown.indexOf(kingdom)]?.results ?? [];
  const powers = new Powers();
  const pairs = shown.flatMap((kingdom) => (kingdom.pair ? [{ ...kingdom.pair, kingdom }] : []));
  const packed = await comparePacked(db, store, pairs, async ({ kingdom }, compared, gone, history) => {
    const here = (await renamedIn(kingdom)).filter(({ home }) => home === kingdom.kingdom_id);
    for (const { id } of here) powers.note(kingdom.game, id, knownIn({ history }, id)?.power ?? 0);
    const { joined, left, still, gained } = compared;
    const [came, went, stands] = [namedIn(history, joined), namedIn(history, left), namedIn(history, still)];
    return [kingdom, { joined: came, left: went, still: stands, gone, gained }] as const;
  });
  const comparedOf = new Map(packed);
  const wanted: (Asked & { id: number })[] = [];
  for (const kingdom of shown) {
    for (const { id, home } of await renamedIn(kingdom)) wanted.push({ game: kingdom.game, kingdom_id: home, id });
    for (const one of comparedOf.get(kingdom)?.gone ?? []) wanted.push({ ...one, game: kingdom.game });
  }
  await powers.read(db, store, wanted);
  const kingdoms: MovedKingdom[] = [];
  for (const kingdom of shown) {
    const renamed = strongestOf((await renamedIn(kingdom)).map((one) => powers.with(kingdom.game, one)));
    const compared = comparedOf.get(kingdom);
    const gone = compared?.gone.map((one) => powers.with(kingdom.game, one)) ?? [];
    kingdoms.push(movedOf(kingdom, compared && { ...compared, left: withGone(compared.left, gone) }, renamed));
  }
  return { kingdoms, more: scanned.length - shown.length };
}

/** The newest power of governors of both games. */
class Powers {
  readonly #known = new Map(GAME_IDS.map((game) => [game, new Map<number, number>()]));

  note(game: GameId, id: number, power: number): void {
    this.#known.get(game)?.set(id, power);
  }

  with<One extends { id: number }>(game: GameId, one: One): One & Strong {
    return { ...one, power: this.#known.get(game)?.get(one.id) ?? 0 };
  }

  /** Reads those that are not known yet, each kingdom once. */
  async read(db: Db, store: R2Bucket, wanted: readonly (Asked & { id: number })[]): Promise<void> {
    for (const [game, known] of this.#known) {
      const others = wanted.filter((one) => one.game === game && !known.has(one.id));
      for (const [id, power] of await powersOf(db, store, game, others)) known.set(id, power);
    }
  }
}
