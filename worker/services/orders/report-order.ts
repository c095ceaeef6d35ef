import type * as z from 'zod';
import { sentence } from '../../../domain/language/text.ts';
import type { issueReport } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import type { User } from '../../models/accounts/user.ts';
import { answerReport, fileIssue, MAX_OPEN_REPORTS } from '../../models/orders/reports.ts';
import { speakerFor } from '../service/speak.ts';
import { findOrder } from './find-order.ts';

/**
 * Files a user's issue report about an order or item and mails support. Returns the report's id.
 * @throws Refusal not_found, or conflict if too many reports are unanswered.
 */
export async function reportOrder(
  db: Db,
  { user, id, report, support }: { user: User; id: string; report: z.output<typeof issueReport>; support: string },
): Promise<number> {
  const { orderId } = await findOrder(db, user.id, id);
  const elsewhere = report.item_id && (await findOrder(db, user.id, report.item_id)).orderId !== orderId;
  if (elsewhere) throw notFound('item in this order');
  const filed = await fileIssue(db, { user, orderId, report, support });
  if (filed === null)
    throw new Refusal(
      'conflict',
      sentence('{count} reports of yours wait for an answer. Please write again when we have answered one.', {
        count: MAX_OPEN_REPORTS,
      }),
    );
  return filed;
}

/** Answers a report by mail in its user's language. @throws Refusal not_found if there is no such open report. */
export async function answerIssue(
  db: Db,
  env: Env,
  { id, text }: { id: number; text: string },
  admin: { id: string; address: string },
): Promise<void> {
  if (!(await answerReport(db, speakerFor(env), id, text, admin))) throw notFound('open report');
}
