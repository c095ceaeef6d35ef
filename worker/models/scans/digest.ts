import { type Day, dayOf } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { inactiveSince, type KingdomHistory } from '../../../domain/history/between.ts';
import { isNewestDay } from '../../../domain/history/history.ts';
import { knownIn } from '../../../domain/history/present.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { type AllianceSums, alliancesOf } from '../../../domain/scans/totals.ts';
import { entryId, letterPairs, searchKey } from '../../../domain/search.ts';
import { readBoth, writeBoth } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { kingdomHistory, numberOfDay } from '../kingdoms/histories.ts';
import { STANDING, STANDING_DAYS } from '../kingdoms/standing.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/**
 * Data derived from a new snapshot: the kingdom's inactive governors and the search index. A scan that changes nothing
 * in the index is digested when it is published. The cron digests the others, so that finishing an order stays fast.
 */

const AT_ONCE = 120;

export interface Undigested {
  game: GameId;
  kingdom_id: number;
  captured_at: number;
}

/** Name of the cron's job. */
export const DIGEST = 'digest';

/**
 * Returns kingdoms with a snapshot not yet digested, except those in backoff, longest waiting first. `failed` is 1 if
 * an earlier attempt failed.
 */
export async function undigested(db: Db, now: number): Promise<(Undigested & { failed: number })[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT game, kingdom_id, captured_at,
         EXISTS (SELECT 1 FROM setbacks WHERE job = '${DIGEST}' AND subject = game || ' ' || kingdom_id) AS failed
       FROM kingdoms
       WHERE digested_at < captured_at AND ${notInBackoffSql(DIGEST, `(game || ' ' || kingdom_id)`, 1)}
       ORDER BY captured_at LIMIT ?2`,
    )
    .bind(now, AT_ONCE)
    .all<Undigested & { failed: number }>();
  return results;
}

/** Updates what is derived from a kingdom's newest snapshot, in two trips to the database. */
export async function digest(db: Db, store: R2Bucket, kingdom: Undigested): Promise<void> {
  const { game, kingdom_id, captured_at } = kingdom;
  const [history, read] = await Promise.all([
    kingdomHistory(db, store, kingdom),
    readBoth(
      db,
      game,
      [unenteredGovernorsStatement(db, kingdom), enteredAlliancesStatement(db, kingdom)],
      [inactiveDaysStatement(db, kingdom), presentAlliancesStatement(db, kingdom)],
    ),
  ]);
  const [[unentered, entered], [compared, present]] = read as [
    [D1Result<Entered>, D1Result<Entered>],
    [D1Result<InactiveDays>, D1Result<Alliance>],
  ];
  const [days] = compared.results;
  const governors = unentered.results.map(({ ref, name }) => ({
    ref,
    name,
    power: knownIn(history, Number(ref))?.power ?? 0,
  }));
  await writeBoth(
    db,
    game,
    [
      ...governorEntries(db, game, governors),
      ...allianceEntries(db, game, changedAlliances(kingdom_id, present.results, entered.results)),
    ],
    [
      countedStatement(db, kingdom, days ? inactiveOn(history, days) : null),
      db.$client
        .prepare(`UPDATE kingdoms SET digested_at = ?3 WHERE game = ?1 AND kingdom_id = ?2 AND digested_at < ?3`)
        .bind(game, kingdom_id, captured_at),
    ],
  );
}

/** A kingdom before a new scan, as far as the scan's digest depends on it. */
export interface DigestedBefore {
  /** Time of the kingdom's newest scan, if that is digested; otherwise null. */
  after: number | null;
  /** The kingdom's governors that the search index lacks under their names. */
  unentered: readonly Entered[];
  /** The kingdom's alliances in the search index. */
  entered: readonly Entered[];
  week: Day | null;
  /** Governors in the deepest scan that may be the kingdom's reference scan; null if there is none. */
  deepest: number | null;
  /** When its history was last packed; 0 if it waits for that, null if the kingdom is new. */
  packed_at: number | null;
}

/** Reads a kingdom for the digest of a new scan, in one trip. */
export async function digestedBefore(db: Db, scan: Undigested): Promise<DigestedBefore> {
  const { game, kingdom_id, captured_at } = scan;
  const statement = db.$client
    .prepare(
      `SELECT ${WEEK_BEFORE} AS week, (
         SELECT captured_at FROM kingdoms WHERE game = ?1 AND kingdom_id = ?2 AND digested_at >= captured_at
       ) AS after, (
         SELECT max(totals ->> 'player_count') FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2
           AND day >= date(?3 / 1000, 'unixepoch', '-${STANDING_DAYS} days')) AS deepest,
         (SELECT coalesce(packed_at, 0) FROM kingdoms WHERE game = ?1 AND kingdom_id = ?2) AS packed_at`,
    )
    .bind(game, kingdom_id, captured_at);
  const [[unentered, entered], [days]] = (await readBoth(
    db,
    game,
    [unenteredGovernorsStatement(db, scan), enteredAlliancesStatement(db, scan)],
    [statement],
  )) as [[D1Result<Entered>, D1Result<Entered>], [D1Result]];
  const [row] = days.results as [Omit<DigestedBefore, 'unentered' | 'entered'>];
  return { ...row, unentered: unentered.results, entered: entered.results };
}

/** Result of a digest. It is stored only if the scan at `after` is still the kingdom's newest, and digested. */
export interface Digested {
  inactive: number | null;
  after: number;
}

/**
 * Digests a scan without new governors or names while it is published; `history` contains it. Returns null if the cron
 * has to: another scan may represent the newest day, or the search index is not up to date.
 */
export function digestAtOnce(
  { kingdom_id, history }: Omit<KingdomHistory, 'departed'>,
  table: Table,
  captured_at: number,
  { after, unentered, entered, week, deepest }: DigestedBefore,
): Digested | null {
  if (after === null || after >= captured_at || unentered.length > 0) return null;
  if (!isNewestDay(history, { kingdom_id, captured_at }) || 2 * table.count < (deepest ?? 0)) return null;
  const { changed, gone } = changedAlliances(kingdom_id, alliancesOf(table), entered);
  if (changed.length > 0 || gone.length > 0) return null;
  // The governors of the newest scan have not departed.
  const kingdom = { kingdom_id, history, departed: new Set<number>() };
  return { inactive: inactiveOn(kingdom, { since: captured_at, week }), after };
}

/** A day's reference scan, and the day of one to two weeks before with which it is compared. */
interface InactiveDays {
  since: number;
  week: Day | null;
}

const WEEK_BEFORE = `(SELECT max(day) FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2
  AND day BETWEEN date(?3 / 1000, 'unixepoch', '-14 days') AND date(?3 / 1000, 'unixepoch', '-7 days'))`;

const inactiveDaysStatement = (db: Db, { game, kingdom_id, captured_at }: Undigested): D1PreparedStatement =>
  db.$client
    .prepare(
      `SELECT captured_at AS since, ${WEEK_BEFORE} AS week
       FROM kingdom_days WHERE game = ?1 AND kingdom_id = ?2 AND day = date(?3 / 1000, 'unixepoch')`,
    )
    .bind(game, kingdom_id, captured_at);

/**
 * Returns how many governors of the newest day are inactive: their figures equal the scan of one to two weeks before.
 * Covers the day's reference scan and later, shallower ones. Null if none can be compared.
 */
function inactiveOn(history: KingdomHistory, { since, week }: InactiveDays): number | null {
  if (week === null) return null;
  const { inactive, compared } = inactiveSince(history, since, numberOfDay(week));
  return compared === 0 ? null : inactive.length;
}

/** Returns the statement that stores how many are inactive, unless that is stored. */
const countedStatement = (
  db: Db,
  { game, kingdom_id, captured_at }: Undigested,
  count: number | null,
): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE kingdom_days SET inactive = ?4 WHERE game = ?1 AND kingdom_id = ?2 AND day = ?3 AND inactive IS NOT ?4`,
    )
    .bind(game, kingdom_id, dayOf(captured_at), count);

