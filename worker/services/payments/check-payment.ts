import type * as z from 'zod';
import { dollars } from '../../../domain/money/money.ts';
import type { paymentAnswer } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { checkoutState } from '../../gateways/stripe.ts';
import { balanceOf } from '../../models/money/ledger.ts';
import { type Payment, paymentOfId, paymentOfSession, settlePayment } from '../../models/money/payments.ts';
import { uncoveredOf } from '../../models/money/reversals.ts';

/**
 * Returns the state of a user's top-up. Asks Stripe until it is paid, so that users need not wait for a webhook.
 * @throws Refusal not_found if the payment is not the user's, unavailable if Stripe does not answer.
 */
export async function checkPayment(
  db: Db,
  env: Env,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<z.output<typeof paymentAnswer>> {
  const own = (found: Payment | null): Payment => {
    if (found?.user_id !== userId) throw notFound('payment');
    return found;
  };
  let payment = await paymentOfSession(db, sessionId);
  if (payment) own(payment);
  if (payment?.state !== 'paid') {
    const checkout = await checkoutState(env, sessionId);
    if (!checkout?.payment_id) throw notFound('payment');
    payment = own(payment ?? (await paymentOfId(db, checkout.payment_id)));
    await settlePayment(db, payment, checkout);
    payment = own(await paymentOfId(db, payment.id));
  }
  return {
    state: payment.state,
    amount: dollars(payment.amount_cents),
    balance: dollars(await balanceOf(db, userId)),
    uncovered: dollars(await uncoveredOf(db, userId)),
  };
}
