import { eq } from 'drizzle-orm';
import { type FinishedOrder, finishedText } from '../../../domain/accounts/finished-order.ts';
import { byWebhook, WEBHOOK_CHANNELS, WEBHOOKS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { kingdomTitle } from '../../../domain/games/titles.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import { message } from '../../../domain/language/text.ts';
import type { ItemState } from '../../../domain/orders/order.ts';
import { reasonText } from '../../../domain/orders/reasons.ts';
import type { Db } from '../../db/open.ts';
import { notifications } from '../../db/schema.ts';
import type { SpeakTo } from '../../isolate/language.ts';
import { languageOf } from '../accounts/accounts.ts';
import { auditStatement } from '../service/audit.ts';
import { cappedMailStatement } from './outbox.ts';
import { finishedMail, mailsOffText, switchedOffMail } from './user-mails.ts';

export type Notifications = typeof notifications.$inferSelect;

/**
 * Returns a user's notification settings. Messages about orders are off by default, and those about events on, because
 * only who follows one gets them.
 */
export async function notificationsOf(db: Db, userId: string): Promise<Notifications> {
  const [row] = await db.select().from(notifications).where(eq(notifications.user_id, userId));
  return (
    row ?? {
      user_id: userId,
      by_mail: false,
      events_by_mail: true,
      events_by_webhook: true,
      ...byWebhook(() => null),
      trouble: null,
    }
  );
}

/** Settings that are on or off. */
const SWITCHES = ['by_mail', 'events_by_mail', 'events_by_webhook'] as const;

/** Changes the given settings. A channel's value is an encrypted webhook, or null to remove it. */
export async function setNotifications(
  db: Db,
  userId: string,
  changes: Partial<Record<(typeof SWITCHES)[number], boolean | undefined>> &
    Partial<Record<WebhookChannel, string | null | undefined>>,
  address: string,
  now = Date.now(),
): Promise<void> {
  const switched = SWITCHES.filter((name) => changes[name] !== undefined);
  const set = WEBHOOK_CHANNELS.filter((channel) => changes[channel] !== undefined);
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO notifications (${['user_id', ...switched, ...set].join(', ')})
         VALUES (${['?', ...switched, ...set].map(() => '?').join(', ')})
         ON CONFLICT (user_id) DO UPDATE SET
           ${[...switched, ...set].map((column) => `${column} = excluded.${column}, `).join('')}trouble = NULL`,
      )
      .bind(
        userId,
        ...switched.map((name) => Number(changes[name])),
        ...set.map((channel) => changes[channel] ?? null),
      ),
    auditStatement(db, { userId, actor: 'user', action: 'notifications.changed', address }, now),
  ]);
}

/**
 * Removes a webhook that its service no longer accepts and notifies the user by mail, in their language, unless the
 * webhook was replaced meanwhile.
 */
export async function switchOffWebhook(
  db: Db,
  speakTo: SpeakTo,
  channel: WebhookChannel,
  { user_id, [channel]: webhook }: Notifications,
  why: string,
  now = Date.now(),
): Promise<void> {
  const user = await languageOf(db, { id: user_id });
  const { subject, trouble, text, language } = await speakTo(user, () => switchedOffMail(channel, why));
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO outbox (reference, recipient, subject, text, language, created_at, next_at)
         SELECT ?5 || '_off:' || ?1 || ':' || CAST(?2 AS INTEGER), email, ?6, ?3, ?7, ?2, ?2
         FROM notifications JOIN users ON users.id = user_id WHERE user_id = ?1 AND ${channel} = ?4`,
      )
      .bind(user_id, now, text, webhook, channel, subject, language),
    db.$client
      .prepare(`UPDATE notifications SET ${channel} = NULL, trouble = ? WHERE user_id = ? AND ${channel} = ?`)
      .bind(trouble, user_id, webhook),
  ]);
}

/** Switches off mails about orders and events to an address that refuses mail permanently. */
export async function switchOffMail(db: Db, speakTo: SpeakTo, email: string, why: string): Promise<void> {
  const trouble = await speakTo(await languageOf(db, { email }), () => mailsOffText(why));
  await db.$client
    .prepare(
      `UPDATE notifications SET by_mail = 0, events_by_mail = 0, trouble = ?
       WHERE (by_mail OR events_by_mail) AND user_id IN (SELECT id FROM users WHERE email_key = lower(?))`,
    )
    .bind(trouble, email)
    .run();
}