interface Entry {
  id: number;
  ref: string;
  name: string;
  key: string;
  pairs: string;
}

function entryOf(game: GameId, kind: 'governor' | 'alliance', ref: string, name: string, power: number): Entry {
  const key = searchKey(name);
  return { id: entryId(game, kind, ref, power), ref, name, key, pairs: letterPairs(key) };
}

/** Returns the statements that replace the search entries with these refs and delete those in `gone`. */
function entryStatements(
  db: Db,
  game: GameId,
  kind: 'governor' | 'alliance',
  entries: readonly Entry[],
  gone: readonly string[] = [],
): D1PreparedStatement[] {
  const refs = JSON.stringify([...entries.map(({ ref }) => ref), ...gone]);
  const directory = db.directory(game);
  return [
    directory
      .prepare(
        `DELETE FROM search_entries
         WHERE game = ? AND kind = ? AND ref IN (SELECT value FROM json_each(?))`,
      )
      .bind(game, kind, refs),
    directory
      .prepare(
        `INSERT INTO search_entries (id, game, kind, ref, name, key, pairs)
         SELECT value ->> 'id', ?, ?, value ->> 'ref', value ->> 'name', value ->> 'key', value ->> 'pairs'
         FROM json_each(?)`,
      )
      .bind(game, kind, JSON.stringify(entries)),
  ];
}

