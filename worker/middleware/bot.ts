import type { MiddlewareHandler } from 'hono';
import type { Db } from '../db/open.ts';
import { Refusal } from '../errors.ts';
import { groupOfToken } from '../models/fleet/bots.ts';
import type { AppEnv } from './session.ts';

export interface BotEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { group: string };
}

/** How long a token's lookup stays cached, in ms. Bots call many times a second. */
const CACHED_MS = 10_000;
const MOST_CACHED = 1000;
const cached = new Map<string, { group: string; until: number }>();

/** Returns the bot group of a token. A revoked token works until its cached lookup expires. */
async function groupOf(db: Db, token: string, now = Date.now()): Promise<string | null> {
  const known = cached.get(token);
  if (known && known.until > now) return known.group;
  const group = await groupOfToken(db, token);
  if (cached.size >= MOST_CACHED) cached.clear();
  // Caches valid tokens only, so that strangers cannot fill the memory.
  if (group) cached.set(token, { group, until: now + CACHED_MS });
  return group;
}

/** Lets in callers with the bearer token of a bot group. */
export const bot: MiddlewareHandler<BotEnv> = async (context, next) => {
  const token = /^Bearer (\S{16,200})$/.exec(context.req.header('authorization') ?? '')?.[1];
  const group = token ? await groupOf(context.get('db'), token) : null;
  if (!group) throw new Refusal('signed_out', 'This call needs the bearer token of a bot group.');
  context.set('group', group);
  await next();
};
