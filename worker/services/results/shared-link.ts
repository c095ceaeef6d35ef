import { DEAD_LINK } from '../../../domain/dead-link.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { readToken, signToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { snapshotsOfOrder } from '../../models/orders/orders.ts';
import { sharedItem } from '../../models/orders/shares.ts';
import type { Stored } from './page-results.ts';

/** What an active link shows: the results of an item or of a whole order. */
export interface Shared {
  game: GameId;
  /** True for the results of a whole order. */
  combined: boolean;
  snapshots: readonly [Stored, ...Stored[]];
  expires_at: number;
}

/** Returns the path of a link's page. */
export const sharePath = async (env: Env, { id, expires_at }: { id: string; expires_at: number }): Promise<string> =>
  `/shared/${await signToken(env, 'share', id, expires_at)}`;

/** Returns what a link shows, or null if it is revoked, expired, unknown or without results. */
export async function shownBy(db: Db, id: string): Promise<Shared | null> {
  const link = await sharedItem(db, id);
  if (!link) return null;
  const { snapshot, order_id, expires_at } = link;
  const own = snapshot ? [snapshot] : [];
  const [first, ...others] = order_id === null ? own : await snapshotsOfOrder(db, order_id);
  return first ? { game: first.game, combined: order_id !== null, snapshots: [first, ...others], expires_at } : null;
}

/** Returns what a link's token opens, or null if the link is revoked, expired or unknown. */
export async function behindShare(env: Env, db: Db, token: string): Promise<Shared | null> {
  const read = await readToken(env, 'share', token);
  return read && !read.expired ? shownBy(db, read.id) : null;
}

/** Returns what a link's token opens. Refuses without telling why it does not work. */
export async function findShared(db: Db, env: Env, token: string): Promise<Shared> {
  const shared = await behindShare(env, db, token);
  if (!shared) throw new Refusal('not_found', DEAD_LINK);
  return shared;
}
