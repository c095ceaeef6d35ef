import type * as z from 'zod';
import type { adjustment } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { userByName } from '../../models/accounts/accounts.ts';
import { adjustBalance } from '../../models/money/adjustments.ts';

/**
 * Changes a user's balance by an admin's word. False where this key was used before: nothing changes twice.
 * @throws Refusal not_found, or conflict where the balance does not cover it.
 */
export async function adjustByName(
  db: Db,
  { username, amount, reason }: z.output<typeof adjustment>,
  admin: { id: string; address: string },
  key: string,
): Promise<boolean> {
  const user = await userByName(db, username);
  if (!user) throw notFound('user');
  const outcome = await adjustBalance(db, {
    userId: user.id,
    amount,
    reason,
    by: admin.id,
    address: admin.address,
    key,
  });
  if (outcome === 'uncovered') throw new Refusal('conflict', 'amount: the balance does not cover that.');
  return outcome === 'adjusted';
}
