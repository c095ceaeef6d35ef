import type * as z from 'zod';
import type { report } from '../../../domain/compare/answers.ts';
import type { CompareSettings, Range, ReportPayload } from '../../../domain/compare/contract.ts';
import { DAY_MS } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';

/** Comparisons that users save under a name, and the links that share them. */
export type Report = z.infer<typeof report>;

interface StoredReport {
  id: string;
  user_id: string;
  name: string;
  game: GameId;
  ranges: string;
  settings: string;
  created_at: number;
  updated_at: number;
}

const reportFrom = ({ id, name, game, ranges, settings, created_at, updated_at }: StoredReport): Report => ({
  report_id: id,
  name,
  game,
  ranges: JSON.parse(ranges) as Range[],
  // Settings saved before deads could be verified lack them.
  settings: { verified: {}, ...(JSON.parse(settings) as Omit<CompareSettings, 'verified'>) },
  created_at,
  updated_at,
});

/** Maximum number of reports per user, and of active links per report. */
export const MAX_REPORTS = 200;
export const MAX_REPORT_LINKS = 20;

/** Saves a report and returns its id, or null if the user has the maximum number. */
export async function addReport(
  db: Db,
  userId: string,
  game: GameId,
  { name, ranges, settings }: ReportPayload,
  now = Date.now(),
): Promise<string | null> {
  const id = crypto.randomUUID();
  const { meta } = await db.$client
    .prepare(
      `INSERT INTO reports (id, user_id, name, game, ranges, settings, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 WHERE (SELECT count(*) FROM reports WHERE user_id = ?2) < ?8`,
    )
    .bind(id, userId, name, game, JSON.stringify(ranges), JSON.stringify(settings), now, MAX_REPORTS)
    .run();
  return meta.changes > 0 ? id : null;
}

/** Replaces a report. Returns false if it is not the user's. */
export async function changeReport(
  db: Db,
  userId: string,
  id: string,
  game: GameId,
  { name, ranges, settings }: ReportPayload,
  now = Date.now(),
): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(
      `UPDATE reports SET name = ?, game = ?, ranges = ?, settings = ?, updated_at = ? WHERE id = ? AND user_id = ?`,
    )
    .bind(name, game, JSON.stringify(ranges), JSON.stringify(settings), now, id, userId)
    .run();
  return meta.changes > 0;
}

/** Returns a user's reports, most recently changed first. */
export async function reportsOf(db: Db, userId: string): Promise<Report[]> {
  const { results } = await db.$client
    .prepare(`SELECT * FROM reports WHERE user_id = ? ORDER BY updated_at DESC, id LIMIT ?`)
    .bind(userId, MAX_REPORTS)
    .all<StoredReport>();
  return results.map(reportFrom);
}

/** Returns the user's report, or null if it does not exist or belongs to someone else. */
export async function reportOf(db: Db, userId: string, id: string): Promise<Report | null> {
  const row = await db.$client
    .prepare(`SELECT * FROM reports WHERE id = ? AND user_id = ?`)
    .bind(id, userId)
    .first<StoredReport>();
  return row && reportFrom(row);
}

/** Deletes a report and its links. Returns false if it is not the user's. */
export async function dropReport(db: Db, userId: string, id: string): Promise<boolean> {
  const bind = (sql: string) => db.$client.prepare(sql).bind(id, userId);
  const [, dropped] = await db.$client.batch([
    bind(`DELETE FROM report_links WHERE report_id = ? AND user_id = ?`),
    bind(`DELETE FROM reports WHERE id = ? AND user_id = ?`),
  ]);
  return (dropped?.meta.changes ?? 0) > 0;
}

export interface ReportLink {
  id: string;
  created_at: number;
  expires_at: number;
}

/**
 * Creates a public link to a report, valid for `days` days. Returns null if the report is not the user's or has the
 * maximum number of links.
 */
export const openLink = (
  db: Db,
  userId: string,
  reportId: string,
  days: number,
  now = Date.now(),
): Promise<ReportLink | null> =>
  db.$client
    .prepare(
      `INSERT INTO report_links (id, report_id, user_id, created_at, expires_at)
       SELECT ?1, id, user_id, ?2, ?3 FROM reports
       WHERE id = ?4 AND user_id = ?5
         AND (SELECT count(*) FROM report_links WHERE report_id = ?4 AND revoked_at IS NULL AND expires_at > ?2) < ?6
       RETURNING id, created_at, expires_at`,
    )
    .bind(crypto.randomUUID(), now, now + days * DAY_MS, reportId, userId, MAX_REPORT_LINKS)
    .first<ReportLink>();

/** Returns the active links to a report, newest first. */
export async function linksOf(db: Db, userId: string, reportId: string, now = Date.now()): Promise<ReportLink[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, created_at, expires_at FROM report_links
       WHERE report_id = ? AND user_id = ? AND revoked_at IS NULL AND expires_at > ? ORDER BY created_at DESC, id LIMIT ?`,
    )
    .bind(reportId, userId, now, MAX_REPORT_LINKS)
    .all<ReportLink>();
  return results;
}

/** Revokes a link. Returns false if it is not the user's or already revoked. */
export async function endLink(
  db: Db,
  userId: string,
  { report_id, link_id }: { report_id: string; link_id: string },
  now = Date.now(),
): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(
      `UPDATE report_links SET revoked_at = ? WHERE id = ? AND report_id = ? AND user_id = ? AND revoked_at IS NULL`,
    )
    .bind(now, link_id, report_id, userId)
    .run();
  return meta.changes > 0;
}

/** Returns the report behind a link and its owner, or null if the link is revoked, expired or unknown. */
export async function reportBehind(
  db: Db,
  linkId: string,
  now = Date.now(),
): Promise<{ report: Report; user_id: string; expires_at: number } | null> {
  const row = await db.$client
    .prepare(
      `SELECT reports.*, report_links.expires_at FROM report_links
       JOIN reports ON reports.id = report_links.report_id AND reports.user_id = report_links.user_id
       WHERE report_links.id = ? AND report_links.revoked_at IS NULL AND report_links.expires_at > ?`,
    )
    .bind(linkId, now)
    .first<StoredReport & { expires_at: number }>();
  return row && { report: reportFrom(row), user_id: row.user_id, expires_at: row.expires_at };
}
