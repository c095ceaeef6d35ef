import { addDays, DAY_MS, type Day, dayOf } from '../../../domain/days.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import type { Totals } from '../../../domain/scans/totals.ts';
import type { Db } from '../../db/open.ts';

/** A kingdom's page, from the newest rows of its governors and its totals of each day. */

const TOP = 15;
const ALLIANCES = 30;
const MOVES = 30;

export interface KingdomDay {
  day: Day;
  total_power: number;
  top300_power: number;
  top600_power: number;
  total_score: number;
  player_count: number;
}

/** Lower ends of the classes of power in a distribution. */
const CLASSES = [0, 5e6, 10e6, 20e6, 30e6, 45e6, 60e6, 80e6, 100e6, 150e6] as const;

export interface KingdomPlayer {
  id: number;
  name: string;
  alliance_tag: string;
  kingdom_id: number;
  /** Power: what the page ranks by. */
  score: number;
  killpoints: number | null;
}

export interface NameChange {
  id: number;
  old_name: string;
  current_name: string;
  time: number;
}

export interface Move {
  id: number;
  name: string;
  /** Where from, or where to. */
  kingdom_id: number;
  power: number;
  time: number;
}

export interface KingdomAlliance {
  tag: string;
  name: string;
  members: number;
  power: number;
  score: number;
}

export interface KingdomPage {
  game: GameId;
  kingdom_id: number;
  captured_at: number;
  totals: Totals;
  inactive_count: number | null;
  chart: KingdomDay[];
  players: KingdomPlayer[];
  name_changes: NameChange[];
  alliances: KingdomAlliance[];
  /** How many governors have at least `from` power and less than the next class. */
  distribution: { from: number; count: number }[];
  inactive: KingdomPlayer[];
  arrived: Move[];
  left: Move[];
}

/** How old a scan may be that still tells who is there. */
export const PRESENT_DAYS = 30;

/**
 * Governors who are in the kingdom as far as is known: those of the newest scan (?3), and below its last one those of
 * scans since ?4. Who was mightier than that last one and is not in it has left, or lost too much to say.
 */
export const PRESENT = `game = ?1 AND kingdom_id = ?2 AND captured_at > ?4 AND (captured_at = ?3 OR power < (
  SELECT min(power) FROM governors WHERE game = ?1 AND kingdom_id = ?2 AND captured_at = ?3))`;

const PLAYER = `governor_id AS id, name, alliance_tag, kingdom_id, power AS score, score AS killpoints`;

function statements(db: Db, game: GameId, id: number, captured_at: number, days: number): D1PreparedStatement[] {
  const sql = db.$client;
  const newest = dayOf(captured_at);
  const seen = captured_at - PRESENT_DAYS * DAY_MS;
  return [
    sql
      .prepare(`SELECT day, captured_at, totals, inactive FROM kingdom_days
                WHERE game = ? AND kingdom_id = ? AND day >= ? ORDER BY day`)
      .bind(game, id, addDays(newest, -days)),
    sql
      .prepare(`SELECT ${PLAYER} FROM governors WHERE ${PRESENT} ORDER BY power DESC LIMIT ${TOP}`)
      .bind(game, id, captured_at, seen),
    sql
      .prepare(
        `SELECT change.governor_id AS id, change.old_value AS old_name, known.name AS current_name,
           change.captured_at AS time
         FROM governor_changes change JOIN governors known ON known.game = change.game
           AND known.governor_id = change.governor_id
         WHERE change.game = ? AND change.kingdom_id = ? AND change.field = 'name'
         ORDER BY change.captured_at DESC, change.governor_id LIMIT ${TOP}`,
      )
      .bind(game, id),
    sql
      .prepare(`SELECT tag, name, members, power, score FROM alliances WHERE game = ? AND kingdom_id = ?
                ORDER BY power DESC LIMIT ${ALLIANCES}`)
      .bind(game, id),
    sql
      .prepare(`SELECT ${CLASSES.map((from) => `sum(power >= ${from}) AS "${from}"`).join(', ')} FROM governors
                WHERE ${PRESENT}`)
      .bind(game, id, captured_at, seen),
    sql
      .prepare(
        `SELECT now.governor_id AS id, now.name, now.alliance_tag, now.kingdom_id, now.power AS score,
           now.score AS killpoints
         FROM governors now JOIN governor_days before ON before.game = now.game
           AND before.governor_id = now.governor_id AND before.day = (
             SELECT max(day) FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2 AND day BETWEEN ?4 AND ?5)
         WHERE now.game = ?1 AND now.kingdom_id = ?2 AND now.captured_at = ?3
           AND now.power = before.power AND now.score IS before.score AND now.deads IS before.deads
         ORDER BY now.power DESC LIMIT ${TOP}`,
      )
      .bind(game, id, captured_at, addDays(newest, -14), addDays(newest, -7)),
    moves(db, game, `change.kingdom_id = ?2`, 'old_value', id),
    // The index holds it as text, and D1 would make '1001.0' of a number.
    moves(db, game, `change.old_value = ?2`, 'new_value', String(id)),
  ];
}

