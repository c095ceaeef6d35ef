import type { Db } from '../../db/open.ts';
import { notAsideSql } from '../service/setbacks.ts';

/** What is made of a scan and goes with it. */
export interface Hanging {
  reports: { report_id: string; name: string }[];
  fights: { fight_id: string; name: string }[];
}

/** Reports hold their ranges as [{from: [ids], to: [ids]}]: every text in them is the id of a scan. */
const NAMES_SCAN = `EXISTS (SELECT 1 FROM json_tree(ranges) WHERE type = 'text' AND atom = ?2)`;
const FOUGHT_FROM = `EXISTS (SELECT 1 FROM json_each(from_scans) WHERE value = ?2)`;
const FOUGHT_TO = `EXISTS (SELECT 1 FROM json_each(to_scans) WHERE value = ?2)`;

/** The user's reports and fights that are made from a scan. */
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
 * Takes a scan out of the user's library with everything that is made from it: an own one is gone, a bought one is
 * only hidden, because its order keeps it. Answers the keys of files to delete.
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
/** The job that removes them. */
export const OUTLIVED = 'own scans';

/** An own scan whose time is over. */
export interface ExpiredScan {
  id: string;
  user_id: string;
  key: string;
}

/** Own scans whose time is over, whoever's they are; those aside that could not be removed. */
export async function expiredScans(db: Db, now = Date.now()): Promise<ExpiredScan[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, user_id, key FROM scans
       WHERE expires_at <= ?1 AND ${notAsideSql(OUTLIVED, 'scans.id', 1)} ORDER BY expires_at LIMIT ?2`,
    )
    .bind(now, MOST_AT_ONCE)
    .all<ExpiredScan>();
  return results;
}
