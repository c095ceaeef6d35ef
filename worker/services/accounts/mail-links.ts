import { message } from '../../../domain/language/text.ts';
import { signToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { userById } from '../../models/accounts/accounts.ts';
import { type MailTokenKind, tokenOf } from '../../models/accounts/mail-tokens.ts';
import type { User } from '../../models/accounts/user.ts';
import { resendVerification } from '../../models/accounts/verification.ts';
import type { NewMail } from '../../models/messages/outbox.ts';
import { verifyMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';

/** Functions for mailed links that several services use. */

export const LINK_USED = message(
  'The link is not valid, or was used already. If your address is verified, just sign in.',
);
export const LINK_EXPIRED = message('The link has expired.');

/** Returns the current user of a mailed token, or null if the token does not exist. */
export async function userOfLink(db: Db, tokenId: string, kind: MailTokenKind): Promise<User | null> {
  const token = await tokenOf(db, tokenId, kind);
  return token && userById(db, token.user_id);
}

/** Returns a function that creates the verification mail for a user. */
export const verifyMailFor =
  (env: Env, user: Pick<User, 'username' | 'email' | 'language'>) =>
  async (id: string, expiresAt: number): Promise<NewMail> => {
    const token = await signToken(env, 'verify', id, expiresAt);
    return speakerFor(env)(user, () => verifyMail(env.SITE_ORIGIN, user, id, token));
  };

/** Mails the verification link again if the user still needs it, at most once a minute. */
export const mailVerification = (db: Db, env: Env, user: User): Promise<void> =>
  resendVerification(db, user, async (id, expiresAt) => [await verifyMailFor(env, user)(id, expiresAt)]);
