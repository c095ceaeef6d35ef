import type { MiddlewareHandler } from 'hono';
import { Refusal } from '../errors.ts';
import { groupOfToken } from '../models/fleet.ts';
import type { AppEnv } from './session.ts';

export interface BotEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { group: string };
}

/** Lets in callers with the bearer token of a bot group. */
export const bot: MiddlewareHandler<BotEnv> = async (context, next) => {
  const token = /^Bearer (\S{16,200})$/.exec(context.req.header('authorization') ?? '')?.[1];
  const group = token ? await groupOfToken(context.get('db'), token) : null;
  if (!group) throw new Refusal('signed_out', 'This call needs the bearer token of a bot group.');
  context.set('group', group);
  await next();
};
