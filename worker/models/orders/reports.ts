import type * as z from 'zod';
import { nextOf } from '../../../domain/answers.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import type { reportedIssues, reportsClosing, reportsQuery } from '../../../domain/orders/admin-contract.ts';
import type { issueReport } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import type { SpeakTo } from '../../isolate/language.ts';
import type { User } from '../accounts/user.ts';
import { mailStatement } from '../messages/outbox.ts';
import { answeredMail } from '../messages/user-mails.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';

interface NewReport {
  user: Pick<User, 'id' | 'username' | 'email'>;
  orderId: number;
  report: z.infer<typeof issueReport>;
  /** The address of support. */
  support: string;
}

/** Maximum number of unanswered reports per account, because support reads every one. */
export const MAX_OPEN_REPORTS = 20;

/**
 * Stores a user's issue report and mails it to support, in one batch. Returns the report's id, or null if the user has
 * the maximum number of unanswered reports.
 */
export async function fileIssue(
  db: Db,
  { user, orderId, report, support }: NewReport,
  now = Date.now(),
): Promise<number | null> {
  const rows = report.rows.join(',');
  try {
    const [kept] = await db.$client.batch<{ id: number }>([
      // Above the limit, user_id is NULL, which fails the whole batch, including the mail.
      db.$client
        .prepare(
          `INSERT INTO issue_reports (user_id, order_id, item_id, message, rows, created_at)
           VALUES (CASE WHEN (SELECT count(*) FROM issue_reports WHERE user_id = ?1 AND answered_at IS NULL) < ?7
             THEN ?1 END, ?2, ?3, ?4, ?5, ?6) RETURNING id`,
        )
        .bind(user.id, orderId, report.item_id ?? null, report.message, rows, now, MAX_OPEN_REPORTS),
      mailStatement(
        db,
        {
          to: support,
          subject: `Order #${orderId}: an issue was reported`,
          text: `${user.username} <${user.email}> writes about order #${orderId}:\n\n${report.message}\n\nGovernors: ${rows || 'none named'}`,
          reference: `report:${crypto.randomUUID()}`,
        },
        now,
      ),
    ]);
    const id = kept?.results[0]?.id;
    if (id === undefined) throw new Error('D1 answered a report without its id');
    return id;
  } catch (error) {
    if (brokeConstraint(error, 'issue_reports.user_id')) return null;
    throw error;
  }
}

const REPORTS_PER_PAGE = 100;

/** SQL of the reports in each state. */
const IN_STATE = {
  open: 'answered_at IS NULL',
  answered: 'answered_at IS NOT NULL AND answer IS NOT NULL',
  closed: 'answered_at IS NOT NULL AND answer IS NULL',
} as const;

type ListedReport = z.infer<typeof reportedIssues>['reports'][number];

interface OpenCount {
  open_count: number;
}

const openStatement = (db: Db, order: number | null, upTo: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `SELECT count(*) AS open_count FROM issue_reports
       WHERE answered_at IS NULL AND (?1 IS NULL OR order_id = ?1) AND id <= ?2`,
    )
    .bind(order, upTo);

/** Returns a page of reports for admins, newest first, and the `before` of the next page. */
export async function listReports(
  db: Db,
  { open, state = open === 'true' ? 'open' : undefined, order, before }: z.output<typeof reportsQuery>,
): Promise<{ reports: ListedReport[]; open_count: number; next: number | null }> {
  const [page, counted] = await db.$client.batch([
    db.$client
      .prepare(
        `SELECT issue_reports.id AS report_id, issue_reports.order_id, item_id, username, message, rows,
         issue_reports.created_at, answer,
         answered_at, items.game, items.kingdom_id
       FROM issue_reports JOIN users ON users.id = issue_reports.user_id LEFT JOIN items ON items.id = item_id
       WHERE ${state ? IN_STATE[state] : '1'} AND (?1 IS NULL OR issue_reports.order_id = ?1)
         AND (?2 IS NULL OR (issue_reports.created_at, issue_reports.id) <
           (SELECT created_at, id FROM issue_reports WHERE id = ?2))
       ORDER BY issue_reports.created_at DESC, issue_reports.id DESC LIMIT ${REPORTS_PER_PAGE}`,
      )
      .bind(order ?? null, before ?? null),
    openStatement(db, order ?? null, Number.MAX_SAFE_INTEGER),
  ]);
  const reports = (page?.results ?? []) as ListedReport[];
  const open_count = (counted?.results[0] as OpenCount | undefined)?.open_count ?? 0;
  return {
    reports,
    open_count,
    next: nextOf(reports, REPORTS_PER_PAGE, ({ report_id }) => report_id),
  };
}

