import type { Day } from '../../../domain/days.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { inactiveSince, type KingdomHistory } from '../../../domain/history/between.ts';
import {
  currentFigure,
  isInDoubt,
  type Known,
  knownIn,
  knownSince,
  presentIn,
  stateIn,
} from '../../../domain/history/present.ts';
import { POWER_CLASSES, type Totals, totalsFrom } from '../../../domain/scans/totals.ts';
import { readBoth } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { together } from '../../isolate/at-once.ts';
import { kingdomHistory, newestFirst, numberOfDay, powersOf } from './histories.ts';
import { byFileTime, STANDING } from './standing.ts';

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
  /** Null if no history has the governor. */
  power: number | null;
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

/** Days before the reference scan of which the newest scanned one is compared to find inactive governors. */
const INACTIVE_FROM = -14;
const INACTIVE_TO = -7;

/** SQL of the alliances in the reference scan. */
const ALLIANCE_LIST = `
  SELECT value ->> 'tag' AS tag, value ->> 'name' AS name, value ->> 'members' AS members, value ->> 'power' AS power,
    CASE WHEN value ->> 'read' > 0 THEN value ->> 'score' END AS score
  FROM (${STANDING}) standing, json_each(coalesce(standing.alliances, '[]'))
  ORDER BY power DESC, tag LIMIT ${ALLIANCES}`;

function statements(db: Db, { game, id, days }: Asked): D1PreparedStatement[] {
  const sql = db.$client;
  // Days up to the newest scan.
  const from = `(SELECT date(captured_at / 1000, 'unixepoch', '-' || ?3 || ' days') FROM kingdoms
    WHERE game = ?1 AND kingdom_id = ?2)`;
  return [
    sql
      .prepare(
        `SELECT *, (SELECT max(day) FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2
           AND day BETWEEN date(standing.day, '${INACTIVE_FROM} days') AND date(standing.day, '${INACTIVE_TO} days')) AS week
         FROM (${STANDING}) standing`,
      )
      .bind(game, id),
    sql
      .prepare(
        `SELECT day, totals FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2 AND day >= ${from} ORDER BY day`,
      )
      .bind(game, id, days),
    sql
      .prepare(
        `SELECT day FROM kingdom_days read
         WHERE game = ?1 AND kingdom_id = ?2 AND (day >= ${from} OR day = (SELECT day FROM (${STANDING})))
           AND ${byFileTime('read')} ORDER BY day`,
      )
      .bind(game, id, days),
    sql.prepare(ALLIANCE_LIST).bind(game, id),
  ];
}

/** Returns the statements for changes of name and for moves. */
const listedStatements = (db: Db, { game, id }: Asked): D1PreparedStatement[] => [
  db
    .directory(game)
    .prepare(
      `SELECT change.governor_id AS id, change.old_value AS old_name, known.name AS current_name,
         change.captured_at AS time
       FROM governor_changes change INDEXED BY governor_changes_kingdom
       CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
       WHERE change.game = ? AND change.kingdom_id = ? AND change.field = 'name'
       ORDER BY change.captured_at DESC, change.governor_id LIMIT ${TOP}`,
    )
    .bind(game, id),
  moves(db, game, INTO, id),
  // The index stores kingdom ids as text, and D1 would turn a number into '1001.0'.
  moves(db, game, OUT_OF, String(id)),
];

/** Both directions of migration. Without the name of its index, SQLite may read all changes of the game. */
const INTO = { index: 'governor_changes_kingdom', own: 'kingdom_id', other: 'old_value' };
const OUT_OF = { index: 'governor_changes_left', own: 'old_value', other: 'new_value' };

/** A migration as the directory has it. `home` is where the governor is known now. */
type FoundMove = Omit<Move, 'power'> & { home: number };

/** Returns the statement for the newest moves, with all of the last one's moment: the strongest of them are listed. */
const moves = (db: Db, game: GameId, { index, own, other }: typeof INTO, id: number | string) => {
  const passed = `governor_changes change INDEXED BY ${index}
    WHERE change.game = ?1 AND change.${own} = ?2 AND change.field = 'kingdom_id'`;
  return db
    .directory(game)
    .prepare(
      `SELECT change.governor_id AS id, known.name, CAST(change.${other} AS INTEGER) AS kingdom_id,
         known.kingdom_id AS home, change.captured_at AS time
       FROM governor_changes change INDEXED BY ${index}
       CROSS JOIN governors known ON known.game = change.game AND known.governor_id = change.governor_id
       WHERE change.game = ?1 AND change.${own} = ?2 AND change.field = 'kingdom_id' AND change.captured_at >= coalesce((
         SELECT change.captured_at FROM ${passed} ORDER BY change.captured_at DESC LIMIT 1 OFFSET ${MOVES - 1}), 0)`,
    )
    .bind(game, id);
};

