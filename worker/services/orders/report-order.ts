import type * as z from 'zod';
import type { issueReport } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import type { User } from '../../models/accounts/user.ts';
import { fileIssue, MAX_OPEN_REPORTS } from '../../models/orders/reports.ts';
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
      `${MAX_OPEN_REPORTS} reports of yours wait for an answer. Please write again when we have answered one.`,
    );
  return filed;
}
