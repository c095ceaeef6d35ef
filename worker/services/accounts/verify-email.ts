import { readToken } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { verifyAddress } from '../../models/accounts/verification.ts';
import { confirmEmailChange } from './change-email.ts';
import { LINK_EXPIRED, LINK_USED, mailVerification, userOfLink } from './mail-links.ts';

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