const moves = (db: Db, game: GameId, which: string, other: 'old_value' | 'new_value', id: number | string) =>
  db.$client
    .prepare(
      `SELECT change.governor_id AS id, known.name, CAST(change.${other} AS INTEGER) AS kingdom_id, known.power,
         change.captured_at AS time
       FROM governor_changes change JOIN governors known ON known.game = change.game
         AND known.governor_id = change.governor_id
       WHERE change.game = ?1 AND ${which} AND change.field = 'kingdom_id'
       ORDER BY change.captured_at DESC, known.power DESC LIMIT ${MOVES}`,
    )
    .bind(game, id);

interface StoredDay {
  day: Day;
  captured_at: number;
  totals: string;
  inactive: number | null;
}

/** Everything of a kingdom's page, of the days asked for up to its newest scan; null where it was never scanned. */
export async function kingdomPage(db: Db, game: GameId, id: number, days: number): Promise<KingdomPage | null> {
  const known = await db.$client
    .prepare(`SELECT captured_at FROM kingdoms WHERE game = ? AND kingdom_id = ?`)
    .bind(game, id)
    .first<{ captured_at: number }>();
  if (!known) return null;
  const [stored, players, names, alliances, classes, inactive, arrived, left] = (await db.$client.batch(
    statements(db, game, id, known.captured_at, days),
  )) as [
    D1Result<StoredDay>,
    D1Result<KingdomPlayer>,
    D1Result<NameChange>,
    D1Result<KingdomAlliance>,
    D1Result<Record<string, number | null>>,
    D1Result<KingdomPlayer>,
    D1Result<Move>,
    D1Result<Move>,
  ];
  const newest = stored.results.at(-1);
  if (!newest) return null;
  return {
    game,
    kingdom_id: id,
    captured_at: newest.captured_at,
    totals: JSON.parse(newest.totals) as Totals,
    inactive_count: newest.inactive,
    chart: stored.results.map(chartDay),
    players: players.results,
    name_changes: names.results,
    alliances: alliances.results,
    distribution: distributionOf(classes.results[0] ?? {}),
    inactive: inactive.results,
    arrived: arrived.results,
    left: left.results,
  };
}

function chartDay({ day, totals }: StoredDay): KingdomDay {
  const { power, score, player_count } = JSON.parse(totals) as Totals;
  return {
    day,
    total_power: power.total,
    top300_power: power.top300,
    top600_power: power.top600,
    total_score: score.total,
    player_count,
  };
}

/** From how many are in a class or above it to how many are in it. */
function distributionOf(atLeast: Record<string, number | null>): { from: number; count: number }[] {
  const counts = CLASSES.map((from) => atLeast[from] ?? 0);
  return CLASSES.map((from, index) => ({ from, count: (counts[index] ?? 0) - (counts[index + 1] ?? 0) }));
}

export interface NearbyKingdom {
  game: GameId;
  kingdom_id: number;
}

/** Known kingdoms with the nearest numbers, in both games. */
export async function kingdomsNear(db: Db, id: number): Promise<NearbyKingdom[]> {
  const statement = (game: string, comparison: '>=' | '<', order: 'ASC' | 'DESC') =>
    db.$client
      .prepare(`SELECT game, kingdom_id FROM kingdoms WHERE game = ? AND kingdom_id ${comparison} ?
                ORDER BY kingdom_id ${order} LIMIT 3`)
      .bind(game, id);
  const found = await db.$client.batch<NearbyKingdom>(
    Object.keys(GAMES).flatMap((game) => [statement(game, '>=', 'ASC'), statement(game, '<', 'DESC')]),
  );
  return found
    .flatMap(({ results }) => results)
    .sort((a, b) => Math.abs(a.kingdom_id - id) - Math.abs(b.kingdom_id - id))
    .slice(0, 6);
}

/** True where the kingdom was ever scanned. */
export const kingdomKnown = async (db: Db, game: GameId, id: number): Promise<boolean> =>
  (await db.$client.prepare(`SELECT 1 FROM kingdoms WHERE game = ? AND kingdom_id = ?`).bind(game, id).first()) !==
  null;
