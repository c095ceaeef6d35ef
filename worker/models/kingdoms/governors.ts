import { addDays, DAY_MS, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import { GAME_IDS, GAMES, type GameId } from '../../../domain/games/games.ts';
import type { KingdomHistory } from '../../../domain/history/between.ts';
import { type Known, knownIn, presentIn, type Standing, stateIn } from '../../../domain/history/present.ts';
import type { State } from '../../../domain/history/state.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import { HISTORY_DAYS } from '../../../domain/scans/history.ts';
import { type GovernorDay, tierPoints } from '../../../domain/scans/profile.ts';
import { QUALITIES, type Quality } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { batchDirectories } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { together } from '../../isolate/at-once.ts';
import { departedSql } from './directory.ts';
import { daysIn, knownHistory } from './histories.ts';
import { STANDING } from './standing.ts';

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

/** A governor as they were last seen. */
export interface Governor {
  game: GameId;
  governor_id: number;
  kingdom_id: number;
  name: string;
  alliance_tag: string;
  power: number;
  captured_at: number;
}

export interface GovernorPage {
  governor: Governor;
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

/** Returns what is known of a governor by the game's columns. */
function rowOf(
  { game, governor_id, kingdom_id, name, alliance_tag, power }: Governor,
  { figures, others }: State,
): Row {
  const { roles } = GAMES[game];
  const [t1, t2, t3, t4, t5] = roles.tiers;
  return {
    ...others,
    [roles.id]: governor_id,
    [roles.kingdom]: kingdom_id,
    [roles.name]: name,
    [roles.tag]: alliance_tag,
    [roles.power]: power,
    [roles.score]: figures.score,
    [roles.deads]: figures.deads,
    [roles.hall]: figures.hall,
    [t1]: figures.t1,
    [t2]: figures.t2,
    [t3]: figures.t3,
    [t4]: figures.t4,
    [t5]: figures.t5,
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

/** Returns the governors beside one among those who are present, as on the kingdom's page. */
function besides(kingdom: KingdomHistory, standing: Standing, own: Known, named: Governor): Neighbour[] {
  const others = presentIn(kingdom, standing).filter(({ id }) => id !== own.id);
  // At equal power the lower id ranks first, as in every ranking.
  const isStronger = ({ id, power }: Known) => power > own.power || (power === own.power && id < own.id);
  const weaker = others.findIndex((one) => !isStronger(one));
  const ahead = weaker < 0 ? others.length : weaker;
  const first = Math.max(0, ahead - NEAR);
  const neighbour = (known: Known, place: number): Neighbour => {
    const { name, alliance_tag } = stateIn(kingdom, known);
    return { rank: place + 1, governor_id: known.id, name, alliance_tag, power: known.power };
  };
  const { governor_id, name, alliance_tag, power } = named;
  return [
    ...others.slice(first, ahead).map((one, index) => neighbour(one, first + index)),
    { rank: ahead + 1, governor_id, name, alliance_tag, power },
    ...others.slice(ahead, ahead + NEAR).map((one, index) => neighbour(one, ahead + 1 + index)),
  ];
}

/** The directory's part of a governor's page. */
interface Found {
  listed: Pick<Governor, 'kingdom_id' | 'name' | 'alliance_tag'> | undefined;
  history: HistoryLine[];
  departed: ReadonlySet<number>;
}

async function findGovernor(db: Db, game: GameId, id: number): Promise<Found> {
  const directory = db.directory(game);
  const asked = (statement: string) => directory.prepare(statement).bind(game, id);
  const [listed, history, departed] = (await directory.batch([
    asked('SELECT kingdom_id, name, alliance_tag FROM governors WHERE game = ? AND governor_id = ?'),
    asked(
      `SELECT captured_at AS time, field, old_value AS old, new_value AS value FROM governor_changes
       WHERE game = ? AND governor_id = ? ORDER BY captured_at DESC, field LIMIT 100`,
    ),
    asked(departedSql('SELECT kingdom_id FROM governors WHERE game = ?1 AND governor_id = ?2')),
  ])) as [D1Result<Exclude<Found['listed'], undefined>>, D1Result<HistoryLine>, D1Result<{ governor_id: number }>];
  return {
    listed: listed.results[0],
    history: history.results,
    departed: new Set(departed.results.map(({ governor_id }) => governor_id)),
  };
}

/** Returns where a governor is, then where they were before. */
const homesOf = ({ listed, history }: Found): Set<number> =>
  new Set([
    listed?.kingdom_id ?? 0,
    ...history.flatMap(({ field, old }) => (field === 'kingdom_id' ? Number(old) : [])),
  ]);

/**
 * Returns the history that has a governor's line. It is where the directory says, unless a crash came between the two;
 * then it is where the governor was before.
 */
async function historyWith(db: Db, store: R2Bucket, game: GameId, id: number, homes: ReadonlySet<number>) {
  for (const kingdom_id of homes) {
    const known = await knownHistory(db, store, { game, kingdom_id });
    const own = knownIn({ history: known }, id);
    if (own) return { known, own };
  }
  return null;
}

/** Days over which all columns are compared (specification, 'Changes in the last 7 days'). */
const CHANGE_DAYS = 7;

/** Returns from when on scans are compared with one at a time (epoch ms). */
const comparedSince = (time: number): number => dayStart(addDays(dayOf(time), -CHANGE_DAYS));

/** SQL of the same for the newest scan of kingdom ?4. */
const COMPARED_WITH_NEWEST = `(
  SELECT unixepoch(date(captured_at / 1000, 'unixepoch', '-${CHANGE_DAYS} days')) * 1000 FROM kingdoms
  WHERE game = ?1 AND kingdom_id = ?4)`;

const captureOf = (kingdomId: number, capturedAt: number): string => `${kingdomId} ${capturedAt}`;

interface StoredCapture extends StoredScan {
  kingdom_id: number;
}

/** Returns the statement for the scans of a governor's kingdoms since a time; null: with which the newest is compared. */
const scansStatement = (db: Db, game: GameId, home: number, kingdoms: ReadonlySet<number>, from: number | null) =>
  db.$client
    .prepare(
      `SELECT kingdom_id, captured_at, snapshots.key FROM json_each(?2) home
       CROSS JOIN snapshots ON game = ?1 AND kingdom_id = home.value
         AND captured_at >= coalesce(?3, ${COMPARED_WITH_NEWEST}, ?5) AND kind = 'scan'
       ORDER BY snapshots.rowid`,
    )
    .bind(game, JSON.stringify([...kingdoms]), from, home, comparedSince(Date.now()));

/** Returns the keys of scans by kingdom and time. Of two scans of one time, the one that was stored first counts. */
const keysOf = (scans: readonly StoredCapture[]): ReadonlyMap<string, string> =>
  new Map(scans.toReversed().map(({ kingdom_id, captured_at, key }) => [captureOf(kingdom_id, captured_at), key]));

/** Returns the times of a kingdom's scans, undefined if it has none, and its scans of the last days. */
async function newestScans(db: Db, game: GameId, home: number, kingdoms: ReadonlySet<number>) {
  const [standings, scans] = (await db.$client.batch([
    db.$client.prepare(`SELECT newest, captured_at AS standing FROM (${STANDING})`).bind(game, home),
    scansStatement(db, game, home, kingdoms, null),
  ])) as [D1Result<Standing>, D1Result<StoredCapture>];
  const standing = standings.results[0];
  return { standing, since: comparedSince(standing?.newest ?? Date.now()), keys: keysOf(scans.results) };
}

/**
 * Returns the stored data of a governor's page, or null if the governor is unknown. It takes two trips: one to the
 * directory, and one for the packed history and the kingdom's scans; three if the newest scans lack the governor.
 */
export async function governorPage(
  db: Db,
  store: R2Bucket,
  game: GameId,
  id: number,
  days: number,
): Promise<GovernorPage | null> {
  const found = await findGovernor(db, game, id);
  if (!found.listed) return null;
  const homes = homesOf(found);
  const { kingdom_id } = found.listed;
  const [packed, newest] = await together([
    historyWith(db, store, game, id, homes),
    newestScans(db, game, kingdom_id, homes),
  ]);
  if (!packed) return null;
  const { own, known } = packed;
  const { captured_at, power } = own;
  const kingdom = { kingdom_id, history: known, departed: found.departed };
  const state = stateIn(kingdom, own);
  const { name, alliance_tag } = own.line.state.length > 0 ? state : found.listed;
  const governor = { game, governor_id: id, kingdom_id, name, alliance_tag, power, captured_at };
  const chart = daysIn(known, id, addDays(dayOf(captured_at), -days));
  const since = comparedSince(captured_at);
  const recent = chart.filter((day) => day.captured_at >= since);
  const stored =
    since >= newest.since
      ? newest.keys
      : keysOf((await scansStatement(db, game, kingdom_id, homes, since).all<StoredCapture>()).results);
  const whole = rowOf(governor, state);
  const { profile_at } = state;
  // A profile that was never read counts as not read.
  const read = (profile_at ?? captured_at) === captured_at && hasProfile(game, whole);
  const row = read ? whole : listedOnly(game, whole);
  const { [GAMES[game].roles.power]: _, ...profile } = whole;
  return {
    governor,
    row,
    points: tierPoints(game, row),
    last_read:
      read || profile_at === null ? null : { captured_at: profile_at, row: profile, points: tierPoints(game, profile) },
    quality: read ? (QUALITIES.find((quality) => quality === whole.quality) ?? 'ok') : 'listed',
    days: chart.map(({ by_file: _, captured_at: __, ...day }) => day),
    scans: recent.flatMap(({ kingdom_id: where, captured_at: when }) => {
      const key = stored.get(captureOf(where, when));
      return key === undefined ? [] : [{ key, captured_at: when }];
    }),
    file_days: chart.filter(({ by_file }) => by_file).map(({ day }) => day),
    history: found.history,
    // If the kingdom has no recent scan, ranks are among those in the governor's own scan.
    near: besides(kingdom, newest.standing ?? { newest: captured_at, standing: captured_at }, own, governor),
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
  const [kingdom, { results }] = await together([
    'kingdom' in asked ? asked.kingdom : governorName(db, game, asked.governor).then((known) => known?.kingdom_id),
    db.$client
      .prepare(
        `SELECT DISTINCT items.kingdom_id FROM items JOIN orders ON orders.id = items.order_id
         WHERE orders.user_id = ?1 AND items.game = ?2 AND items.product_id IN (SELECT value FROM json_each(?3))
           AND items.state = 'done' AND items.finished_at > ?4`,
      )
      .bind(userId, game, JSON.stringify(HISTORY_PRODUCTS), now - HISTORY_DAYS * DAY_MS)
      .all<{ kingdom_id: number }>(),
  ]);
  return results.some(({ kingdom_id }) => kingdom_id === kingdom);
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
  const beside = (condition: string) =>
    `SELECT ${columns} FROM governors WHERE game = ? AND governor_id ${condition} LIMIT 3`;
  const asked = GAME_IDS.flatMap((game) =>
    ['>= ? ORDER BY governor_id', '< ? ORDER BY governor_id DESC'].map((condition) => ({
      ...{ game, sql: beside(condition), values: [game, id] },
    })),
  );
  const found = (await batchDirectories<NearbyGovernor>(db, asked)).flatMap(({ results }) => results);
  return found.sort((a, b) => Math.abs(a.governor_id - id) - Math.abs(b.governor_id - id)).slice(0, 6);
}

/** Returns a governor's name for a page's head, or null. */
export const governorName = (db: Db, game: GameId, id: number): Promise<{ name: string; kingdom_id: number } | null> =>
  db
    .directory(game)
    .prepare(`SELECT name, kingdom_id FROM governors WHERE game = ? AND governor_id = ?`)
    .bind(game, id)
    .first<{ name: string; kingdom_id: number }>();
