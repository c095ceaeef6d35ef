import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { items, share_links, snapshots } from '../../db/schema.ts';

export type Share = typeof share_links.$inferSelect;

/** Opens an item's results to whoever has the link, for so many days. */
export async function openShare(
  db: Db,
  share: { itemId: string; userId: string; days: number },
  now = Date.now(),
): Promise<Share> {
  const link: Share = {
    id: crypto.randomUUID(),
    item_id: share.itemId,
    user_id: share.userId,
    created_at: now,
    expires_at: now + share.days * DAY_MS,
    revoked_at: null,
  };
  await db.insert(share_links).values(link);
  return link;
}

const SHARES_SHOWN = 50;

/** The links to an item that still work, newest first. */
export const sharesOf = (db: Db, userId: string, itemId: string, now = Date.now()): Promise<Share[]> =>
  db
    .select()
    .from(share_links)
    .where(
      and(
        eq(share_links.item_id, itemId),
        eq(share_links.user_id, userId),
        gt(share_links.expires_at, now),
        isNull(share_links.revoked_at),
      ),
    )
    .orderBy(desc(share_links.created_at))
    .limit(SHARES_SHOWN);

/** Closes a link; false where it is not the user's or closed already. */
export async function revokeShare(db: Db, userId: string, id: string, now = Date.now()): Promise<boolean> {
  const closed = await db
    .update(share_links)
    .set({ revoked_at: now })
    .where(and(eq(share_links.id, id), eq(share_links.user_id, userId), isNull(share_links.revoked_at)))
    .returning({ id: share_links.id });
  return closed.length > 0;
}

/** What an open link shows: the item and its newest snapshot. Null where it was closed, ran out or never was. */
export async function sharedItem(db: Db, id: string, now = Date.now()) {
  const [found] = await db
    .select({ item: items, snapshot: snapshots, expires_at: share_links.expires_at })
    .from(share_links)
    .innerJoin(items, eq(items.id, share_links.item_id))
    .innerJoin(snapshots, eq(snapshots.id, items.snapshot_id))
    .where(and(eq(share_links.id, id), isNull(share_links.revoked_at), gt(share_links.expires_at, now)));
  return found ?? null;
}
