import { DEAD_LINK } from '../../../domain/dead-link.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { snapshotsOfOrder } from '../../models/orders/orders.ts';
import { sharedItem } from '../../models/orders/shares.ts';
import { readToken, signToken } from '../../signing.ts';
import type { Stored } from './page-results.ts';

/** What an open link shows: the results of one item, or all of an order together. */
export interface Shared {
  game: GameId;
  /** True where it is an order's results together. */
  combined: boolean;
  snapshots: readonly [Stored, ...Stored[]];
  expires_at: number;
}

/** Where whoever has a link reads its results. */
export const sharePath = async (env: Env, { id, expires_at }: { id: string; expires_at: number }): Promise<string> =>
  `/shared/${await signToken(env, 'share', id, expires_at)}`;

/** What a link shows; null where it was closed, ran out, never was or has no results. */
export async function shownBy(db: Db, id: string): Promise<Shared | null> {
  const link = await sharedItem(db, id);
  if (!link) return null;
  const { snapshot, order_id, expires_at } = link;
  const own = snapshot ? [snapshot] : [];
  const [first, ...others] = order_id === null ? own : await snapshotsOfOrder(db, order_id);
  return first ? { game: first.game, combined: order_id !== null, snapshots: [first, ...others], expires_at } : null;
}

/** What the token of a link opens; null where the link was closed, ran out or never was. */
export async function behindShare(env: Env, db: Db, token: string): Promise<Shared | null> {
  const read = await readToken(env, 'share', token);
  return read && !read.expired ? shownBy(db, read.id) : null;
}

/** What the token of a link opens, or a refusal that does not tell why it opens nothing. */
export async function findShared(db: Db, env: Env, token: string): Promise<Shared> {
  const shared = await behindShare(env, db, token);
  if (!shared) throw new Refusal('not_found', DEAD_LINK);
  return shared;
}
