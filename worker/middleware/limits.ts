import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';

/** The limiters of wrangler.toml, each with its calls and seconds there. */
export type LimitName = {
  [Name in keyof Env]-?: Env[Name] extends RateLimit ? Name : never;
}[keyof Env];

/** Where the caller sits, as the platform tells; empty where there is no platform in front. */
export const addressOf = (context: Context): string => context.req.header('cf-connecting-ip') ?? '';

/** Counts a call under a key and refuses it once there were too many. */
export async function withinLimit(env: Env, name: LimitName, key: string): Promise<void> {
  const { success } = await env[name].limit({ key });
  if (!success) throw new Refusal('too_many', 'Too many tries. Please wait a minute, then try again.');
}

/** Limits a route by what `keyOf` makes of the call; an empty key is not counted. */
export const limited = <E extends { Bindings: Env }>(
  name: LimitName,
  keyOf: (context: Context<E>) => string,
): MiddlewareHandler<E> => {
  return async (context, next) => {
    const key = keyOf(context);
    if (key) await withinLimit(context.env, name, key);
    await next();
  };
};
