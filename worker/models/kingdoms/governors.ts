import { addDays, DAY_MS, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import { HISTORY_DAYS } from '../../../domain/scans/history.ts';
import { type GovernorDay, tierPoints } from '../../../domain/scans/profile.ts';
import { QUALITIES, type Quality } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import type { governors } from '../../db/schema.ts';
import { governorDays } from './histories.ts';
import { presentSql, standingSql } from './standing.ts';

type Known = typeof governors.$inferSelect;

export interface HistoryLine {
  time: number;
  field: 'name' | 'alliance_tag' | 'kingdom_id';
  old: string;
  value: string;
}

export interface Neighbour {
  rank: number;
  governor_id: number;
  name: string;
  alliance_tag: string;
  power: number;
}

/** A stored scan by its time. */
export interface StoredScan {
  key: string;
  captured_at: number;
}

export interface GovernorPage {
  governor: Known;
  /** The newest row by the game's column keys. Columns that the newest scan did not read are null. */
  row: Row;
  /** The last scan that read the profile, if the newest scan did not. */
  last_read: { captured_at: number; row: Row; points: (number | null)[] | null } | null;
  /** Points by tier, T1 first; null if the game has none. */
  points: (number | null)[] | null;
  quality: Quality;
  /** The requested number of days, oldest first, up to the newest scan. */
  days: GovernorDay[];
  /** The scans, one a day, that show the governor in the seven days up to the newest. */
  scans: StoredScan[];
  /** Those of the days whose scan has only the time of its file for a moment. */
  file_days: Day[];
  history: HistoryLine[];
  near: Neighbour[];
}

/** Converts the stored row to the game's columns. */
function rowOf(game: GameId, known: Known): Row {
  const { roles } = GAMES[game];
  const [t1, t2, t3, t4, t5] = roles.tiers;
  return {
    ...(JSON.parse(known.profile) as Row),
    [roles.id]: known.governor_id,
    [roles.kingdom]: known.kingdom_id,
    [roles.name]: known.name,
    [roles.tag]: known.alliance_tag,
    [roles.power]: known.power,
    [roles.score]: known.score,
    [roles.deads]: known.deads,
    [roles.hall]: known.hall,
    [t1]: known.t1,
    [t2]: known.t2,
    [t3]: known.t3,
    [t4]: known.t4,
    [t5]: known.t5,
  };
}

const hasProfile = (game: GameId, row: Row): boolean =>
  GAMES[game].columns.some(({ key, profile }) => profile && row[key] !== null && row[key] !== undefined);

/** Keeps only columns from the ranking list and sets the game's other lead columns to null. */
function listedOnly(game: GameId, row: Row): Row {
  const { columns, lead } = GAMES[game];
  const told = columns.filter(({ profile, ours }) => !profile && !ours).map(({ key }) => [key, row[key] ?? null]);
  return { ...Object.fromEntries(lead.map((key) => [key, null])), ...Object.fromEntries(told) };
}

const NEAR = 3;

const own = (column: string): string => `(SELECT ${column} FROM own)`;
// If the kingdom has no recent scan, ranks are among those in the governor's own scan.
const scan = (column: string): string => `(SELECT coalesce(${column}, own.captured_at) FROM own LEFT JOIN reference)`;

/**
 * SQL of the governors beside one (?2), among those who are present, as on the kingdom's page. At equal power the lower
 * id ranks first, as in every ranking.
 */
const beside = (columns: string, which: 'stronger' | 'weaker', rest: string): string => {
  const [power, id] = which === 'stronger' ? ['>', '<'] : ['<', '>'];
  return `
    WITH own AS MATERIALIZED (
      SELECT kingdom_id, power, captured_at FROM governors WHERE game = ?1 AND governor_id = ?2),
    reference AS MATERIALIZED (SELECT newest, captured_at AS standing FROM (${standingSql(own('kingdom_id'))}))
    SELECT ${columns} FROM governors
    WHERE ${presentSql(own('kingdom_id'), scan('newest'), scan('standing'))} AND power ${power}= ${own('power')}
      AND (power ${power} ${own('power')} OR governor_id ${id} ?2) ${rest}`;
};
const NEIGHBOUR = 'governor_id, name, alliance_tag, power';
const ABOVE = beside(NEIGHBOUR, 'stronger', `ORDER BY power, governor_id DESC LIMIT ${NEAR}`);
const BELOW = beside(NEIGHBOUR, 'weaker', `ORDER BY power DESC, governor_id LIMIT ${NEAR}`);
const AHEAD = beside('count(*) AS count', 'stronger', '');

/** Days over which all columns are compared (specification, 'Changes in the last 7 days'). */
const CHANGE_DAYS = 7;

const captureOf = (kingdomId: number, capturedAt: number): string => `${kingdomId} ${capturedAt}`;

/** Returns the keys of the kingdoms' scans since `from`, by kingdom and time. */
async function scansOf(
  db: Db,
  game: GameId,
  kingdoms: ReadonlySet<number>,
  from: number,
): Promise<Map<string, string>> {
  const { results } = await db.$client
    .prepare(
      `SELECT kingdom_id, captured_at, snapshots.key FROM json_each(?2) home
       CROSS JOIN snapshots ON game = ?1 AND kingdom_id = home.value AND captured_at >= ?3 AND kind = 'scan'
       ORDER BY snapshots.rowid`,
    )
    .bind(game, JSON.stringify([...kingdoms]), from)
    .all<{ kingdom_id: number; captured_at: number; key: string }>();
  // Of two scans of one time, the one that was stored first counts.
  return new Map(
    results.toReversed().map(({ kingdom_id, captured_at, key }) => [captureOf(kingdom_id, captured_at), key]),
  );
}

/**
 * Returns the stored data of a governor's page, or null if the governor is unknown. It takes one trip to the database,
 * then one to it and to the packed history at the same time.
 */
export async function governorPage(
  db: Db,
  store: R2Bucket,
  game: GameId,
  id: number,
  days: number,
): Promise<GovernorPage | null> {
  const sql = db.$client;
  const asked = (statement: string) => sql.prepare(statement).bind(game, id);
  const [found, history, above, below, ahead] = (await sql.batch([
    asked('SELECT * FROM governors WHERE game = ? AND governor_id = ?'),
    asked(
      `SELECT captured_at AS time, field, old_value AS old, new_value AS value FROM governor_changes
       WHERE game = ? AND governor_id = ? ORDER BY captured_at DESC, field LIMIT 100`,
    ),
    asked(ABOVE),
    asked(BELOW),
    asked(AHEAD),
  ])) as [
    D1Result<Known>,
    D1Result<HistoryLine>,
    D1Result<Omit<Neighbour, 'rank'>>,
    D1Result<Omit<Neighbour, 'rank'>>,
    D1Result<{ count: number }>,
  ];
  const [known] = found.results;
  if (!known) return null;
  const from = addDays(dayOf(known.captured_at), -days);
  // The line is where the directory says, unless a crash came between the two; then it is where the governor was before.
  const homes = history.results.flatMap(({ field, old }) => (field === 'kingdom_id' ? Number(old) : []));
  const kingdoms = new Set([known.kingdom_id, ...homes]);
  const [chart, stored] = await Promise.all([
    governorDays(store, game, id, kingdoms, from),
    scansOf(db, game, kingdoms, dayStart(addDays(dayOf(known.captured_at), -CHANGE_DAYS))),
  ]);
  const rank = (ahead.results[0]?.count ?? 0) + 1;
  const whole = rowOf(game, known);
  const { governor_id, name, alliance_tag, power, profile_at } = known;
  // A profile that was never read counts as not read.
  const read = (profile_at ?? known.captured_at) === known.captured_at && hasProfile(game, whole);
  const row = read ? whole : listedOnly(game, whole);
  const { [GAMES[game].roles.power]: _, ...profile } = whole;
  const near = [...above.results.toReversed(), { governor_id, name, alliance_tag, power }, ...below.results];
  return {
    governor: known,
    row,
    points: tierPoints(game, row),
    last_read:
      read || profile_at === null ? null : { captured_at: profile_at, row: profile, points: tierPoints(game, profile) },
    quality: read ? (QUALITIES.find((quality) => quality === whole.quality) ?? 'ok') : 'listed',
    days: chart.map(({ by_file: _, captured_at: __, ...day }) => day),
    scans: chart.flatMap(({ kingdom_id, captured_at }) => {
      const key = stored.get(captureOf(kingdom_id, captured_at));
      return key === undefined ? [] : [{ key, captured_at }];
    }),
    file_days: chart.filter(({ by_file }) => by_file).map(({ day }) => day),
    history: history.results,
    near: near.map((one, index) => ({ rank: rank - above.results.length + index, ...one })),
  };
}

const HISTORY_PRODUCTS = PRODUCTS.filter(({ kind }) => kind === 'history').map(({ id }) => id);

/** A kingdom, or that of a governor. */
export type AskedKingdom = { kingdom: number } | { governor: number };

/** True if the user bought this kingdom's history within the last `HISTORY_DAYS` days. */
export async function boughtHistory(
  db: Db,
  userId: string,
  game: GameId,
  asked: AskedKingdom,
  now = Date.now(),
): Promise<boolean> {
  const [kingdom, id] =
    'kingdom' in asked
      ? ['?3', asked.kingdom]
      : ['(SELECT kingdom_id FROM governors WHERE game = ?2 AND governor_id = ?3)', asked.governor];
  const row = await db.$client
    .prepare(
      `SELECT 1 FROM items JOIN orders ON orders.id = items.order_id
       WHERE orders.user_id = ?1 AND items.game = ?2 AND items.kingdom_id = ${kingdom}
         AND items.product_id IN (SELECT value FROM json_each(?4)) AND items.state = 'done'
         AND items.finished_at > ?5 LIMIT 1`,
    )
    .bind(userId, game, id, JSON.stringify(HISTORY_PRODUCTS), now - HISTORY_DAYS * DAY_MS)
    .first();
  return row !== null;
}

/** A kingdom whose history a user has bought. */
export interface HeldHistory {
  game: GameId;
  kingdom_id: number;
  /** Epoch ms. */
  bought_at: number;
}

const HISTORIES_LISTED = 100;

/** Returns the histories that a user bought within the last `HISTORY_DAYS` days, newest first, one per kingdom. */
export async function heldHistories(db: Db, userId: string, now = Date.now()): Promise<HeldHistory[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT items.game, items.kingdom_id, max(items.finished_at) AS bought_at
       FROM items JOIN orders ON orders.id = items.order_id
       WHERE orders.user_id = ?1 AND items.product_id IN (SELECT value FROM json_each(?2)) AND items.state = 'done'
         AND items.finished_at > ?3
       GROUP BY items.game, items.kingdom_id ORDER BY bought_at DESC LIMIT ${HISTORIES_LISTED}`,
    )
    .bind(userId, JSON.stringify(HISTORY_PRODUCTS), now - HISTORY_DAYS * DAY_MS)
    .all<HeldHistory>();
  return results;
}

export interface NearbyGovernor {
  game: GameId;
  governor_id: number;
  name: string;
  kingdom_id: number;
}

/** Returns governors with the nearest ids in both games, as suggestions for an unknown id. */
export async function governorsNearId(db: Db, id: number): Promise<NearbyGovernor[]> {
  const columns = 'game, governor_id, name, kingdom_id';
  const statements = Object.keys(GAMES).flatMap((game) => [
    db.$client
      .prepare(`SELECT ${columns} FROM governors WHERE game = ? AND governor_id >= ? ORDER BY governor_id LIMIT 3`)
      .bind(game, id),
    db.$client
      .prepare(`SELECT ${columns} FROM governors WHERE game = ? AND governor_id < ? ORDER BY governor_id DESC LIMIT 3`)
      .bind(game, id),
  ]);
  const found = (await db.$client.batch<NearbyGovernor>(statements)).flatMap(({ results }) => results);
  return found.sort((a, b) => Math.abs(a.governor_id - id) - Math.abs(b.governor_id - id)).slice(0, 6);
}

/** Returns a governor's name for a page's head, or null. */
export const governorName = (db: Db, game: GameId, id: number): Promise<{ name: string; kingdom_id: number } | null> =>
  db.$client
    .prepare(`SELECT name, kingdom_id FROM governors WHERE game = ? AND governor_id = ?`)
    .bind(game, id)
    .first<{ name: string; kingdom_id: number }>();