/** What search finds: a governor or an alliance. */
interface Known {
  ref: string;
  name: string;
  power: number;
}

/** A search entry. */
type Entered = Pick<Known, 'ref' | 'name'>;

/** Returns the statement that selects a kingdom's governors without a search entry of their current name. */
const unenteredGovernorsStatement = (db: Db, { game, kingdom_id }: Undigested): D1PreparedStatement =>
  db
    .directory(game)
    .prepare(
      `SELECT CAST(known.governor_id AS TEXT) AS ref, known.name FROM governors known
       LEFT JOIN search_entries entry
         ON entry.game = known.game AND entry.kind = 'governor' AND entry.ref = CAST(known.governor_id AS TEXT)
       WHERE known.game = ? AND known.kingdom_id = ? AND (entry.id IS NULL OR entry.name <> known.name)`,
    )
    .bind(game, kingdom_id);

const presentAlliancesStatement = (db: Db, { game, kingdom_id }: Undigested): D1PreparedStatement =>
  db.$client
    .prepare(
      `SELECT value ->> 'tag' AS tag, value ->> 'name' AS name, value ->> 'power' AS power
       FROM (${STANDING}) standing, json_each(coalesce(standing.alliances, '[]'))`,
    )
    .bind(game, kingdom_id);

const enteredAlliancesStatement = (db: Db, { game, kingdom_id }: Undigested): D1PreparedStatement =>
  db
    .directory(game)
    .prepare(
      `SELECT ref, name FROM search_entries WHERE game = ?1 AND kind = 'alliance' AND ref >= ?2 || ':' AND ref < ?2 || ';'`,
    )
    .bind(game, String(kingdom_id));

function governorEntries(db: Db, game: GameId, governors: readonly Known[]): D1PreparedStatement[] {
  if (governors.length === 0) return [];
  const entries = governors.map(({ ref, name, power }) => entryOf(game, 'governor', ref, name, power));
  return entryStatements(db, game, 'governor', entries);
}

type Alliance = Pick<AllianceSums, 'tag' | 'name' | 'power'>;

/** Search entries of alliances that are new or renamed, and refs of those that are gone. */
interface ChangedAlliances {
  changed: Known[];
  gone: string[];
}

function changedAlliances(
  kingdom_id: number,
  present: readonly Alliance[],
  entered: readonly Entered[],
): ChangedAlliances {
  const known = new Map(entered.map(({ ref, name }) => [ref, name]));
  const all = present.map(({ tag, name, power }) => ({
    ref: `${kingdom_id}:${tag}`,
    name: `${tag} ${name}`.trim(),
    power,
  }));
  const changed = all.filter(({ ref, name }) => known.get(ref) !== name);
  for (const { ref } of all) known.delete(ref);
  return { changed, gone: [...known.keys()] };
}

function allianceEntries(db: Db, game: GameId, { changed, gone }: ChangedAlliances): D1PreparedStatement[] {
  if (changed.length === 0 && gone.length === 0) return [];
  const entries = changed.map(({ ref, name, power }) => entryOf(game, 'alliance', ref, name, power));
  return entryStatements(db, game, 'alliance', entries, gone);
}
