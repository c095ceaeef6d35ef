import type { MiddlewareHandler } from 'hono';
import type { Db } from '../db/open.ts';
import { Refusal } from '../errors.ts';
import { groupOfToken } from '../models/fleet/bots.ts';
import type { AppEnv } from './session.ts';

export interface BotEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { group: string };
}

/** How long a token that was looked up is believed, in milliseconds: bots call many times a second. */
const BELIEVED_MS = 10_000;
const MOST_BELIEVED = 1000;
const believed = new Map<string, { group: string; until: number }>();

/** The group of a token; one that was revoked may be let in for some seconds more. */
async function groupOf(db: Db, token: string, now = Date.now()): Promise<string | null> {
  const known = believed.get(token);
  if (known && known.until > now) return known.group;
  const group = await groupOfToken(db, token);
  if (believed.size >= MOST_BELIEVED) believed.clear();
  // Only tokens that are good: strangers must not fill the memory.
  if (group) believed.set(token, { group, until: now + BELIEVED_MS });
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
