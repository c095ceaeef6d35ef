import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { sharedItem } from '../../models/orders/shares.ts';
import { readToken, signToken } from '../../signing.ts';

/** Where whoever has a link reads its results. */
export const sharePath = async (env: Env, { id, expires_at }: { id: string; expires_at: number }): Promise<string> =>
  `/shared/${await signToken(env, 'share', id, expires_at)}`;

/** What the token of a link opens; null where the link was closed, ran out or never was. */
export async function behindShare(env: Env, db: Db, token: string): ReturnType<typeof sharedItem> {
  const read = await readToken(env, 'share', token);
  return read && !read.expired ? sharedItem(db, read.id) : null;
}
