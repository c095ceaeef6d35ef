import type * as z from 'zod';
import type { adjustment } from '../../../domain/accounts/admin-contract.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { userByName } from '../../models/accounts/accounts.ts';
import type { User } from '../../models/accounts/user.ts';
import { adjustBalance } from '../../models/money/adjustments.ts';
import { COLLECTING, collectFrom, usersToCollectFrom } from '../../models/money/reversals.ts';
import { type Caller, proveFactor } from '../accounts/prove-person.ts';
import { oneByOne } from '../service/one-by-one.ts';

/**
 * Changes a user's balance on an admin's decision. Returns false if the same call was made before under this key.
 * @throws Refusal not_found, forbidden for a wrong code of the second factor, or conflict if the balance does not cover
 * it or the key was used for another adjustment.
 */
export async function adjustByName(
  db: Db,
  env: Env,
  admin: Caller,
  { username, amount, reason, code, key }: z.output<typeof adjustment> & { key: string },
): Promise<boolean> {
  const user = await userByName(db, username);
  if (!user) throw notFound('user');
  await proveFactor(db, env, admin.user, code);
  return adjustAccount(db, user, { amount, reason }, { id: admin.user.id, address: admin.address }, key);
}

/** The same for an account that was found. */
export async function adjustAccount(
  db: Db,
  user: Pick<User, 'id'>,
  { amount, reason }: { amount: Cents; reason: string },
  admin: { id: string; address: string },
  key: string,
): Promise<boolean> {
  const outcome = await adjustBalance(db, {
    userId: user.id,
    amount,
    reason,
    by: admin.id,
    address: admin.address,
    key,
  });
  if (outcome === 'uncovered') throw new Refusal('conflict', 'amount: the balance does not cover that.');
  if (outcome === 'key_reused')
    throw new Refusal('conflict', 'Idempotency-Key: was used for another adjustment. Use a new one.');
  return outcome === 'adjusted';
}

/** Collects leftover debts from balances, each account independently. */
export async function collectLeftovers(db: Db, now = Date.now()): Promise<void> {
  const rows = await usersToCollectFrom(db, now);
  await oneByOne(db, { job: COLLECTING, rows, subjectOf: (id) => id }, (id) => collectFrom(db, id, now), now);
}
