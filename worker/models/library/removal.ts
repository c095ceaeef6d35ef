import type { Db } from '../../db/open.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/** What was made from a scan and is deleted with it. */
export interface Hanging {
  reports: { report_id: string; name: string }[];
  fights: { fight_id: string; name: string }[];
}

/** Reports store their ranges as [{from: [ids], to: [ids]}], so every text in them is a scan id. */
const NAMES_SCAN = `EXISTS (SELECT 1 FROM json_tree(ranges) WHERE type = 'text' AND atom = ?2)`;
const FOUGHT_FROM = `EXISTS (SELECT 1 FROM json_each(from_scans) WHERE value = ?2)`;
const FOUGHT_TO = `EXISTS (SELECT 1 FROM json_each(to_scans) WHERE value = ?2)`;

/** Returns the user's reports and fights made from a scan. */
export async function hangingOn(db: Db, userId: string, scanId: string): Promise<Hanging> {
  const [reports, fights] = await db.$client.batch<Record<string, string>>([
    db.$client
      .prepare(`SELECT id AS report_id, name FROM reports WHERE user_id = ?1 AND ${NAMES_SCAN} LIMIT 200`)
      .bind(userId, scanId),
    db.$client
      .prepare(
        `SELECT id AS fight_id, name FROM fights WHERE user_id = ?1 AND (${FOUGHT_FROM} OR ${FOUGHT_TO}) LIMIT 200`,
      )
      .bind(userId, scanId),
  ]);
  return {
    reports: (reports?.results ?? []) as Hanging['reports'],
    fights: (fights?.results ?? []) as Hanging['fights'],
  };
}

/**
 * Removes a scan and everything made from it from the user's library. An own scan is deleted; a bought one is only
 * hidden, because its order keeps it. Returns the keys of the files to delete.
 */
export async function removeScan(db: Db, userId: string, scanId: string): Promise<string[]> {
  const bind = (sql: string) => db.$client.prepare(sql).bind(userId, scanId);
  const [deleted] = await db.$client.batch<{ key: string }>([
    bind(`DELETE FROM scans WHERE user_id = ?1 AND id = ?2 RETURNING key`),
    bind(
      `DELETE FROM report_links WHERE user_id = ?1
         AND report_id IN (SELECT id FROM reports WHERE user_id = ?1 AND ${NAMES_SCAN})`,
    ),
    bind(`DELETE FROM reports WHERE user_id = ?1 AND ${NAMES_SCAN}`),
    bind(`DELETE FROM fights WHERE user_id = ?1 AND (${FOUGHT_FROM} OR ${FOUGHT_TO})`),
    bind(
      `INSERT INTO scan_labels (user_id, scan_id, hidden)
       SELECT ?1, ?2, 1 FROM items JOIN orders ON orders.id = items.order_id
       WHERE items.id = ?2 AND orders.user_id = ?1
       ON CONFLICT (user_id, scan_id) DO UPDATE SET hidden = 1`,
    ),
    bind(`DELETE FROM scan_labels WHERE user_id = ?1 AND scan_id = ?2 AND hidden = 0`),
  ]);
  return deleted?.results.map(({ key }) => key) ?? [];
}

const MOST_AT_ONCE = 500;
/** Name of the job that deletes them. */
export const OUTLIVED = 'own scans';

/** An expired own scan. */
export interface ExpiredScan {
  id: string;
  user_id: string;
  key: string;
}

/** Returns expired own scans of all users, except those whose deletion is in backoff. */
export async function expiredScans(db: Db, now = Date.now()): Promise<ExpiredScan[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, user_id, key FROM scans
       WHERE expires_at <= ?1 AND ${notInBackoffSql(OUTLIVED, 'scans.id', 1)} ORDER BY expires_at LIMIT ?2`,
    )
    .bind(now, MOST_AT_ONCE)
    .all<ExpiredScan>();
  return results;
}
