import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { issueReport } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import { issue_reports, users } from '../../db/schema.ts';
import { brokeConstraint } from '../../errors.ts';
import type { User } from '../accounts/user.ts';
import { mailStatement } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';

export interface NewReport {
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

export const REPORTS_PER_PAGE = 100;

/** Returns the newest reports for admins, all or only unanswered ones. */
export async function listReports(db: Db, { open }: { open: boolean }) {
  return db
    .select({
      report_id: issue_reports.id,
      order_id: issue_reports.order_id,
      item_id: issue_reports.item_id,
      username: users.username,
      message: issue_reports.message,
      rows: issue_reports.rows,
      created_at: issue_reports.created_at,
      answer: issue_reports.answer,
      answered_at: issue_reports.answered_at,
    })
    .from(issue_reports)
    .innerJoin(users, eq(users.id, issue_reports.user_id))
    .where(open ? sql`${issue_reports.answered_at} IS NULL` : undefined)
    .orderBy(desc(issue_reports.created_at), desc(issue_reports.id))
    .limit(REPORTS_PER_PAGE);
}

/** Answers a report by mail, once. Returns false if it does not exist or was answered before. */
export async function answerReport(
  db: Db,
  id: number,
  text: string,
  admin: { id: string; address: string },
  now = Date.now(),
): Promise<boolean> {
  const [report] = await db
    .select({ order_id: issue_reports.order_id, message: issue_reports.message, email: users.email })
    .from(issue_reports)
    .innerJoin(users, eq(users.id, issue_reports.user_id))
    .where(and(eq(issue_reports.id, id), isNull(issue_reports.answered_at)));
  if (!report) return false;
  const [answered] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(`UPDATE issue_reports SET answer = ?, answered_at = ? WHERE id = ? AND answered_at IS NULL RETURNING id`)
      .bind(text, now, id),
    mailStatement(
      db,
      {
        to: report.email,
        subject: `Your report about order #${report.order_id}`,
        text: `${text}\n\nYou wrote:\n${report.message}`,
        reference: `answer:${id}`,
      },
      now,
    ),
  ]);
  if (!answered?.results.length) return false;
  await auditStatement(
    db,
    {
      userId: admin.id,
      actor: `admin:${admin.id}`,
      action: 'report.answered',
      subject: String(id),
      address: admin.address,
    },
    now,
  ).run();
  return true;
}
