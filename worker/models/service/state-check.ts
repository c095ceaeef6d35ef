import { KEPT_DAYS } from '../../../domain/boards/leaderboard.ts';
import { addDays, DAY_MS, dayOf } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { HAS_ENDED, KEPT_DAYS as SUBTASK_DAYS } from '../fleet/old-subtasks.ts';
import { TRANSFER_OF_REFERENCE } from '../money/ledger.ts';
import { restoreUnderWay } from './restore.ts';
import { searchIndexesOf } from './tables.ts';

/**
 * Invariants of the database, each with a query for rows that violate it: the SQL half of `npm run admin -- verify`.
 */

interface Rule {
  /** What is wrong; starts the sentence. */
  flaw: string;
  /**
   * Returns one column, `what`, and one row per violation. `?1` is the oldest day kept, `?2` a time by which pruning
   * has certainly run.
   */
  sql: string;
}

/** Pruning runs once a night. */
const SLACK_DAYS = 2;

/** SQL of items whose subtasks may have been deleted (`dropOldSubtasks`). */
const ARE_OLD = `${HAS_ENDED} AND items.finished_at < (unixepoch() - ${SUBTASK_DAYS * 86_400}) * 1000`;

const RULES: readonly Rule[] = [
  {
    flaw: 'The balance of a user is not the sum of their entries',
    sql: `SELECT users.id || ': ' || balance_cents || ' instead of ' || coalesce(sum(amount_cents), 0) AS what
      FROM users LEFT JOIN ledger_entries ON ledger_entries.user_id = users.id AND team_id IS NULL
      GROUP BY users.id HAVING balance_cents <> coalesce(sum(amount_cents), 0) OR balance_cents < 0`,
  },
  {
    flaw: 'The balance of a team is not the sum of its entries',
    sql: `SELECT teams.id || ': ' || balance_cents || ' instead of ' || coalesce(sum(amount_cents), 0) AS what
      FROM teams LEFT JOIN ledger_entries ON ledger_entries.team_id = teams.id
      GROUP BY teams.id HAVING balance_cents <> coalesce(sum(amount_cents), 0) OR balance_cents < 0`,
  },
  {
    flaw: 'A transfer between a team and its owner does not add up',
    sql: `SELECT what FROM (
        SELECT ${TRANSFER_OF_REFERENCE} AS what, amount_cents
        FROM ledger_entries WHERE kind = 'transfer')
      GROUP BY what HAVING count(*) <> 2 OR sum(amount_cents) <> 0`,
  },
  {
    flaw: 'A closed team has money or members',
    sql: `SELECT id AS what FROM teams WHERE closed_at IS NOT NULL
      AND (balance_cents <> 0 OR EXISTS (SELECT 1 FROM team_members WHERE team_id = teams.id))`,
  },
  {
    flaw: 'Money moved on an account that does not exist',
    sql: `SELECT DISTINCT user_id AS what FROM ledger_entries WHERE user_id NOT IN (SELECT id FROM users)`,
  },
  {
    flaw: 'An order was not charged what its items cost',
    sql: `SELECT orders.id || ': ' || orders.total_cents || ' charged as ' || coalesce(-amount_cents, 'nothing') AS what
      FROM orders LEFT JOIN ledger_entries ON ledger_entries.reference = 'order:' || orders.uuid
      WHERE orders.total_cents <> coalesce(-amount_cents, 0)
        OR orders.total_cents <> (SELECT coalesce(sum(price_cents), 0) FROM items WHERE order_id = orders.id)`,
  },
  {
    flaw: 'What came back for an order is not what its items say',
    sql: `SELECT id || ': ' || ledger || ' instead of ' || items AS what FROM (
        SELECT orders.id, (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries
          WHERE kind = 'return' AND user_id IN (orders.user_id, (SELECT owner_id FROM teams WHERE id = orders.team_id))
            AND (reference = 'return:' || uuid OR reference LIKE 'return:' || uuid || ':%')) AS ledger,
          (SELECT coalesce(sum(returned_cents), 0) FROM items WHERE order_id = orders.id) AS items
        FROM orders)
      WHERE ledger <> items`,
  },
  {
    flaw: 'A paid item has neither its snapshot, nor open work, nor its price back',
    sql: `SELECT items.id || ' (' || items.state || ')' AS what FROM items
      LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
      WHERE CASE items.state
        WHEN 'done' THEN snapshots.id IS NULL
        WHEN 'cancelled' THEN returned_cents < price_cents AND snapshots.id IS NULL
        WHEN 'failed' THEN returned_cents < price_cents AND failed_count = 0 AND snapshots.id IS NULL
        ELSE incomplete_count = 0 AND subtask_count > 0 AND NOT EXISTS (
          SELECT 1 FROM subtasks WHERE item_id = items.id AND state IN ('done', 'failed')) END`,
  },
  {
    flaw: 'An item does not have the subtasks that it counts',
    sql: `SELECT items.id AS what FROM items LEFT JOIN subtasks ON subtasks.item_id = items.id GROUP BY items.id
      HAVING (subtask_count <> count(subtasks.id) AND NOT (count(subtasks.id) = 0 AND ${ARE_OLD}))
        OR (items.state IN ('open', 'finishing')
          AND incomplete_count <> coalesce(sum(subtasks.state IN ('waiting', 'leased')), 0))`,
  },
  {
    flaw: 'A snapshot belongs to an item that does not exist',
    sql: `SELECT key AS what FROM snapshots
      WHERE item_id IS NOT NULL AND item_id NOT IN (SELECT id FROM items)`,
  },
  {
    flaw: 'A row refers to one that does not exist',
    sql: `SELECT "table" || ' to ' || parent AS what FROM pragma_foreign_key_check`,
  },
  {
    flaw: 'A kingdom does not know its newest scan',
    sql: `SELECT snapshots.game || ' ' || snapshots.kingdom_id AS what FROM snapshots
      LEFT JOIN kingdoms ON kingdoms.game = snapshots.game AND kingdoms.kingdom_id = snapshots.kingdom_id
      WHERE snapshots.kind = 'scan' GROUP BY snapshots.game, snapshots.kingdom_id
      HAVING max(snapshots.captured_at) <> coalesce(max(kingdoms.captured_at), 0)`,
  },
  {
    flaw: 'Daily figures are older than is kept',
    // A recently imported old scan adds old days, which the next pruning deletes.
    sql: `SELECT old.game || ' ' || old.kingdom_id || ' ' || old.day AS what FROM kingdom_days old
      WHERE old.day < ?1 AND NOT EXISTS (SELECT 1 FROM snapshots
        WHERE snapshots.game = old.game AND snapshots.kingdom_id = old.kingdom_id
          AND date(snapshots.captured_at / 1000, 'unixepoch') = old.day AND snapshots.created_at > ?2)`,
  },
];

