import type { Context, MiddlewareHandler } from 'hono';
import { isLocal } from '../env.ts';
import { NOTHING_HERE, Refusal } from '../errors.ts';
import { hasTwoFactor } from '../models/accounts/two-factor.ts';
import { proveFactor } from '../services/accounts/prove-person.ts';
import { addressOf } from './address.ts';
import { isRead } from './origin.ts';
import { type Person, passing, type UserEnv, userOf } from './session.ts';

async function adminIn(context: Context<UserEnv>): Promise<Person> {
  // Read before the first await, because `passing` then replaces it by a database that waits for this permission.
  const db = context.get('db');
  const found = await context.get('person')();
  if (!found || found.user.role === 'user') throw new Refusal('not_found', NOTHING_HERE);
  // A key opens only the routes that name its scope. No code comes with its calls, so its owner must have set one up.
  const proven = found.session ? found.session.two_factor : await hasTwoFactor(db, found.user.id);
  if (!proven && !isLocal(context.env))
    throw new Refusal('forbidden', 'Admin pages require two-factor sign-in. Set it up under My Account.');
  if (found.user.role === 'support' && !isRead(context))
    throw new Refusal('forbidden', 'Your account may look at the admin pages, but not change anything there.');
  return found;
}

/**
 * Lets admins in, and support to look. Everyone else gets the response of an unknown path, so that nobody learns which
 * paths exist. Both must have used their second factor, except in a local copy.
 */
export const admin: MiddlewareHandler<UserEnv> = async (context, next) => {
  await passing(context, adminIn, next);
};

/** Returns the acting admin's id and address for the audit log. */
export const adminOf = (context: Context<UserEnv>): { id: string; address: string } => ({
  id: context.get('userId'),
  address: addressOf(context),
});

/** Refuses an act that cannot be undone without the admin's second factor. Placed after the check of its body. */
export const proved: MiddlewareHandler<UserEnv, string, { out: { json: { code?: string | undefined } } }> = async (
  context,
  next,
) => {
  await proveFactor(context.get('db'), context.env, await userOf(context), context.req.valid('json').code);
  await next();
};
