import type { Db } from '../../db/open.ts';
import { dropExpired, dropUnverified, UNVERIFIED, unverifiedUsers } from '../../models/accounts/registration.ts';
import { oneByOne } from '../work/one-by-one.ts';

/** Deletes accounts that were never verified, independently of each other, and expired tokens and sessions. */
export async function tidyAccounts(db: Db, now = Date.now()): Promise<void> {
  await dropExpired(db, now);
  const rows = await unverifiedUsers(db, now);
  await oneByOne(db, { job: UNVERIFIED, rows, subjectOf: (id) => id }, (id) => dropUnverified(db, id, now), now);
}
