import { DAY_MS, dayOf } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { commonDepth, type Totals, totalsFrom } from '../../../domain/scans/totals.ts';
import type { Db } from '../../db/open.ts';
import { comparePacked } from './compare-packed.ts';

const MONITORED_DAYS = 30;
const MAX_MONITORED = 200;

const NAMED = `coalesce(entry.value -> 'params' -> 'kingdoms', entry.value -> 'params' -> 'servers')`;
/** Schedules of earlier versions stored lists as sent, sometimes as comma-separated text. */
const LISTED = `CASE json_type(${NAMED}) WHEN 'text'
  THEN '["' || replace(json_extract(${NAMED}, '$'), ',', '","') || '"]' ELSE ${NAMED} END`;

/**
 * SQL of the kingdoms that a user (`?1`) monitors: those with an active schedule and those scanned for the user since
 * `?2`. With a single max(), SQLite takes the other columns from that row, here the newest order's item.
 */
const WATCHED = `
  SELECT game, kingdom_id, max(placed_at) AS placed_at, max(item_id) AS item_id, min(next_at) AS next_at FROM (
    SELECT items.game, items.kingdom_id, max(orders.placed_at) AS placed_at, items.id AS item_id, NULL AS next_at
    FROM orders JOIN items ON items.order_id = orders.id
    WHERE orders.user_id = ?1 AND orders.placed_at >= ?2 AND items.snapshot_id IS NOT NULL AND items.subtask_count > 0
    GROUP BY items.game, items.kingdom_id
    UNION ALL
    SELECT CASE WHEN entry.value ->> 'type' LIKE 'cod-%' THEN 'cod' ELSE 'rok' END,
      CAST(kingdom.value AS INTEGER), NULL, NULL, schedules.next_at
    FROM schedules, json_each(schedules.entries) entry, json_each(${LISTED}) kingdom
    WHERE schedules.user_id = ?1 AND schedules.state = 'active')
  GROUP BY game, kingdom_id`;

export interface MonitoredKingdom {
  game: GameId;
  kingdom_id: number;
  /** Time of the newest scan, whoever ordered it (epoch ms); null before the first. */
  last_scan: number | null;
  next_run: number | null;
  /** Item of the user's own newest scan with results; null if none in the last 30 days. */
  item_id: string | null;
  /** From the reference scan: a later scan with fewer than half as many governors does not count. */
  power: number | null;
  score: number | null;
  /** Time and number of governors of the reference scan; null before the first. */
  scanned_at: number | null;
  player_count: number | null;
  /** Time of the scan compared with: at least a week earlier. Null if there is none. */
  before: number | null;
  /** Number of governors in both scans, whose gains are summed below; null if none. */
  compared: number | null;
  power_change: number | null;
  score_change: number | null;
  joined: number | null;
  left: number | null;
  /** Power of the same number of strongest governors on each scanned day of the last 30, oldest first. */
  line: { day: string; power: number }[];
}

/** True if the user monitors this kingdom. */
export async function isMonitored(
  db: Db,
  userId: string,
  game: GameId,
  kingdom: number,
  now = Date.now(),
): Promise<boolean> {
  const row = await db.$client
    .prepare(`SELECT 1 AS found FROM (${WATCHED}) WHERE game = ?3 AND kingdom_id = ?4`)
    .bind(userId, now - MONITORED_DAYS * DAY_MS, game, kingdom)
    .first();
  return row !== null;
}

interface Watched {
  game: GameId;
  kingdom_id: number;
  item_id: string | null;
  next_at: number | null;
  last_scan: number | null;
}

export interface ScannedDay {
  game: GameId;
  kingdom_id: number;
  day: string;
  captured_at: number;
  totals: string;
}

/** A monitored kingdom with its scanned days, oldest first, up to the reference scan. */
export interface WatchedKingdom extends Watched {
  days: ScannedDay[];
}

/**
 * Returns a user's monitored kingdoms with their scanned days of the last 30. Scheduled ones come first, then the most
 * recently ordered.
 */
export async function watchedKingdoms(db: Db, userId: string, now: number): Promise<WatchedKingdom[]> {
  const from = now - MONITORED_DAYS * DAY_MS;
  const first = `${WATCHED} ORDER BY next_at IS NULL, placed_at DESC, game DESC, kingdom_id LIMIT ${MAX_MONITORED}`;
  const [found, scanned] = await db.$client.batch([
    db.$client
      .prepare(
        `SELECT watched.*, kingdoms.captured_at AS last_scan FROM (${first}) watched
         LEFT JOIN kingdoms USING (game, kingdom_id)
         ORDER BY next_at IS NULL, placed_at DESC, game DESC, kingdom_id`,
      )
      .bind(userId, from),
    db.$client
      .prepare(
        `SELECT game, kingdom_id, day, captured_at, totals FROM kingdom_days
         WHERE (game, kingdom_id) IN (SELECT game, kingdom_id FROM (${first})) AND day >= ?3
         ORDER BY day`,
      )
      .bind(userId, from, dayOf(from)),
  ]);
  const [watched, days] = [found?.results as Watched[], scanned?.results as ScannedDay[]];
  const daysOf = Map.groupBy(days, ({ game, kingdom_id }) => `${game} ${kingdom_id}`);
  return watched.map((each) => ({
    ...each,
    days: upToStanding(daysOf.get(`${each.game} ${each.kingdom_id}`) ?? []),
  }));
}

