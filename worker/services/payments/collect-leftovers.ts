import type { Db } from '../../db/open.ts';
import { COLLECTING, collectFrom, usersToCollectFrom } from '../../models/money/reversals.ts';
import { oneByOne } from '../work/one-by-one.ts';

/** Collects leftover debts from balances, each account independently. */
export async function collectLeftovers(db: Db, now = Date.now()): Promise<void> {
  const rows = await usersToCollectFrom(db, now);
  await oneByOne(db, { job: COLLECTING, rows, subjectOf: (id) => id }, (id) => collectFrom(db, id, now), now);
}
