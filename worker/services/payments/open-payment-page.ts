import type * as z from 'zod';
import type { Cents } from '../../../domain/money/money.ts';
import type { checkoutOpened } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { checkoutPage, closeCheckout, openCheckout } from '../../gateways/stripe.ts';
import type { User } from '../../models/accounts/user.ts';
import { forgetCustomer, noteSession, openPayment } from '../../models/money/payments.ts';

interface TopUp {
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
  const ended = new Refusal('conflict', 'Idempotency-Key: this payment has ended already.');
  if (payment.state !== 'open') throw ended;
  const kept = payment.session_id;
  const page = kept ? await checkoutPage(env, kept) : null;
  if (kept && page?.url) return { url: page.url, session_id: kept };
  // Paid, or on its way from a bank: another session could be paid as well.
  if (page?.status === 'complete') throw ended;
  const { customer_missing, ...checkout } = await openCheckout(env, {
    ...{ payment_id: payment.id, amount, user, origin, back },
  });
  if (customer_missing) await forgetCustomer(db, user);
  const noted = await noteSession(db, payment.id, { session: checkout.session_id, instead: kept });
  if (noted === checkout.session_id) return checkout;
  // The same request came twice at once, and the other one was first.
  await closeCheckout(env, checkout.session_id);
  const first = noted ? await checkoutPage(env, noted) : null;
  if (!noted || !first?.url) throw ended;
  return { url: first.url, session_id: noted };
}
