import type * as z from 'zod';
import type { registration } from '../../../domain/accounts/account.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import { readToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { languageOf } from '../../models/accounts/accounts.ts';
import { refuseWeak } from '../../models/accounts/password-strength.ts';
import { register } from '../../models/accounts/registration.ts';
import { verifyAddress } from '../../models/accounts/verification.ts';
import { takenMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { confirmEmailChange } from './change-email.ts';
import { LINK_EXPIRED, LINK_USED, mailVerification, userOfLink, verifyMailFor } from './mail-links.ts';

/** Creates an account with an access code and mails the verification link. */
export async function registerAccount(
  db: Db,
  env: Env,
  { username, password, email, fullname, access_code }: z.output<typeof registration>,
  { address, language }: { address: string; language: Locale },
): Promise<void> {
  await refuseWeak(password, { username, email });
  const outcome = await register(
    db,
    { username, password, email, full_name: fullname, access_code, address, language },
    {
      verify: verifyMailFor(env, { username, email, language }),
      taken: async (reference) =>
        speakerFor(env)(await languageOf(db, { email }), () => takenMail(env.SITE_ORIGIN, email, reference)),
    },
  );
  if (outcome === 'username_taken') throw new Refusal('conflict', 'username: is taken. Please choose another.');
  if (outcome === 'code_refused')
    throw new Refusal('invalid', 'access_code: is not valid, has expired or was used up.');
}

/** Refuses a verification and mails the user a new link if they still need one. */
async function refuseVerification(db: Db, env: Env, tokenId: string, expired: boolean): Promise<never> {
  const user = await userOfLink(db, tokenId, 'verify');
  if (user) await mailVerification(db, env, user);
  throw new Refusal('invalid', expired ? LINK_EXPIRED : LINK_USED);
}

/** Verifies an address by its mailed link: that of a new account or the one that a user changes to. */
export async function verifyEmail(db: Db, env: Env, token: string, address: string): Promise<'changed' | 'verified'> {
  const change = await readToken(env, 'change_email', token);
  if (change && !change.expired) {
    await confirmEmailChange(db, env, change.id, address);
    return 'changed';
  }
  const verify = await readToken(env, 'verify', token);
  if (!verify) throw new Refusal('invalid', change ? LINK_EXPIRED : LINK_USED);
  const done = !verify.expired && (await verifyAddress(db, verify.id, address));
  return done ? 'verified' : refuseVerification(db, env, verify.id, verify.expired);
}
