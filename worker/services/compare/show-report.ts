import type * as z from 'zod';
import type { sharedReport } from '../../../domain/compare/answers.ts';
import { DEAD_LINK } from '../../../domain/dead-link.ts';
import { cellOf } from '../../../domain/scans/rows.ts';
import { readToken, signToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { type Report, reportBehind, reportOf } from '../../models/compare/reports.ts';
import { type KeptScan, scansOfReport } from '../../models/library/scans.ts';
import type { Studio } from '../boards/draw-card.ts';
import { groupSums } from '../difference/comparison.ts';
import { madeFromScans } from './answer-compare.ts';
import { type Exported, type ExportedAs, exportCompared, previewCard } from './export-compare.ts';
import { compareScans, type Loaded } from './load-ranges.ts';
import { reportTable, usualColumns } from './report-table.ts';
import { type Scored, score } from './score.ts';
import { inSlot } from './slot.ts';

/** Returns a user's report. @throws Refusal not_found, also if it is another user's. */
export async function findReport(db: Db, userId: string, id: string): Promise<Report> {
  const report = await reportOf(db, userId, id);
  if (!report) throw notFound('report');
  return report;
}

type BehindLink = NonNullable<Awaited<ReturnType<typeof reportBehind>>>;

/** Returns the report that a link's token opens. The refusal does not tell why a token opens nothing. */
export async function findBehindLink(db: Db, env: Env, token: string): Promise<BehindLink> {
  const found = await behindLink(env, db, token);
  if (!found) throw new Refusal('not_found', DEAD_LINK);
  return found;
}

/** Returns the report that a link's token opens, and its owner; null if the link is revoked, expired or unknown. */
export async function behindLink(env: Env, db: Db, token: string): ReturnType<typeof reportBehind> {
  const read = await readToken(env, 'report', token);
  return read && !read.expired ? reportBehind(db, read.id) : null;
}

/** Returns the path at which a link shows its report. */
export const reportPath = async (env: Env, { id, expires_at }: { id: string; expires_at: number }): Promise<string> =>
  `/reports/shared/${await signToken(env, 'report', id, expires_at)}`;

/** A loaded report: its comparison, scored by its owner's weights. */
async function workOut(
  store: R2Bucket,
  db: Db,
  userId: string,
  { ranges, settings }: Report,
  known: readonly KeptScan[] = [],
): Promise<{ loaded: Loaded; scored: Scored }> {
  const loaded = await compareScans(store, db, userId, ranges, { more: Object.keys(settings.weights), known });
  return inSlot(loaded.slot, async () => ({ loaded, scored: score(loaded.compared, settings, loaded.roster) }));
}

/** Returns the columns of a report that its links show. */
const shownColumns = ({ settings }: Report, scored: Scored): readonly string[] =>
  settings.columns.length > 0 ? settings.columns : usualColumns(scored);

/** Returns the content of a report's files: everything for its owner, the chosen columns for visitors with a link. */
async function exportedReport(
  store: R2Bucket,
  db: Db,
  { report, scans, user_id, shared }: ReportFor,
): Promise<Exported> {
  const worked = await workOut(store, db, user_id, report, scans);
  const { name } = report;
  return { ...worked, name, columns: shared ? shownColumns(report, worked.scored) : null };
}

/** A report, its owner, and whether a visitor opened it by a link. */
interface ReportFor {
  report: Report;
  /** Scans that were read together with the report. */
  scans?: readonly KeptScan[];
  user_id: string;
  shared: boolean;
}

/** Returns a user's own report as a file. Reads the report and its scans in one trip. @throws Refusal not_found. */
export async function ownReportFile(
  studio: Studio,
  db: Db,
  { user_id, id }: { user_id: string; id: string },
  as: ExportedAs,
): Promise<Response> {
  const [report, scans] = await Promise.all([reportOf(db, user_id, id), scansOfReport(db, user_id, id)]);
  if (!report) throw notFound('report');
  return reportFile(studio, db, { report, scans, user_id, shared: false }, as);
}

/** Returns a report as a file. */
export const reportFile = async (studio: Studio, db: Db, wanted: ReportFor, as: ExportedAs): Promise<Response> =>
  exportCompared(studio, await exportedReport(studio.store, db, wanted), as);

/** Returns the picture that a shared report's link shows. */
export const reportCard = async (studio: Studio, db: Db, wanted: ReportFor): Promise<ArrayBuffer> =>
  previewCard(studio, await exportedReport(studio.store, db, wanted));

/** Maximum number of rows on the page. */
const MAX_SHARED_ROWS = 20_000;

/** Returns a report as visitors with its link see it: the chosen columns only. */
export async function shownReport(
  store: R2Bucket,
  db: Db,
  { report, user_id, expires_at }: BehindLink,
): Promise<z.infer<typeof sharedReport>> {
  const { loaded, scored } = await workOut(store, db, user_id, report);
  // Everything below is computed at once, so no other comparison can load meanwhile.
  loaded.slot.release();
  const { note, zeroed: _zeroed, verified: _verified, ...settings } = report.settings;
  const { columns, table } = reportTable(scored, shownColumns(report, scored));
  const sums = groupSums(scored, []);
  const rows = Array.from({ length: Math.min(table.count, MAX_SHARED_ROWS) }, (_, row) =>
    columns.map((column) => cellOf(table, column, row)),
  );
  return {
    name: report.name,
    note,
    game: report.game,
    updated_at: report.updated_at,
    expires_at,
    ranges: madeFromScans(loaded.ranges),
    settings,
    kingdoms: Object.fromEntries(
      sums.map(({ dkp, dkp_raw, left_out, common, joined, gone }, index) => [
        scored.kingdoms[index],
        { dkp, dkp_raw, left_out, common, joined, gone },
      ]),
    ),
    columns: columns.map(({ key, title, type, percent }) => ({
      key,
      title,
      type: percent ? ('percent' as const) : type === 'text' ? ('text' as const) : ('number' as const),
    })),
    rows,
  };
}
