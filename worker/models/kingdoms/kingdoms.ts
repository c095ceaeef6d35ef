import { addDays, type Day, dayOf } from '../../../domain/days.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Inactive, inactiveSince } from '../../../domain/history/between.ts';
import { POWER_CLASSES, type Totals, totalsFrom } from '../../../domain/scans/totals.ts';
import type { Db } from '../../db/open.ts';
import { kingdomHistory, numberOfDay } from './histories.ts';
import { byFileTime, current, inDoubt, PRESENT, STANDING } from './standing.ts';

/** The data of a kingdom's page: its governors' newest rows and its daily totals. */

const TOP = 15;
const ALLIANCES = 30;
const MOVES = 30;

export interface KingdomDay {
  day: Day;
  total_power: number | null;
  /** Power of the strongest hundred and so on; null if the day's scan has fewer. */
  top100_power: number | null;
  top300_power: number | null;
  top600_power: number | null;
  total_score: number | null;
  player_count: number;
  /** Governors whose score is in the sum. */
  score_count: number;
}

export interface KingdomPlayer {
  id: number;
  name: string;
  alliance_tag: string;
  kingdom_id: number;
  /** Power, by which the page ranks. */
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
  /** The other kingdom: origin or destination. */
  kingdom_id: number;
  power: number;
  time: number;
}

export interface KingdomAlliance {
  tag: string;
  name: string;
  members: number;
  power: number;
  /** Null if no member's score was read. */
  score: number | null;
}

/** A kingdom's newest scan, however many governors it has. */
export interface LastScan {
  captured_at: number;
  player_count: number;
  /** Total power of the strongest `ranks`; null if the scan has fewer than a hundred. */
  top: { ranks: number; power: number } | null;
}

export interface KingdomPage {
  game: GameId;
  kingdom_id: number;
  /** Time of the reference scan, which totals, distribution and alliances describe. */
  captured_at: number;
  totals: Totals;
  last_scan: LastScan;
  inactive_count: number | null;
  chart: KingdomDay[];
  /** Days of the chart, and of `captured_at`, whose scan has only the time of its file for a moment. */
  file_days: Day[];
  players: KingdomPlayer[];
  name_changes: NameChange[];
  alliances: KingdomAlliance[];
  /** Number of governors per power class: at least `from` and less than the next class. Null if not counted. */
  distribution: { from: number; count: number }[] | null;
  inactive: KingdomPlayer[];
  arrived: Move[];
  left: Move[];
}

const PLAYER_NOW = `now.governor_id AS id, now.name, now.alliance_tag, now.kingdom_id`;
const PLAYER = `governor_id AS id, name, alliance_tag, kingdom_id, power AS score, ${current('score')} AS killpoints`;

/** SQL: size of the newest scan and the power of its strongest. */
const LAST_SCAN = `
  SELECT count(*) AS count, sum(CASE WHEN place <= 100 THEN power END) AS top100,
    sum(CASE WHEN place <= 300 THEN power END) AS top300, sum(CASE WHEN place <= 600 THEN power END) AS top600
  FROM (
    SELECT CASE WHEN doubted THEN NULL ELSE power END AS power,
      row_number() OVER (ORDER BY doubted, power DESC) AS place
    FROM (
      SELECT power, ${inDoubt('power')} IS TRUE AS doubted FROM governors
      WHERE game = ?1 AND kingdom_id = ?2 AND captured_at = ?3))`;

/** Days before the reference scan of which the newest scanned one is compared to find inactive governors. */
const INACTIVE_FROM = -14;
const INACTIVE_TO = -7;

/** SQL of the governors without any change, who were found in the history. */
const foundStatement = (db: Db, game: GameId, found: readonly Inactive[]): D1PreparedStatement =>
  db.$client
    .prepare(
      `SELECT ${PLAYER_NOW}, one.value ->> 'power' AS score, one.value ->> 'score' AS killpoints
       FROM json_each(?2) one CROSS JOIN governors now ON now.game = ?1 AND now.governor_id = one.value ->> 'id'
       ORDER BY one.key`,
    )
    .bind(game, JSON.stringify(found));

function statements(db: Db, asked: Asked): D1PreparedStatement[] {
  const { game, id, days, standing, inactive } = asked;
  const sql = db.$client;
  const newest = dayOf(standing.newest);
  const present = [game, id, standing.newest, standing.captured_at];
  return [
    sql
      .prepare(`SELECT day, totals FROM kingdom_days WHERE game = ? AND kingdom_id = ? AND day >= ? ORDER BY day`)
      .bind(game, id, addDays(newest, -days)),
    sql
      .prepare(
        `SELECT day FROM kingdom_days read
         WHERE game = ?1 AND kingdom_id = ?2 AND (day >= ?3 OR day = ?4) AND ${byFileTime('read')} ORDER BY day`,
      )
      .bind(game, id, addDays(newest, -days), standing.day),
    sql
      .prepare(`SELECT ${PLAYER} FROM governors WHERE ${PRESENT} ORDER BY power DESC, governor_id LIMIT ${TOP}`)
      .bind(...present),
    sql
      .prepare(
        `SELECT change.governor_id AS id, change.old_value AS old_name, known.name AS current_name,
           change.captured_at AS time
         FROM governor_changes change INDEXED BY governor_changes_kingdom
         CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
         WHERE change.game = ? AND change.kingdom_id = ? AND change.field = 'name'
         ORDER BY change.captured_at DESC, change.governor_id LIMIT ${TOP}`,
      )
      .bind(game, id),
    sql
      .prepare(`SELECT tag, name, members, power, CASE WHEN read > 0 THEN score END AS score FROM alliances
                WHERE game = ? AND kingdom_id = ? ORDER BY power DESC, tag LIMIT ${ALLIANCES}`)
      .bind(game, id),
    sql.prepare(LAST_SCAN).bind(game, id, standing.newest),
    foundStatement(db, game, inactive),
    moves(db, game, INTO, id),
    // The index stores kingdom ids as text, and D1 would turn a number into '1001.0'.
    moves(db, game, OUT_OF, String(id)),
  ];
}

