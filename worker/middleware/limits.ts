import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { isWithin, type LimitName, tooMany } from '../gateways/rate-limits.ts';
import { type UserEnv, userOf } from './session.ts';

/** How long a limiter's answer is reused, in ms. */
const ANSWER_MS = 1000;
const MOST_ANSWERS = 1000;

/**
 * Limits a route by the key that `keyOf` returns. An empty key is not counted. For frequent callers, `calls` above 1
 * reuses one answer of the limiter for that many calls of the key in this isolate, which saves a call each. The
 * limiter's own limit then counts answers, not calls.
 */
export function limited<E extends { Bindings: Env }>(
  name: LimitName,
  keyOf: (context: Context<E>) => string | Promise<string>,
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
    const key = await keyOf(context);
    if (key && !(await allows(context.env, key))) throw tooMany(name, calls);
    await next();
  };
}

/**
 * Limits a route behind `signedIn` by its user. Looks up the caller first, because an ended session or a revoked key
 * must not use up the limit of its former user.
 */
export const limitedByUser = (name: LimitName): MiddlewareHandler<UserEnv> =>
  limited<UserEnv>(name, async (context) => (await userOf(context)).id);
