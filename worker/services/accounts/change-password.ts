import type * as z from 'zod';
import type { passwordChange } from '../../../domain/accounts/account.ts';
import { readToken, signToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { together } from '../../isolate/at-once.ts';
import { changePassword, userByEmail } from '../../models/accounts/accounts.ts';
import { refuseWeak } from '../../models/accounts/password-strength.ts';
import { countTry } from '../../models/accounts/tries.ts';
import type { User } from '../../models/accounts/user.ts';
import { resetPassword, sendToken } from '../../models/accounts/verification.ts';
import { passwordChangedMail, resetMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { userOfLink } from './mail-links.ts';
import { type Caller, provePassword } from './prove-person.ts';

/**
 * Changes the password of a user who proves the current one. Ends the user's other sessions and notifies them by mail.
 */
export async function changeOwnPassword(
  db: Db,
  env: Env,
  caller: Caller,
  { current_password, password, end_keys }: z.output<typeof passwordChange>,
): Promise<void> {
  await provePassword(db, caller, current_password);
  await refuseWeak(password, caller.user);
  const mail = await speakerFor(env)(caller.user, () =>
    passwordChangedMail(env.SITE_ORIGIN, caller.user, crypto.randomUUID()),
  );
  await changePassword(db, { ...caller, password, endKeys: end_keys, mail });
  await closeEndedSockets(env, caller.user.id);
}

const mailReset = (db: Db, env: Env, user: User, address: string): Promise<void> =>
  sendToken(
    db,
    user,
    'reset',
    async (id, expiresAt) => {
      const token = await signToken(env, 'reset', id, expiresAt);
      return [await speakerFor(env)(user, () => resetMail(env.SITE_ORIGIN, user, id, token))];
    },
    { address },
  );

/**
 * Mails a link to set a new password if an account has this address.
 * @param after runs work after the response, whose timing must not reveal whether the account exists
 */
export async function askReset(
  db: Db,
  env: Env,
  after: (work: Promise<unknown>) => void,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const [user] = await together([userByEmail(db, email), countTry(db, 'mail', [`to:${email.toLowerCase()}`])]);
  if (user) after(mailReset(db, env, user, address));
}

/** Sets a new password by a mailed link. */
export async function confirmReset(
  db: Db,
  env: Env,
  { token, password }: { token: string; password: string },
  address: string,
): Promise<void> {
  const named = await readToken(env, 'reset', token);
  const user = named && !named.expired ? await userOfLink(db, named.id, 'reset') : null;
  if (!named || !user) throw new Refusal('invalid', 'The link is not valid or has expired. Please ask for a new one.');
  await refuseWeak(password, user);
  const mail = await speakerFor(env)(user, () => passwordChangedMail(env.SITE_ORIGIN, user, named.id));
  if (!(await resetPassword(db, { tokenId: named.id, user, address }, password, mail)))
    throw new Refusal('invalid', 'The link was used already or has expired. Please ask for a new one.');
  await closeEndedSockets(env, user.id);
}