/** Both directions of migration. Without the name of its index, SQLite may read all changes of the game. */
const INTO = { index: 'governor_changes_kingdom', own: 'kingdom_id', other: 'old_value' };
const OUT_OF = { index: 'governor_changes_left', own: 'old_value', other: 'new_value' };

const moves = (db: Db, game: GameId, { index, own, other }: typeof INTO, id: number | string) =>
  db.$client
    .prepare(
      `SELECT change.governor_id AS id, known.name, CAST(change.${other} AS INTEGER) AS kingdom_id, known.power,
         change.captured_at AS time
       FROM governor_changes change INDEXED BY ${index}
       CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
       WHERE change.game = ?1 AND change.${own} = ?2 AND change.field = 'kingdom_id'
       ORDER BY change.captured_at DESC, known.power DESC, change.governor_id LIMIT ${MOVES}`,
    )
    .bind(game, id);

/** The kingdom's reference scan and the time of its newest scan. */
interface StandingDay {
  newest: number;
  day: Day;
  captured_at: number;
  totals: string;
  inactive: number | null;
  /** The day with which it is compared to find inactive governors; null if none was scanned. */
  week: Day | null;
}

interface Asked {
  game: GameId;
  id: number;
  days: number;
  standing: StandingDay;
  /** From the history. */
  inactive: Inactive[];
}

interface LastSums {
  count: number;
  top100: number | null;
  top300: number | null;
  top600: number | null;
}

/** Returns a kingdom's page for `days` days up to its newest scan, or null if it was never scanned. */
export async function kingdomPage(
  db: Db,
  store: R2Bucket,
  game: GameId,
  id: number,
  days: number,
): Promise<KingdomPage | null> {
  const [standing, known] = await Promise.all([
    db.$client
      .prepare(
        `SELECT *, (SELECT max(day) FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2
           AND day BETWEEN date(standing.day, '${INACTIVE_FROM} days') AND date(standing.day, '${INACTIVE_TO} days')) AS week
         FROM (${STANDING}) standing`,
      )
      .bind(game, id)
      .first<StandingDay>(),
    kingdomHistory(db, store, { game, kingdom_id: id }),
  ]);
  if (!standing) return null;
  const still = standing.week ? inactiveSince(known, standing.captured_at, numberOfDay(standing.week)).inactive : [];
  const [stored, byFile, players, names, alliances, last, inactive, arrived, left] = (await db.$client.batch(
    statements(db, { game, id, days, standing, inactive: still.slice(0, TOP) }),
  )) as [
    D1Result<{ day: Day; totals: string }>,
    D1Result<{ day: Day }>,
    D1Result<KingdomPlayer>,
    D1Result<NameChange>,
    D1Result<KingdomAlliance>,
    D1Result<LastSums>,
    D1Result<KingdomPlayer>,
    D1Result<Move>,
    D1Result<Move>,
  ];
  const totals = totalsFrom(standing.totals);
  return {
    game,
    kingdom_id: id,
    captured_at: standing.captured_at,
    totals,
    last_scan: lastScan(standing.newest, last.results[0]),
    inactive_count: standing.inactive,
    chart: stored.results.map(chartDay),
    file_days: byFile.results.map(({ day }) => day),
    players: players.results,
    name_changes: names.results,
    alliances: alliances.results,
    distribution: totals.distribution?.map((count, place) => ({ from: POWER_CLASSES[place] as number, count })) ?? null,
    inactive: inactive.results,
    arrived: arrived.results,
    left: left.results,
  };
}

function chartDay({ day, totals }: { day: Day; totals: string }): KingdomDay {
  const { power, score, player_count, known } = totalsFrom(totals);
  return {
    day,
    total_power: power.total,
    top100_power: power.top100,
    top300_power: power.top300,
    top600_power: power.top600,
    total_score: score.total,
    player_count,
    score_count: known?.score ?? (score.total === null ? 0 : player_count),
  };
}

function lastScan(captured_at: number, sums: LastSums | undefined): LastScan {
  const count = sums?.count ?? 0;
  const ranks = ([600, 300, 100] as const).find((each) => each <= count);
  const power = ranks === undefined ? null : sums?.[`top${ranks}`];
  return { captured_at, player_count: count, top: ranks === undefined || power == null ? null : { ranks, power } };
}

export interface NearbyKingdom {
  game: GameId;
  kingdom_id: number;
}

/** Returns known kingdoms with the nearest numbers, in both games. */
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

/** True if the kingdom was ever scanned. */
export const kingdomKnown = async (db: Db, game: GameId, id: number): Promise<boolean> =>
  (await db.$client.prepare(`SELECT 1 FROM kingdoms WHERE game = ? AND kingdom_id = ?`).bind(game, id).first()) !==
  null;