const MOST_TOLD = 5;

/** Returns a sentence for each violation in the database. */
export async function flawsOfDatabase(db: Db, now: number): Promise<string[]> {
  const flaws: string[] = [];
  if (await restoreUnderWay(db)) flaws.push('A restore was cut short: run it again.');
  const bounds = [addDays(dayOf(now), -KEPT_DAYS - SLACK_DAYS), now - SLACK_DAYS * DAY_MS];
  for (const { flaw, sql } of RULES) {
    const statement = db.$client.prepare(sql);
    const { results } = await (sql.includes('?1') ? statement.bind(...bounds) : statement).all<{ what: string }>();
    flaws.push(...results.slice(0, MOST_TOLD).map(({ what }) => `${flaw}: ${what}.`));
    if (results.length > MOST_TOLD) flaws.push(`${flaw}: ${results.length - MOST_TOLD} more.`);
  }
  for (const [client, index] of await searchIndexesOf(db)) {
    const check = client.prepare(`INSERT INTO "${index}" ("${index}", rank) VALUES ('integrity-check', 1)`);
    await check.run().catch(() => flaws.push(`The search index ${index} does not have what its table has.`));
  }
  return flaws;
}

export interface SnapshotEntry {
  key: string;
  rows: number;
  bytes: number;
}

/** Returns a page of the snapshots known to the database, by key: bought ones and own scans. */
export const snapshotsAfter = async (db: Db, after: string, limit: number): Promise<SnapshotEntry[]> =>
  (
    await db.$client
      .prepare(
        `SELECT key, rows, bytes FROM (SELECT key, rows, bytes FROM snapshots UNION ALL SELECT key, rows, bytes FROM scans)
         WHERE key > ? ORDER BY key LIMIT ?`,
      )
      .bind(after, limit)
      .all<SnapshotEntry>()
  ).results;

/**
 * Returns the folders whose owner is in the database: uploads, what was read from them before saving, bots' folder
 * reports and packed histories.
 */
export const ownedFolders = async (db: Db): Promise<Set<string>> => {
  const { results } = await db.$client
    .prepare(
      `SELECT 'imports/' || user_id || '/' || id AS name FROM imports
       UNION ALL SELECT 'own/' || user_id || '/' || id FROM imports
       UNION ALL SELECT 'folder-reports/' || id FROM bot_groups
       UNION ALL SELECT 'kingdom-histories/game=' || game || '/kingdom=' || kingdom_id || '.bin' FROM kingdoms`,
    )
    .all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
};
