import type * as z from 'zod';
import { dollars } from '../../../domain/money/money.ts';
import type { balanceAnswer } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { takesPayments } from '../../gateways/stripe.ts';
import type { User } from '../../models/accounts/user.ts';
import { thresholdOf } from '../../models/money/alerts.ts';
import { uncoveredOf } from '../../models/money/reversals.ts';

/** Returns a user's balance, debt and low balance threshold. */
export async function showBalance(db: Db, env: Env, user: User): Promise<z.infer<typeof balanceAnswer>> {
  const [uncovered, threshold] = [await uncoveredOf(db, user.id), await thresholdOf(db, user.id)];
  return {
    balance: dollars(user.balance_cents),
    /** Amount that Stripe took back beyond the balance. Above zero, it blocks orders. */
    uncovered: dollars(uncovered),
    threshold: threshold === null ? null : dollars(threshold),
    takes_payments: takesPayments(env),
  };
}