interface Admin {
  id: string;
  address: string;
}

/** Returns the log entry of a report that was answered or closed. */
const reportEntry = (admin: Admin, action: string, id: number): AuditEntry => ({
  userId: admin.id,
  actor: `admin:${admin.id}`,
  action,
  subject: String(id),
  address: admin.address,
});

/**
 * Answers a report by mail in its user's language, once. Returns false if it does not exist or was answered or closed
 * before.
 */
export async function answerReport(
  db: Db,
  speakTo: SpeakTo,
  id: number,
  text: string,
  admin: Admin,
  now = Date.now(),
): Promise<boolean> {
  const report = await db.$client
    .prepare(
      `SELECT order_id, message, email, language FROM issue_reports JOIN users ON users.id = issue_reports.user_id
       WHERE issue_reports.id = ?`,
    )
    .bind(id)
    .first<{ order_id: number; message: string; email: string; language: Locale | null }>();
  if (!report) return false;
  const mail = await speakTo(report, () => answeredMail(report, text));
  const [answered] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(`UPDATE issue_reports SET answer = ?, answered_at = ? WHERE id = ? AND answered_at IS NULL RETURNING id`)
      .bind(text, now, id),
    db.$client
      .prepare(
        `INSERT INTO outbox (reference, recipient, subject, text, language, created_at, next_at)
         SELECT ?, ?, ?, ?, ?, ?6, ?6 WHERE changes() > 0 ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(...[`answer:${id}`, report.email, mail.subject, mail.text], ...[mail.language, now]),
    auditIfChanged(db, reportEntry(admin, 'report.answered', id), now),
  ]);
  return (answered?.results.length ?? 0) > 0;
}

/** Closes a report without an answer. Returns false if it does not exist or was answered or closed before. */
export async function closeReport(db: Db, id: number, admin: Admin, now = Date.now()): Promise<boolean> {
  const [closed] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(`UPDATE issue_reports SET answered_at = ? WHERE id = ? AND answered_at IS NULL RETURNING id`)
      .bind(now, id),
    auditIfChanged(db, reportEntry(admin, 'report.closed', id), now),
  ]);
  return (closed?.results.length ?? 0) > 0;
}

/** Reports closed by one call. */
const CLOSED_AT_ONCE = 500;

/**
 * Closes open reports up to one, oldest first, without an answer. Returns how many, and how many of them are left for
 * another call.
 */
export async function closeReports(
  db: Db,
  { up_to, order, reason }: z.output<typeof reportsClosing>,
  admin: Admin,
  now = Date.now(),
): Promise<{ reports: number; left: number }> {
  const entry = reportEntry(admin, 'reports.closed', up_to);
  const [closed, , counted] = await db.$client.batch<OpenCount>([
    db.$client
      .prepare(
        `UPDATE issue_reports SET answered_at = ?1 WHERE id IN (
           SELECT id FROM issue_reports WHERE answered_at IS NULL AND (?2 IS NULL OR order_id = ?2) AND id <= ?3
           ORDER BY id LIMIT ${CLOSED_AT_ONCE})`,
      )
      .bind(now, order, up_to),
    auditIfChanged(db, { ...entry, detail: { reason, order } }, now),
    openStatement(db, order, up_to),
  ]);
  return { reports: closed?.meta.changes ?? 0, left: counted?.results[0]?.open_count ?? 0 };
}
