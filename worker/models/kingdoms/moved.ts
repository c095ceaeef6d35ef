import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import type { Strong } from '../../../domain/history/between.ts';
import { knownIn } from '../../../domain/history/present.ts';
import { totalsFrom } from '../../../domain/scans/totals.ts';
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

type Found = Moved & { power: number; count: number; kingdom_id?: number | null };

/** Converts rows to a list with its count. `more` adds fields to each entry. */
const listOf = <More extends object>(
  { results }: D1Result<Found>,
  more: (row: Found) => More,
): MovedList<Moved & More> => ({
  count: results[0]?.count ?? 0,
  governors: results.map((row) => ({ id: row.id, name: row.name, ...more(row) })),
});

type Scanned = WatchedKingdom & { last_scan: number; pair: DayPair | null };

/** The lists of a kingdom found in its packed history: each with its number and the strongest of it. */
interface Lists {
  joined: ListedStrong<Strong>;
  left: ListedStrong<Strong & { kingdom_id?: number }>;
  still: ListedStrong<Strong>;
  gained: Gained;
}

interface ListedStrong<Each extends Strong = Strong> {
  count: number;
  strongest: Each[];
}

const strongestOf = <Each extends Strong>(all: readonly Each[]): ListedStrong<Each> => ({
  count: all.length,
  strongest: all.toSorted((a, b) => b.power - a.power || a.id - b.id).slice(0, NAMES),
});

/** SQL of the governors of a list found in a packed history, with their names. */
const NAMED = `
  SELECT known.governor_id AS id, known.name, one.value ->> 'power' AS power, ?3 AS count,
    one.value ->> 'kingdom_id' AS kingdom_id
  FROM json_each(?2) one CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = one.value ->> 'id'
  ORDER BY one.key`;

function statementsOf(db: Db, { game }: Scanned, lists: Lists | undefined): D1PreparedStatement[] {
  if (!lists) return [];
  const named = ({ count, strongest }: ListedStrong) =>
    db.$client.prepare(NAMED).bind(game, JSON.stringify(strongest), count);
  return [named(lists.joined), named(lists.left), named(lists.still)];
}

/** Builds a kingdom's entry from the results of its statements. */
function movedOf(
  kingdom: Scanned,
  [joined, left, still]: readonly D1Result<Found>[],
  lists: Lists | undefined,
  renamed: ListedStrong<Renamed & Strong>,
): MovedKingdom {
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
    joined: joined ? listOf(joined, () => ({})) : null,
    left: left ? listOf(left, ({ kingdom_id: where = null }) => ({ kingdom_id: where })) : null,
    renamed: {
      count: renamed.count,
      governors: renamed.strongest.map(({ id, name, old_name }) => ({ id, name, old_name })),
    },
    still: still ? listOf(still, () => ({})) : null,
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
  const renaming = db.$client.batch<Renamed>(
    shown.map(({ game, kingdom_id }) => db.$client.prepare(RENAMED).bind(game, kingdom_id, since)),
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
    return [kingdom, { joined: strongestOf(joined), left, gone, still: strongestOf(still), gained }] as const;
  });
  const comparedOf = new Map(packed);
  const wanted: (Asked & { id: number })[] = [];
  for (const kingdom of shown) {
    for (const { id, home } of await renamedIn(kingdom)) wanted.push({ game: kingdom.game, kingdom_id: home, id });
    for (const one of comparedOf.get(kingdom)?.gone ?? []) wanted.push({ ...one, game: kingdom.game });
  }
  await powers.read(db, store, wanted);
  const listsOf = new Map(
    packed.map(([kingdom, { left, gone, ...others }]): [Scanned, Lists] => [
      kingdom,
      { ...others, left: strongestOf([...left, ...gone.map((one) => powers.with(kingdom.game, one))]) },
    ]),
  );
  const statements = shown.map((kingdom) => statementsOf(db, kingdom, listsOf.get(kingdom)));
  const asked = statements.flat();
  const found = asked.length > 0 ? await db.$client.batch<Found>(asked) : [];
  const kingdoms: MovedKingdom[] = [];
  for (const [index, kingdom] of shown.entries()) {
    const renamed = strongestOf((await renamedIn(kingdom)).map((one) => powers.with(kingdom.game, one)));
    const named = found.splice(0, statements[index]?.length ?? 0);
    kingdoms.push(movedOf(kingdom, named, listsOf.get(kingdom), renamed));
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
