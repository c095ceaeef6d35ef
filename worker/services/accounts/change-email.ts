import type * as z from 'zod';
import type { emailChange } from '../../../domain/accounts/account.ts';
import { readToken, signToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { userByEmail } from '../../models/accounts/accounts.ts';
import { countTry } from '../../models/accounts/tries.ts';
import { changeAddress, sendToken, stopAddressChange } from '../../models/accounts/verification.ts';
import { changeAskedMail, changeEmailMail, emailChangedMail, takenMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { LINK_USED, userOfLink } from './mail-links.ts';
import { type Caller, provePassword } from './prove-person.ts';

/**
 * Mails a confirmation link to the address that a user wants, and a link that cancels the change to the current one.
 */
export async function askEmailChange(
  db: Db,
  env: Env,
  caller: Caller,
  { current_password, email }: z.output<typeof emailChange>,
): Promise<void> {
  const { user, address } = caller;
  await provePassword(db, caller, current_password);
  await countTry(db, 'mail', [`to:${email.toLowerCase()}`, `from:${user.id}`]);
  // The owner of a taken address learns of it by mail; the caller's response is the same either way.
  const owner = await userByEmail(db, email);
  const mails = async (id: string, expiresAt: number) => {
    const stop = await signToken(env, 'stop_change', id, expiresAt);
    const confirm = await signToken(env, 'change_email', id, expiresAt);
    const speakTo = speakerFor(env);
    return Promise.all([
      speakTo(user, () => changeAskedMail(env.SITE_ORIGIN, user, email, id, stop)),
      owner
        ? speakTo(owner, () => takenMail(env.SITE_ORIGIN, email, id))
        : speakTo(user, () => changeEmailMail(env.SITE_ORIGIN, user, email, id, confirm)),
    ]);
  };
  await sendToken(db, user, 'change_email', mails, { email, address });
}

/** Changes a user's address after it was confirmed by its link. */
export async function confirmEmailChange(db: Db, env: Env, tokenId: string, address: string): Promise<void> {
  const user = await userOfLink(db, tokenId, 'change_email');
  if (!user) throw new Refusal('invalid', LINK_USED);
  const told = (email: string) => speakerFor(env)(user, () => emailChangedMail(user, email, tokenId));
  const outcome = await changeAddress(db, { tokenId, user, address }, told);
  if (outcome === 'taken') throw new Refusal('conflict', 'Another account is using this address now.');
  if (outcome === 'refused') throw new Refusal('invalid', LINK_USED);
}

/** Cancels a change of address by the link mailed to the old address. */
export async function stopEmailChange(db: Db, env: Env, token: string, address: string): Promise<void> {
  const named = await readToken(env, 'stop_change', token);
  const user = named && !named.expired ? await userOfLink(db, named.id, 'change_email') : null;
  const use = named && user && { tokenId: named.id, user, address };
  if (!use || !(await stopAddressChange(db, use)))
    throw new Refusal(
      'invalid',
      'There is nothing to stop: the change was confirmed or stopped, or the link has expired.',
    );
}
