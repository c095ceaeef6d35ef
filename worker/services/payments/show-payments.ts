import type * as z from 'zod';
import type {
  AdminPaymentsQuery,
  AtStripe,
  adminPayment,
  adminPaymentList,
  paymentSettled,
} from '../../../domain/money/admin-contract.ts';
import { dollars } from '../../../domain/money/money.ts';
import { GIVEN_BACK } from '../../../domain/money/payment.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal, Unusable } from '../../errors.ts';
import { checkoutState, describePayment, type StripePayment, takesPayments } from '../../gateways/stripe.ts';
import { type ListedPayment, listPayments, paymentWhole } from '../../models/money/all-payments.ts';
import { paymentOfId, settlePayment } from '../../models/money/payments.ts';
import { auditStatement } from '../../models/service/audit.ts';

/** What admins see of top-ups. */

const shown = ({ amount_cents, reversals, ...payment }: ListedPayment) => ({
  ...payment,
  amount: dollars(amount_cents),
  reversals: reversals.map(({ amount_cents: taken, covered_cents, stage, ...reversal }) => ({
    ...reversal,
    amount: dollars(taken),
    uncovered: dollars(taken - covered_cents),
    given_back: stage === GIVEN_BACK,
  })),
});

/** Returns a page of top-ups, newest first. */
export async function showPayments(db: Db, wanted: AdminPaymentsQuery): Promise<z.infer<typeof adminPaymentList>> {
  const { payments, next } = await listPayments(db, wanted);
  return { payments: payments.map(shown), next };
}

const inDollars = ({ amount, intent, reversals, ...rest }: StripePayment): AtStripe => ({
  ...rest,
  amount: dollars(amount),
  intent: intent && { ...intent, received: dollars(intent.received) },
  reversals: reversals.map((each) => ({ ...each, amount: dollars(each.amount) })),
});

/** Asks Stripe about a session. What the service holds is shown even if Stripe does not answer. */
async function askStripe(
  env: Env,
  session: string | null,
): Promise<{ stripe: AtStripe | null; stripe_trouble: string | null }> {
  if (session === null) return { stripe: null, stripe_trouble: 'The payment page was never opened.' };
  if (!takesPayments(env))
    return { stripe: null, stripe_trouble: 'Payments are switched off: there is no key of Stripe.' };
  try {
    const found = await describePayment(env, session);
    if (!found) return { stripe: null, stripe_trouble: 'Stripe does not know this payment.' };
    return { stripe: inDollars(found), stripe_trouble: null };
  } catch (error) {
    if (error instanceof Refusal)
      return { stripe: null, stripe_trouble: 'Stripe does not answer. Try again in a minute.' };
    throw error;
  }
}

/** Returns one top-up with its ledger entries and what Stripe says now. @throws Refusal not_found. */
export async function showPayment(db: Db, env: Env, id: string): Promise<z.infer<typeof adminPayment>> {
  const whole = await paymentWhole(db, id);
  if (!whole) throw notFound('payment');
  return {
    ...shown(whole.payment),
    ledger: whole.ledger.map(({ amount_cents, ...entry }) => ({ ...entry, amount: dollars(amount_cents) })),
    ...(await askStripe(env, whole.payment.session_id)),
  };
}

/**
 * Takes a top-up's state from Stripe, as its webhook would.
 * @throws Refusal not_found, conflict if it is paid already, with another amount, or was never opened, unavailable if
 * Stripe does not answer.
 */
export async function settleByAdmin(
  db: Db,
  env: Env,
  admin: { id: string; address: string },
  { payment_id, reason }: { payment_id: string; reason: string },
  now = Date.now(),
): Promise<z.infer<typeof paymentSettled>> {
  const payment = await paymentOfId(db, payment_id);
  if (!payment) throw notFound('payment');
  if (payment.state === 'paid') throw new Refusal('conflict', 'This payment is credited already.');
  const checkout = payment.session_id === null ? null : await checkoutState(env, payment.session_id);
  if (!checkout) throw new Refusal('conflict', 'Stripe knows no payment page of this top-up.');
  const entry = {
    ...{ userId: payment.user_id, actor: `admin:${admin.id}`, address: admin.address },
    ...{ action: 'payment.settled', subject: payment_id, detail: { reason, state: checkout.state } },
  };
  const credited = await settlePayment(db, payment, checkout, now, [auditStatement(db, entry, now)]).catch(
    (error: unknown) => {
      throw error instanceof Unusable ? new Refusal('conflict', error.message) : error;
    },
  );
  return {
    state: checkout.state,
    msg: credited ? 'Stripe has the money: it was credited.' : `At Stripe this payment is ${checkout.state}.`,
  };
}
