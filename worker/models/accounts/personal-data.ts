import { eq } from 'drizzle-orm';
import type { PersonalData } from '../../../domain/accounts/personal-data.ts';
import { WEBHOOK_CHANNELS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import type { Db } from '../../db/open.ts';
import { balance_alerts } from '../../db/payments.ts';
import { followedBy, ownKingdomsOf } from '../events/follows.ts';
import { type OwnData, ownDataOf } from '../library/own-data.ts';
import { notificationsOf } from '../messages/notifications.ts';
import { actShown, withoutAdmin } from '../service/audit.ts';
import { membershipsOf } from '../teams/members.ts';
import { type UserTable, userRows } from '../user-rows.ts';
import { listKeys } from './api-keys.ts';
import { listKnownAddresses } from './known-addresses.ts';
import { ownGovernorsOf } from './own-governors.ts';
import { listSessions } from './sessions.ts';
import type { User } from './user.ts';
import { visitOf } from './visits.ts';

/** The lists that can be long. */
type LongList =
  | 'orders'
  | 'ledger'
  | 'payments'
  | 'reversals'
  | 'schedules'
  | 'issue_reports'
  | 'share_links'
  | 'activity';

/** The data with its long lists as JSON texts of their rows, which are read when they are sent. */
type StreamedData = Omit<PersonalData, LongList | 'own_scans'> & {
  [List in LongList]: AsyncIterable<string>;
} & { own_scans: OwnData };

/** Returns the long lists. */
function longListsOf(db: Db, userId: string): Pick<StreamedData, LongList> {
  const rows = (table: string, columns: string, about: Partial<UserTable> = {}) =>
    userRows(db, userId, { table, columns, ...about });
  return {
    orders: rows('orders', 'id AS order_id, uuid AS order_uuid, team_id, placed_at, total_cents, entries', {
      json: ['entries'],
    }),
    ledger: rows('ledger_entries', 'team_id, amount_cents, kind, reference, note, created_at AS at', {
      show: ({ reference, ...row }) => ({ ...row, reference: withoutAdmin(String(reference)) }),
    }),
    payments: rows('payments', 'id, amount_cents, state, created_at, paid_at'),
    reversals: rows('reversals', 'id, payment_id, kind, amount_cents, covered_cents, created_at'),
    schedules: rows(
      'schedules',
      'id, created_at, idempotency_key, request_hash, entries, start_at, end_at, period, interval, state, next_at, trying_for, tries, try_at, missed_runs',
      { json: ['entries'] },
    ),
    issue_reports: rows('issue_reports', 'order_id, item_id, message, rows, created_at, answer, answered_at', {
      long: ['message', 'rows'],
    }),
    share_links: rows('share_links', 'id, item_id, order_id, created_at, expires_at, revoked_at'),
    activity: rows('audit_entries', 'at, actor, action, subject, address', {
      show: ({ at, action, ...row }) => ({
        at,
        action,
        ...actShown(row as { actor: string; subject: string; address: string }),
      }),
    }),
  };
}

/** Returns all data that the service stores about a user as plain JSON, without secrets and their hashes. */
export async function personalData(db: Db, user: User): Promise<StreamedData> {
  const [sessions, keys, told, addresses, visit, governors, memberships, kingdoms, follows, [alert]] =
    await Promise.all([
      listSessions(db, user.id),
      listKeys(db, user.id),
      notificationsOf(db, user.id),
      listKnownAddresses(db, user.id),
      visitOf(db, user.id),
      ownGovernorsOf(db, user.id),
      membershipsOf(db, user.id),
      ownKingdomsOf(db, user.id),
      followedBy(db, user.id),
      db.select().from(balance_alerts).where(eq(balance_alerts.user_id, user.id)),
    ]);
  const { threshold_cents: low_balance_cents = null } = alert ?? {};
  const webhooks = Object.fromEntries(
    WEBHOOK_CHANNELS.map((channel) => [`by_${channel}`, told[channel] !== null]),
  ) as Record<`by_${WebhookChannel}`, boolean>;
  const { username, email, full_name, created_at, verified_at, eula_version, language, balance_cents } = user;
  return {
    account: { username, email, full_name, created_at, verified_at, eula_version, language, balance_cents },
    ...longListsOf(db, user.id),
    low_balance_cents,
    sessions: sessions.map(({ created_at: at, last_seen_at, user_agent, address }) => ({
      at,
      last_seen_at,
      user_agent,
      address,
    })),
    known_addresses: addresses,
    visit,
    governors,
    following: {
      kingdoms: Object.fromEntries(Object.entries(kingdoms).filter(([, kingdom]) => kingdom !== null)),
      events: follows.map(({ event_id, kingdom, created_at: at }) => ({ dashboard_id: event_id, kingdom, at })),
    },
    teams: memberships,
    own_scans: ownDataOf(db, user.id),
    api_keys: keys.map(({ name, prefix, scopes, created_at: at, last_used_at }) => ({
      name,
      prefix,
      scopes,
      at,
      last_used_at,
    })),
    notifications: {
      by_mail: told.by_mail,
      events_by_mail: told.events_by_mail,
      events_by_webhook: told.events_by_webhook,
      ...webhooks,
    },
  };
}
