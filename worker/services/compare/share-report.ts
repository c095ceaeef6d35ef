import type * as z from 'zod';
import type { reportDetails, reportLink } from '../../../domain/compare/answers.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { shortPath } from '../../http/short-links.ts';
import { linksOf, MAX_REPORT_LINKS, openLink, type ReportLink } from '../../models/compare/reports.ts';
import { findReport, reportPath } from './show-report.ts';

/** Returns a link as its owner sees it. The token is signed again; the row decides whether it works. */
const shownLink = async (
  env: Env,
  { id, created_at, expires_at }: ReportLink,
): Promise<z.infer<typeof reportLink>> => ({
  link_id: id,
  created_at,
  expires_at,
  path: await reportPath(env, { id, expires_at }),
  short: shortPath(id),
});

/** Returns a user's report and its share links. */
export async function showOwnReport(
  db: Db,
  env: Env,
  userId: string,
  { id, withLinks }: { id: string; withLinks: boolean },
): Promise<z.infer<typeof reportDetails>> {
  const report = await findReport(db, userId, id);
  const links = withLinks ? await linksOf(db, userId, id) : [];
  return { report, links: await Promise.all(links.map((link) => shownLink(env, link))) };
}

/** Opens a link to a user's report for some days. Anybody who has the link can read the report. */
export async function shareReport(
  db: Db,
  env: Env,
  userId: string,
  { report_id, days }: { report_id: string; days: number },
): Promise<z.infer<typeof reportLink>> {
  await findReport(db, userId, report_id);
  const link = await openLink(db, userId, report_id, days);
  if (!link)
    throw new Refusal(
      'too_large',
      sentence('A report has {count} links at most: end one before you make another.', { count: MAX_REPORT_LINKS }),
    );
  return shownLink(env, link);
}
