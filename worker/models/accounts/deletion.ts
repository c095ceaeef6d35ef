import { HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { dropMailsStatement, mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';
import { LEFT_FILES, planStatement } from '../service/job-failures.ts';
import { withNewCredentials } from './credentials.ts';
import type { User } from './user.ts';

/** Data deleted with an account, children first. Orders and ledger entries stay for bookkeeping, without a name. */
const GONE: readonly string[] = [
  'DELETE FROM sessions WHERE user_id = ?',
  'DELETE FROM known_addresses WHERE user_id = ?',
  'DELETE FROM visits WHERE user_id = ?',
  'DELETE FROM mail_tokens WHERE user_id = ?',
  'DELETE FROM api_keys WHERE user_id = ?',
  'DELETE FROM recovery_codes WHERE user_id = ?',
  'DELETE FROM two_factor WHERE user_id = ?',
  'DELETE FROM notifications WHERE user_id = ?',
  `DELETE FROM outbox WHERE channel <> 'mail' AND recipient = ?`,
  'DELETE FROM balance_alerts WHERE user_id = ?',
  'DELETE FROM share_links WHERE user_id = ?',
  'DELETE FROM report_links WHERE user_id = ?',
  'DELETE FROM reports WHERE user_id = ?',
  'DELETE FROM fights WHERE user_id = ?',
  'DELETE FROM rosters WHERE user_id = ?',
  'DELETE FROM kingdom_goals WHERE user_id = ?',
  'DELETE FROM scan_labels WHERE user_id = ?',
  'DELETE FROM header_mappings WHERE user_id = ?',
  'DELETE FROM scans WHERE user_id = ?',
  'DELETE FROM imports WHERE user_id = ?',
  'DELETE FROM own_governors WHERE user_id = ?',
  'DELETE FROM own_kingdoms WHERE user_id = ?',
  'DELETE FROM event_follows WHERE user_id = ?',
  'DELETE FROM team_members WHERE user_id = ?',
  'DELETE FROM team_invites WHERE user_id = ?',
  'DELETE FROM issue_reports WHERE user_id = ?',
  `UPDATE schedules SET state = 'ended', next_at = NULL WHERE user_id = ?`,
];

/** The second full hour after `now`, when the cron runs. Work in progress for the account has ended by then. */
const clearedAt = (now: number): number => (Math.floor(now / HOUR_MS) + 2) * HOUR_MS;

/** Deletes an account: removes personal data, makes sign-in impossible and sends a last mail. */
export async function deleteAccount(
  db: Db,
  user: User,
  mail: NewMail,
  address: string,
  now = Date.now(),
): Promise<void> {
  const blank = `deleted:${user.id}`;
  await withNewCredentials(db, user, [
    ...GONE.map((sql) => db.$client.prepare(sql).bind(user.id)),
    dropMailsStatement(db, user.email),
    db.$client
      .prepare(
        `UPDATE users SET username = 'deleted user', username_key = ?1, email = '', email_key = ?1, full_name = '',
           password_hash = '', verified_at = NULL, stripe_customer_id = NULL, deleted_at = ?2
         WHERE id = ?3`,
      )
      .bind(blank, now, user.id),
    mailStatement(db, mail, now),
    planStatement(db, { job: LEFT_FILES, subject: user.id }, clearedAt(now)),
    auditStatement(db, { userId: user.id, actor: 'user', action: 'account.deleted', address }, now),
  ]);
}
