import type * as z from 'zod';
import type { login } from '../../../domain/accounts/account.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal, refusedFor } from '../../errors.ts';
import { together } from '../../isolate/at-once.ts';
import { authenticate } from '../../models/accounts/accounts.ts';
import { signInUser } from '../../models/accounts/known-addresses.ts';
import { currentLicence } from '../../models/accounts/licence-versions.ts';
import { openSession } from '../../models/accounts/sessions.ts';
import { countSignIn, type SignInAttempt } from '../../models/accounts/tries.ts';
import { BLOCKED_SECONDS, checkSecondFactor } from '../../models/accounts/two-factor.ts';
import type { User } from '../../models/accounts/user.ts';
import { record } from '../../models/service/audit.ts';
import { endReplacedSession } from './end-sessions.ts';
import { mailVerification } from './mail-links.ts';

/** The browser that signs in, with its IP address. */
interface Browser extends Pick<SignInAttempt, 'address' | 'device'> {
  userAgent: string;
  /** The browser's previous session, which ends: a session id from before the sign-in must not stay valid. */
  sessionId: string | null;
}

/** Refuses the sign-in unless the user's second factor is proved. */
async function secondFactor(
  db: Db,
  env: Env,
  user: User,
  { code, address }: { code: string | undefined; address: string },
): Promise<true> {
  if (code === undefined)
    throw new Refusal('signed_out', 'Please enter the code from your authenticator app.', 'two_factor');
  const outcome = await checkSecondFactor(db, env, user.id, code);
  if (outcome === 'right') return true;
  await record(db, { userId: user.id, actor: 'user', action: 'two_factor.refused', address });
  throw outcome === 'blocked'
    ? refusedFor(BLOCKED_SECONDS, 'Too many wrong codes. Please wait 15 minutes, then try again.', 'two_factor')
    : new Refusal('signed_out', 'This code is wrong or was used before.', 'two_factor');
}

/** Refuses users with an unverified address and mails the verification link again. */
async function refuseUnverified(db: Db, env: Env, user: User): Promise<void> {
  if (user.verified_at !== null) return;
  await mailVerification(db, env, user);
  throw new Refusal(
    'forbidden',
    'Please verify your e-mail address first: the link is in the mail that we sent you. Each sign-in sends it again, once a minute at most.',
    'unverified',
  );
}

/**
 * Opens a session after password and second factor are proved. Replaces the browser's previous session. `licence` is
 * the version that holds.
 */
export async function signIn(
  db: Db,
  env: Env,
  { username, password, code }: z.output<typeof login>,
  { address, device, userAgent, sessionId }: Browser,
): Promise<{ user: User; sessionId: string; licence: number }> {
  const [known] = await together([signInUser(db, username), countSignIn(db, { username, address, device })]);
  const { user, right } = await authenticate(known?.user ?? null, password);
  if (!right) {
    await record(db, { userId: user?.id ?? null, actor: 'user', action: 'session.refused', address });
    throw new Refusal('signed_out', 'The username or password is wrong.');
  }
  if (user.locked_at !== null) throw new Refusal('forbidden', 'This account is locked. Please write to support.');
  await refuseUnverified(db, env, user);
  const twoFactor = known?.two_factor ? await secondFactor(db, env, user, { code, address }) : false;
  const [opened, licence] = await Promise.all([
    openSession(db, { user, userAgent, address, twoFactor }),
    currentLicence(db),
    sessionId && endReplacedSession(db, env, sessionId),
  ]);
  return { user, sessionId: opened, licence };
}
