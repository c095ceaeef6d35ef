import type { Context, MiddlewareHandler } from 'hono';
import { networkOf } from '../../domain/accounts/network.ts';
import type { Env } from '../env.ts';
import { isWithin, type LimitName, tooMany } from '../gateways/rate-limits.ts';
import type { UserEnv } from './session.ts';

/** Where the caller sits, as the platform tells; empty where there is no platform in front. */
export const addressOf = (context: Pick<Context, 'req'>): string => context.req.header('cf-connecting-ip') ?? '';

/** The network that a call comes from, to count it by; empty where there is no platform in front. */
export const callerNetwork = (context: Pick<Context, 'req'>): string => networkOf(addressOf(context));

/** How long an answer counts for the calls that follow: of somebody who calls seldom, each is asked for. */
const ANSWER_MS = 1000;
const MOST_ANSWERS = 1000;

/**
 * Limits a route by what `keyOf` makes of the call; an empty key is not counted. For those who call many times a second,
 * an answer of the limiter counts for so many `calls` of the key (in this isolate), which saves them a call each; the
 * limiter's own limit is in such answers.
 */
export function limited<E extends { Bindings: Env }>(
  name: LimitName,
  keyOf: (context: Context<E>) => string,
  calls = 1,
): MiddlewareHandler<E> {
  const answers = new Map<string, { success: boolean; left: number; until: number }>();
  const allows = async (env: Env, key: string): Promise<boolean> => {
    const kept = answers.get(key);
    if (kept && kept.left > 0 && kept.until > Date.now()) {
      kept.left--;
      return kept.success;
    }
    const success = await isWithin(env, name, key);
    if (calls === 1) return success;
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(key, { success, left: calls - 1, until: Date.now() + ANSWER_MS });
    return success;
  };
  return async (context, next) => {
    const key = keyOf(context);
    if (key && !(await allows(context.env, key))) throw tooMany(name);
    await next();
  };
}

/** Limits a route behind `signedIn` by its user. */
export const limitedByUser = (name: LimitName): MiddlewareHandler<UserEnv> =>
  limited<UserEnv>(name, (context) => context.get('user').id);
