import type { Db } from '../../db/open.ts';
import { COLLECTING, collectFrom, usersToCollectFrom } from '../../models/money/reversals.ts';
import { oneByOne } from '../work/one-by-one.ts';

/** Takes from balances what is left of money that Stripe took back, each account by itself. */
export async function collectLeftovers(db: Db, now = Date.now()): Promise<void> {
  const rows = await usersToCollectFrom(db, now);
  await oneByOne(db, { job: COLLECTING, rows, subjectOf: (id) => id }, (id) => collectFrom(db, id, now), now);
}
