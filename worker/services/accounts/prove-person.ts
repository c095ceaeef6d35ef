import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal, refusedFor } from '../../errors.ts';
import { passwordMatches } from '../../models/accounts/passwords.ts';
import { countTry } from '../../models/accounts/tries.ts';
import { BLOCKED_SECONDS, checkSecondFactor, hasTwoFactor } from '../../models/accounts/two-factor.ts';
import type { User } from '../../models/accounts/user.ts';

/** A signed-in caller: user, session and IP address as reported by Cloudflare. */
export interface Caller {
  user: User;
  sessionId: string;
  address: string;
}

/** Counts an attempt at a password or first code per session, so that outsiders cannot use up these attempts. */
export const countProof = (db: Db, { sessionId }: Caller): Promise<void> =>
  countTry(db, 'password', [`session:${sessionId}`]);

/**
 * Requires the password again for sensitive actions, in case somebody else uses the browser. Counted like a sign-in.
 */
export async function provePassword(db: Db, caller: Caller, password: string): Promise<void> {
  await countProof(db, caller);
  if (!(await passwordMatches(password, caller.user.password_hash)))
    throw new Refusal('forbidden', 'current_password: is wrong.');
}

/** Refuses a wrong code of the second factor, if the user has one. */
export async function proveFactor(db: Db, env: Env, { id }: User, code: string | undefined): Promise<void> {
  if (!(await hasTwoFactor(db, id))) return;
  const outcome = code === undefined ? 'wrong' : await checkSecondFactor(db, env, id, code);
  if (outcome === 'blocked')
    throw refusedFor(BLOCKED_SECONDS, 'Too many wrong codes. Please wait 15 minutes, then try again.');
  if (outcome === 'wrong') throw new Refusal('forbidden', 'code: is wrong or was used before.');
}
