import type * as z from 'zod';
import type { Cents } from '../../../domain/money/money.ts';
import type { checkoutOpened } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { openCheckout } from '../../gateways/stripe.ts';
import type { User } from '../../models/accounts/accounts.ts';
import { noteSession, openPayment } from '../../models/money/payments.ts';

export interface TopUp {
  user: User;
  amount: Cents;
  /** The caller's idempotency key; a repeat returns the first payment. */
  key: string | undefined;
  /** Origin to which Stripe returns the payer. */
  origin: string;
  /** What the payer continues with afterwards, if anything. */
  back: 'order' | undefined;
}

/**
 * Starts a top-up and opens its page at Stripe.
 * @throws Refusal conflict if the key was used for another amount, unavailable if Stripe does not answer.
 */
export async function openPaymentPage(
  db: Db,
  env: Env,
  { user, amount, key, origin, back }: TopUp,
): Promise<z.output<typeof checkoutOpened>> {
  const opened = await openPayment(db, { userId: user.id, amount, requestKey: key ?? crypto.randomUUID() });
  if (opened.outcome === 'key_reused')
    throw new Refusal('conflict', 'Idempotency-Key: was used for another amount. Use a new one.');
  const { payment } = opened;
  if (payment.state !== 'open') throw new Refusal('conflict', 'Idempotency-Key: this payment has ended already.');
  const { session_id, url } = await openCheckout(env, { payment_id: payment.id, amount, user, origin, back });
  await noteSession(db, payment.id, session_id);
  return { url, session_id };
}