/** Returns the newest moves; of those at the same time the strongest governors come first. */
const movesOf = (found: readonly FoundMove[], powers: ReadonlyMap<number, number>): Move[] =>
  found
    .map(({ id, name, kingdom_id, time }) => ({ id, name, kingdom_id, power: powers.get(id) ?? null, time }))
    .sort(newestFirst)
    .slice(0, MOVES);

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
}

const playerOf = (kingdom: KingdomHistory, known: Known): KingdomPlayer => {
  const state = stateIn(kingdom, known);
  const { name, alliance_tag } = state;
  const { kingdom_id } = kingdom;
  const killpoints = currentFigure(known, state, 'score');
  return { id: known.id, name, alliance_tag, kingdom_id, score: known.power, killpoints };
};

/** Returns a kingdom's page for `days` days up to its newest scan, or null if none is kept. */
export async function kingdomPage(
  db: Db,
  store: R2Bucket,
  game: GameId,
  id: number,
  days: number,
): Promise<KingdomPage | null> {
  const asked = { game, id, days };
  const [[listed, found], known] = await together([
    readBoth(db, game, listedStatements(db, asked), statements(db, asked)),
    kingdomHistory(db, store, { game, kingdom_id: id }),
  ]);
  const [names, arrived, left] = listed as [D1Result<NameChange>, D1Result<FoundMove>, D1Result<FoundMove>];
  const [standings, stored, byFile, alliances] = found as [
    D1Result<StandingDay>,
    D1Result<{ day: Day; totals: string }>,
    D1Result<{ day: Day }>,
    D1Result<KingdomAlliance>,
  ];
  const [standing] = standings.results;
  if (!standing) return null;
  const moved = [...arrived.results, ...left.results].map(({ id: governor, home }) => ({
    id: governor,
    kingdom_id: home,
  }));
  const powers = await powersOf(db, store, game, moved, new Map([[id, known.history]]));
  const still = standing.week ? inactiveSince(known, standing.captured_at, numberOfDay(standing.week)).inactive : [];
  const present = presentIn(known, { newest: standing.newest, standing: standing.captured_at });
  const totals = totalsFrom(standing.totals);
  return {
    game,
    kingdom_id: id,
    captured_at: standing.captured_at,
    totals,
    last_scan: lastScan(standing.newest, known),
    inactive_count: standing.inactive,
    chart: stored.results.map(chartDay),
    file_days: byFile.results.map(({ day }) => day),
    players: present.slice(0, TOP).map((player) => playerOf(known, player)),
    name_changes: names.results,
    alliances: alliances.results,
    distribution: totals.distribution?.map((count, place) => ({ from: POWER_CLASSES[place] as number, count })) ?? null,
    inactive: still.slice(0, TOP).map((one) => {
      const player = playerOf(known, knownIn(known, one.id) as Known);
      return { ...player, score: one.power, killpoints: one.score };
    }),
    arrived: movesOf(arrived.results, powers),
    left: movesOf(left.results, powers),
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

/** Returns the size of the newest scan and the power of its strongest; figures in doubt do not count. */
function lastScan(newest: number, kingdom: KingdomHistory): LastScan {
  const last = knownSince(kingdom, newest).filter(({ captured_at }) => captured_at === newest);
  const ranks = ([600, 300, 100] as const).find((each) => each <= last.length);
  const powers = last.flatMap((known) => (isInDoubt(known, 'power') ? [] : [known.power])).sort((a, b) => b - a);
  const sum = powers.slice(0, ranks).reduce((total, power) => total + power, 0);
  const top = ranks === undefined || powers.length === 0 ? null : { ranks, power: sum };
  return { captured_at: newest, player_count: last.length, top };
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

/** Returns when the kingdom was last scanned (epoch ms), also if its days are no longer kept; null if never. */
export const lastScanOf = (db: Db, game: GameId, id: number): Promise<number | null> =>
  db.$client
    .prepare(`SELECT captured_at FROM kingdoms WHERE game = ? AND kingdom_id = ?`)
    .bind(game, id)
    .first<number>('captured_at');
