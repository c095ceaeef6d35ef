import type { Db } from '../../db/open.ts';
import { currentLicence } from '../../models/accounts/licence-versions.ts';
import { hasTwoFactor } from '../../models/accounts/two-factor.ts';

/** Returns whether a user has a second factor, and the version of the licence that holds. */
export async function accountState(db: Db, userId: string): Promise<{ two_factor: boolean; licence: number }> {
  const [two_factor, licence] = await Promise.all([hasTwoFactor(db, userId), currentLicence(db)]);
  return { two_factor, licence };
}