const ITEMS_TOLD = 10;
const NO_ROWS = message('no rows came back');

interface Ended extends Record<WebhookChannel, string | null> {
  uuid: string;
  user_id: string;
  email: string;
  language: Locale | null;
  by_mail: number;
  item_count: number;
  done_count: number;
  announced_at: number | null;
}

// Cancelling one's own items needs no message, and removes a bot's reason. The service cancels with a reason.
const BY_ITSELF = `(state = 'cancelled' AND error IS NOT NULL)`;

/**
 * Queues messages when an order ends. Returns true once no item can change without the user's action. Sent once per
 * order, at its first end, not after repairs.
 */
export async function announceEnd(
  db: Db,
  speakTo: SpeakTo,
  orderId: number,
  origin: string,
  now = Date.now(),
): Promise<boolean> {
  const ended = await db.$client
    .prepare(
      `SELECT orders.uuid, orders.announced_at, users.id AS user_id, users.email, users.language,
         coalesce(by_mail, 0) AS by_mail,
         ${WEBHOOK_CHANNELS.map((channel) => `notifications.${channel}, `).join('')}
         (SELECT count(*) FROM items WHERE order_id = ?1) AS item_count,
         (SELECT count(*) FROM items WHERE order_id = ?1 AND snapshot_id IS NOT NULL) AS done_count
       FROM orders JOIN users ON users.id = orders.user_id
       LEFT JOIN notifications ON notifications.user_id = users.id
       WHERE orders.id = ?1 AND NOT EXISTS (SELECT 1 FROM items WHERE order_id = ?1 AND state IN ('open', 'finishing'))
         AND EXISTS (SELECT 1 FROM items WHERE order_id = ?1 AND (state IN ('done', 'failed') OR ${BY_ITSELF}))`,
    )
    .bind(orderId)
    .first<Ended>();
  if (!ended) return false;
  const { by_mail, announced_at } = ended;
  const webhooks = WEBHOOK_CHANNELS.filter((channel) => ended[channel] !== null);
  if (announced_at !== null || (!by_mail && webhooks.length === 0)) return true;
  const statements = await speakTo(ended, async () =>
    messagesOf(db, ended, webhooks, await finishedOrder(db, orderId, ended, origin), now),
  );
  await db.$client.batch([
    ...statements,
    db.$client.prepare(`UPDATE orders SET announced_at = ? WHERE id = ?`).bind(now, orderId),
  ]);
  return true;
}

/** Returns the statements that queue the messages about a finished order, in the current language. */
function messagesOf(
  db: Db,
  { by_mail, email, user_id, uuid }: Ended,
  webhooks: readonly WebhookChannel[],
  order: FinishedOrder,
  now: number,
): D1PreparedStatement[] {
  const finished = finishedMail(order.order_id, finishedText(order));
  const mail = { ...finished, to: email, reference: `finished:${uuid}` };
  return [
    ...(by_mail ? [cappedMailStatement(db, mail, now)] : []),
    ...webhooks.map((channel) => {
      const text = WEBHOOKS[channel].finished(order);
      return cappedMailStatement(db, { ...finished, to: user_id, text, reference: `${channel}:${uuid}` }, now, channel);
    }),
  ];
}

async function finishedOrder(
  db: Db,
  orderId: number,
  { item_count, done_count }: Ended,
  origin: string,
): Promise<FinishedOrder> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, game, kingdom_id, state, error FROM items WHERE order_id = ? ORDER BY position LIMIT ${ITEMS_TOLD}`,
    )
    .bind(orderId)
    .all<{ id: string; game: GameId; kingdom_id: number; state: ItemState; error: string | null }>();
  const page = item_count === 1 ? results[0]?.id : `${orderId}?all=true`;
  return {
    order_id: orderId,
    item_count,
    done_count,
    items: results.map(({ game, kingdom_id, state, error }) => ({
      name: kingdomTitle(game, kingdom_id),
      flaw: state === 'done' ? error && reasonText(error) : reasonText(error ?? NO_ROWS),
    })),
    address: done_count > 0 ? `${origin}/order/${page}` : `${origin}/orders`,
  };
}
