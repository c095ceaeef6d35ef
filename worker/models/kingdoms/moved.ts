import type { GameId } from '../../../domain/games/games.ts';
import type { Strong } from '../../../domain/history/between.ts';
import { totalsFrom } from '../../../domain/scans/totals.ts';
import type { Db } from '../../db/open.ts';
import { comparePacked } from './compare-packed.ts';
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

const STRONGEST = `ORDER BY power DESC, id LIMIT ${NAMES}`;

// With a single min(), SQLite takes the other columns from that row, here the name before the first change.
const RENAMED = `
  SELECT id, name, old_name, power, count(*) OVER () AS count FROM (
    SELECT change.governor_id AS id, known.name, change.old_value AS old_name, known.power, min(change.captured_at)
    FROM governor_changes change INDEXED BY governor_changes_kingdom
    CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = change.governor_id
    WHERE change.game = ?1 AND change.kingdom_id = ?2 AND change.field = 'name' AND change.captured_at > ?3
    GROUP BY change.governor_id)
  WHERE old_name <> name ${STRONGEST}`;

/**
 * Returns the kingdom's newest scan paired with the newest one at or before `since`, or a week before it if null, as
 * for monitored kingdoms. Returns null if there is no such pair.
 */
const pairOf = ({ days }: WatchedKingdom, since: number | null): DayPair | null =>
  pairBetween(
    since === null ? weekBefore(days) : days.findLast(({ captured_at }) => captured_at <= since),
    days.at(-1),
  );

type Found = Moved & { power: number; count: number; old_name?: string; kingdom_id?: number | null };

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
  joined: ListedStrong;
  left: ListedStrong;
  still: ListedStrong;
  gained: Gained;
}

interface ListedStrong {
  count: number;
  strongest: (Strong & { kingdom_id?: number })[];
}

const strongestOf = (all: (Strong & { kingdom_id?: number })[]): ListedStrong => ({
  count: all.length,
  strongest: all.sort((a, b) => b.power - a.power || a.id - b.id).slice(0, NAMES),
});

/** SQL of the governors of a list found in a packed history, with their names. */
const NAMED = `
  SELECT known.governor_id AS id, known.name, one.value ->> 'power' AS power, ?3 AS count,
    one.value ->> 'kingdom_id' AS kingdom_id
  FROM json_each(?2) one CROSS JOIN governors known ON known.game = ?1 AND known.governor_id = one.value ->> 'id'
  ORDER BY one.key`;

function statementsOf(
  db: Db,
  { game, kingdom_id }: Scanned,
  since: number,
  lists: Lists | undefined,
): D1PreparedStatement[] {
  const renamed = db.$client.prepare(RENAMED).bind(game, kingdom_id, since);
  if (!lists) return [renamed];
  const named = ({ count, strongest }: ListedStrong) =>
    db.$client.prepare(NAMED).bind(game, JSON.stringify(strongest), count);
  return [renamed, named(lists.joined), named(lists.left), named(lists.still)];
}

/** Builds a kingdom's entry from the results of its statements. */
function movedOf(
  kingdom: Scanned,
  [renamed, joined, left, still]: readonly D1Result<Found>[],
  lists: Lists | undefined,
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
    renamed: renamed ? listOf(renamed, ({ old_name = '' }) => ({ old_name })) : { count: 0, governors: [] },
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
  const pairs = shown.flatMap(({ pair }) => pair ?? []);
  const packed = await comparePacked(
    db,
    store,
    pairs,
    (pair, { joined, left, still, gained }, gone): [DayPair, Lists] => [
      pair,
      { joined: strongestOf(joined), left: strongestOf([...left, ...gone]), still: strongestOf(still), gained },
    ],
  );
  const listsOf = new Map(packed);
  const listsFor = ({ pair }: Scanned) => (pair ? listsOf.get(pair) : undefined);
  const statements = shown.map((kingdom) => statementsOf(db, kingdom, since, listsFor(kingdom)));
  const found = shown.length > 0 ? await db.$client.batch<Found>(statements.flat()) : [];
  const kingdoms = shown.map((kingdom, index) =>
    movedOf(kingdom, found.splice(0, statements[index]?.length ?? 0), listsFor(kingdom)),
  );
  return { kingdoms, more: scanned.length - shown.length };
}
