import { desc, eq } from 'drizzle-orm';
import type { PersonalData } from '../../../domain/accounts/personal-data.ts';
import { WEBHOOK_CHANNELS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import type { Db } from '../../db/open.ts';
import { balance_alerts, payments, reversals } from '../../db/payments.ts';
import { issue_reports, ledger_entries, orders, schedules, share_links } from '../../db/schema.ts';
import { followedBy, ownKingdomsOf } from '../events/follows.ts';
import { ownDataOf } from '../library/own-data.ts';
import { notificationsOf } from '../messages/notifications.ts';
import { auditOf, withoutAdmin } from '../service/audit.ts';
import { membershipsOf } from '../teams/members.ts';
import { listKeys } from './api-keys.ts';
import { listKnownAddresses } from './known-addresses.ts';
import { ownGovernorsOf } from './own-governors.ts';
import { listSessions } from './sessions.ts';
import type { User } from './user.ts';
import { visitOf } from './visits.ts';

const MOST_ROWS = 10_000;

/** Returns all data that the service stores about a user as plain JSON, without secrets and their hashes. */
export async function personalData(db: Db, user: User): Promise<PersonalData> {
  const [
    placed,
    ledger,
    standing,
    sessions,
    keys,
    activity,
    told,
    addresses,
    visit,
    governors,
    memberships,
    own,
    kingdoms,
    follows,
    paid,
    taken_back,
    [alert],
    reported,
    shared,
  ] = await Promise.all([
    db.select().from(orders).where(eq(orders.user_id, user.id)).orderBy(desc(orders.id)).limit(MOST_ROWS),
    db.select().from(ledger_entries).where(eq(ledger_entries.user_id, user.id)).limit(MOST_ROWS),
    db.select().from(schedules).where(eq(schedules.user_id, user.id)).limit(MOST_ROWS),
    listSessions(db, user.id),
    listKeys(db, user.id),
    auditOf(db, user.id, MOST_ROWS),
    notificationsOf(db, user.id),
    listKnownAddresses(db, user.id),
    visitOf(db, user.id),
    ownGovernorsOf(db, user.id),
    membershipsOf(db, user.id),
    ownDataOf(db, user.id),
    ownKingdomsOf(db, user.id),
    followedBy(db, user.id),
    db.select().from(payments).where(eq(payments.user_id, user.id)).limit(MOST_ROWS),
    db.select().from(reversals).where(eq(reversals.user_id, user.id)).limit(MOST_ROWS),
    db.select().from(balance_alerts).where(eq(balance_alerts.user_id, user.id)),
    db.select().from(issue_reports).where(eq(issue_reports.user_id, user.id)).limit(MOST_ROWS),
    db.select().from(share_links).where(eq(share_links.user_id, user.id)).limit(MOST_ROWS),
  ]);
  const { threshold_cents: low_balance_cents = null } = alert ?? {};
  const webhooks = Object.fromEntries(
    WEBHOOK_CHANNELS.map((channel) => [`by_${channel}`, told[channel] !== null]),
  ) as Record<`by_${WebhookChannel}`, boolean>;
  const { username, email, full_name, created_at, verified_at, eula_version, language, balance_cents } = user;
  return {
    account: { username, email, full_name, created_at, verified_at, eula_version, language, balance_cents },
    orders: placed.map(({ id, uuid, team_id, placed_at, total_cents, entries }) => ({
      order_id: id,
      order_uuid: uuid,
      team_id,
      placed_at,
      total_cents,
      entries: JSON.parse(entries) as unknown[],
    })),
    ledger: ledger.map(({ team_id, amount_cents, kind, reference, note, created_at: at }) => ({
      team_id,
      amount_cents,
      kind,
      reference: withoutAdmin(reference),
      note,
      at,
    })),
    payments: paid.map(({ id, amount_cents, state, created_at: at, paid_at }) => ({
      id,
      amount_cents,
      state,
      created_at: at,
      paid_at,
    })),
    reversals: taken_back.map(({ user_id: _, stage: __, ...rest }) => rest),
    low_balance_cents,
    issue_reports: reported.map(({ user_id: _, id: __, ...rest }) => rest),
    share_links: shared.map(({ user_id: _, team_id: __, ...rest }) => rest),
    schedules: standing.map(({ user_id: _, entries, ...rest }) => ({
      ...rest,
      entries: JSON.parse(entries) as unknown[],
    })),
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
    own_scans: own,
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
    activity: activity.map(({ id: _, ...rest }) => rest),
  };
}
