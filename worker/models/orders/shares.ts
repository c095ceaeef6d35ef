import { and, desc, eq, gt, isNull, type SQL } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import { MAX_ITEM_SHARES, MAX_SHARES } from '../../../domain/orders/contract.ts';
import { orderNumberIn } from '../../../domain/orders/ids.ts';
import type { Db } from '../../db/open.ts';
import { items, share_links, snapshots } from '../../db/schema.ts';

export type Share = typeof share_links.$inferSelect;

const WORKS = 'revoked_at IS NULL AND expires_at > ?1';

/** Returns the condition for links to an id from a call: an order's number or an item. */
const linksTo = (id: string): SQL | undefined => {
  const order = orderNumberIn(id);
  return order === null
    ? and(eq(share_links.item_id, id), isNull(share_links.order_id))
    : eq(share_links.order_id, order);
};

/**
 * Creates a public link to an item's results, or with `orderId` to those of the whole order, valid for `days` days.
 * Returns null if the item, the order or the user has the maximum number of active links.
 */
export const openShare = (
  db: Db,
  { itemId, orderId = null, userId, days }: { itemId: string; orderId?: number | null; userId: string; days: number },
  now = Date.now(),
): Promise<Share | null> =>
  db.$client
    .prepare(
      `INSERT INTO share_links (id, item_id, user_id, created_at, expires_at, order_id)
       SELECT ?2, ?3, ?4, ?1, ?5, ?6
       WHERE (SELECT count(*) FROM share_links WHERE item_id = ?3 AND order_id IS ?6 AND ${WORKS}) < ${MAX_ITEM_SHARES}
         AND (SELECT count(*) FROM share_links WHERE user_id = ?4 AND ${WORKS}) < ${MAX_SHARES}
       RETURNING *`,
    )
    .bind(now, crypto.randomUUID(), itemId, userId, now + days * DAY_MS, orderId)
    .first<Share>();

/** Returns the active links to an item, or to a whole order by its number, newest first. */
export const sharesOf = (db: Db, userId: string, id: string, now = Date.now()): Promise<Share[]> =>
  db
    .select()
    .from(share_links)
    .where(and(linksTo(id), ...works(userId, now)))
    .orderBy(desc(share_links.created_at), desc(share_links.id))
    .limit(MAX_SHARES);

const works = (userId: string, now: number) => [
  eq(share_links.user_id, userId),
  gt(share_links.expires_at, now),
  isNull(share_links.revoked_at),
];

/** Returns all active links of a user, newest first, with their kingdoms. */
export const allShares = (db: Db, userId: string, now = Date.now()) =>
  db
    .select({ share: share_links, order_id: items.order_id, game: items.game, kingdom_id: items.kingdom_id })
    .from(share_links)
    .innerJoin(items, eq(items.id, share_links.item_id))
    .where(and(...works(userId, now)))
    .orderBy(desc(share_links.created_at), desc(share_links.id))
    .limit(MAX_SHARES);

/** Revokes a link to an item or order. Returns false if it is not the user's, leads elsewhere or is already revoked. */
export async function revokeShare(
  db: Db,
  { userId, itemId, id }: { userId: string; itemId: string; id: string },
  now = Date.now(),
): Promise<boolean> {
  const closed = await db
    .update(share_links)
    .set({ revoked_at: now })
    .where(
      and(eq(share_links.id, id), linksTo(itemId), eq(share_links.user_id, userId), isNull(share_links.revoked_at)),
    )
    .returning({ id: share_links.id });
  return closed.length > 0;
}

/**
 * Returns a link's item, its newest snapshot and, for links to an order, the order id. Returns null if the link is
 * revoked, expired or unknown.
 */
export async function sharedItem(db: Db, id: string, now = Date.now()) {
  const [found] = await db
    .select({ item: items, snapshot: snapshots, order_id: share_links.order_id, expires_at: share_links.expires_at })
    .from(share_links)
    .innerJoin(items, eq(items.id, share_links.item_id))
    .leftJoin(snapshots, eq(snapshots.id, items.snapshot_id))
    .where(and(eq(share_links.id, id), isNull(share_links.revoked_at), gt(share_links.expires_at, now)));
  return found ?? null;
}

/** How long an ended link is kept, in case an admin is asked about it. */
const ENDED_MS = 30 * DAY_MS;

/** Deletes links to results and reports a month after they expired or were revoked. */
export async function dropEndedLinks(db: Db, now: number): Promise<void> {
  await db.$client.batch(
    ['share_links', 'report_links'].map((table) =>
      db.$client
        .prepare(`DELETE FROM ${table} WHERE min(expires_at, coalesce(revoked_at, expires_at)) < ?`)
        .bind(now - ENDED_MS),
    ),
  );
}
