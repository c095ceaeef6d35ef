import { eq } from 'drizzle-orm';
import { type FinishedOrder, finishedDiscord, finishedText } from '../../../domain/accounts/notification.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import type { ItemState } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notifications } from '../../db/schema.ts';
import { auditStatement } from '../service/audit.ts';
import { cappedDiscordStatement, cappedMailStatement } from './outbox.ts';

export type Notifications = typeof notifications.$inferSelect;

/** How a user lets himself be told; nothing is on before he chose. */
export async function notificationsOf(db: Db, userId: string): Promise<Notifications> {
  const [row] = await db.select().from(notifications).where(eq(notifications.user_id, userId));
  return row ?? { user_id: userId, by_mail: false, discord: null, trouble: null };
}

/** Changes what is given: `discord` is a sealed webhook, or null to forget it. */
export async function setNotifications(
  db: Db,
  userId: string,
  changes: { by_mail?: boolean | undefined; discord?: string | null | undefined },
  address: string,
  now = Date.now(),
): Promise<void> {
  const { by_mail, discord } = changes;
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO notifications (user_id, by_mail, discord) VALUES (?1, coalesce(?2, 0), ?3)
         ON CONFLICT (user_id) DO UPDATE SET by_mail = coalesce(?2, by_mail),
           discord = CASE WHEN ?4 THEN ?3 ELSE discord END, trouble = NULL`,
      )
      .bind(userId, by_mail === undefined ? null : Number(by_mail), discord ?? null, Number(discord !== undefined)),
    auditStatement(db, { userId, actor: 'user', action: 'notifications.changed', address }, now),
  ]);
}

/** Forgets a webhook that Discord does not know any more, unless it was replaced meanwhile, and tells its owner. */
export async function switchOffDiscord(
  db: Db,
  { user_id, discord }: Notifications,
  why: string,
  now = Date.now(),
): Promise<void> {
  const trouble = `Messages to Discord were switched off. ${why}`;
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
         SELECT 'discord_off:' || ?1 || ':' || ?2, email, 'Messages to Discord were switched off', ?3, ?2, ?2
         FROM notifications JOIN users ON users.id = user_id WHERE user_id = ?1 AND discord = ?4`,
      )
      .bind(user_id, now, `${trouble} Set a new webhook under My Account, Notifications.`, discord),
    db.$client
      .prepare(`UPDATE notifications SET discord = NULL, trouble = ? WHERE user_id = ? AND discord = ?`)
      .bind(trouble, user_id, discord),
  ]);
}

/** Mails to this address are refused for good: no more of an order's end are sent there. */
export async function switchOffMail(db: Db, email: string, why: string): Promise<void> {
  await db.$client
    .prepare(
      `UPDATE notifications SET by_mail = 0, trouble = ?
       WHERE by_mail AND user_id IN (SELECT id FROM users WHERE email_key = lower(?))`,
    )
    .bind(`Mails were switched off. ${why}`, email)
    .run();
}

const ITEMS_TOLD = 10;

interface Ended {
  uuid: string;
  user_id: string;
  email: string;
  by_mail: number;
  by_discord: number;
  item_count: number;
  done_count: number;
}

// What its user cancelled is no news; a history that is not there is cancelled by itself, with its reason.
const BY_ITSELF = `(state = 'cancelled' AND subtask_count = 0 AND error IS NOT NULL)`;

/**
 * True once no item of the order can change by itself any more. Then whoever wants to be told is, once: by the first
 * end of the order, not by those of its repairs.
 */
export async function announceEnd(db: Db, orderId: number, origin: string, now = Date.now()): Promise<boolean> {
  const ended = await db.$client
    .prepare(
      `SELECT orders.uuid, users.id AS user_id, users.email, coalesce(by_mail, 0) AS by_mail,
         discord IS NOT NULL AS by_discord,
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
  const { user_id, uuid, email, by_mail, by_discord } = ended;
  if (!by_mail && !by_discord) return true;
  const order = await finishedOrder(db, orderId, ended, origin);
  const subject = `Order #${orderId} is finished`;
  const statements = [
    ...(by_mail
      ? [cappedMailStatement(db, { to: email, subject, text: finishedText(order), reference: `finished:${uuid}` }, now)]
      : []),
    ...(by_discord
      ? [
          cappedDiscordStatement(
            db,
            { to: user_id, subject, text: finishedDiscord(order), reference: `discord:${uuid}` },
            now,
          ),
        ]
      : []),
  ];
  await db.$client.batch(statements);
  return true;
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
      name: `${GAMES[game].kingdom.one} ${kingdom_id}`,
      flaw: state === 'done' ? error : (error ?? 'no rows came back'),
    })),
    address: done_count > 0 ? `${origin}/order/${page}` : `${origin}/orders`,
  };
}