/** Returns a user's monitored kingdoms with changes since a week before their last scan. */
export async function monitoredKingdoms(
  db: Db,
  store: R2Bucket,
  userId: string,
  now = Date.now(),
): Promise<MonitoredKingdom[]> {
  const lines = await watchedKingdoms(db, userId, now);
  const moves = await movesOf(
    db,
    store,
    lines.flatMap(({ days: all }) => pairBetween(weekBefore(all), all.at(-1)) ?? []),
  );
  return lines.map(({ game, kingdom_id, item_id, next_at, last_scan, days: all }) => {
    const totals = all.map(({ totals: json }) => totalsFrom(json));
    const week = weekBefore(all);
    const last = totals.at(-1);
    const move = moves.get(`${game} ${kingdom_id}`);
    return {
      game,
      kingdom_id,
      item_id,
      next_run: next_at,
      last_scan,
      power: last?.power.total ?? null,
      score: last?.score.total ?? null,
      scanned_at: all.at(-1)?.captured_at ?? null,
      player_count: last?.player_count ?? null,
      before: week?.captured_at ?? null,
      ...(move?.gained ?? NOTHING_GAINED),
      joined: move?.joined ?? null,
      left: move?.left ?? null,
      line: lineOf(all, totals),
    };
  });
}

/** Drops the days after the reference scan, which is the newest with at least half as many governors as the deepest. */
function upToStanding(days: readonly ScannedDay[]): ScannedDay[] {
  const counts = days.map(({ totals }) => totalsFrom(totals).player_count);
  const most = Math.max(...counts);
  return days.slice(0, counts.findLastIndex((count) => 2 * count >= most) + 1);
}

/** Returns power over days at a common depth. Days of unequal depth would show ordering habits, not the kingdom. */
function lineOf(days: readonly ScannedDay[], totals: readonly Totals[]): MonitoredKingdom['line'] {
  const depth = totals.length > 0 ? commonDepth(totals.map(({ player_count }) => player_count)) : null;
  if (!depth) return [];
  return days.flatMap(({ day }, index) => {
    const power = totals[index]?.power[depth.sum] ?? null;
    return power === null ? [] : [{ day, power }];
  });
}

/** Returns the newest day about a week (at least 6.5 days) before the last one, or undefined. */
export function weekBefore(days: readonly ScannedDay[]): ScannedDay | undefined {
  const last = days.at(-1);
  return last && days.findLast(({ captured_at }) => captured_at <= last.captured_at - 6.5 * DAY_MS);
}

/** Pairs two scanned days of a kingdom as SQL parameters. Returns null if one is missing. */
export function pairBetween(first: ScannedDay | undefined, last: ScannedDay | undefined) {
  if (!first || !last || first === last) return null;
  const [then, now] = [first, last].map(({ totals }) => totalsFrom(totals).player_count) as [number, number];
  return {
    game: last.game,
    kingdom_id: last.kingdom_id,
    from: first.day,
    since: first.captured_at,
    to: last.day,
    ranks: Math.min(then, now),
    shallow_then: Number(then < now),
    shallow_now: Number(now < then),
  };
}

export type DayPair = NonNullable<ReturnType<typeof pairBetween>>;

/** Gains of the governors in both scans of a pair. */
export type Gained = Pick<MonitoredKingdom, 'compared' | 'power_change' | 'score_change'>;

export const NOTHING_GAINED: Gained = { compared: null, power_change: null, score_change: null };

interface Move {
  joined: number;
  left: number;
  gained: Gained;
}

async function movesOf(db: Db, store: R2Bucket, pairs: readonly DayPair[]): Promise<Map<string, Move>> {
  const compared = await comparePacked(db, store, pairs, ({ game, kingdom_id }, { joined, left, gained }, gone) => {
    const move = { joined: joined.length, left: left.length + gone.length, gained: gainedFrom(gained) };
    return [`${game} ${kingdom_id}`, move] as const;
  });
  return new Map(compared);
}

/** Returns unknown gains if no governor is in both scans. */
export const gainedFrom = (gained: Gained | undefined): Gained =>
  gained && (gained.compared ?? 0) > 0 ? gained : NOTHING_GAINED;
