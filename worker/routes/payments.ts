import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import { dollars } from '../../domain/money/money.ts';
import { checkout, checkoutOpened, paymentAnswer, paymentStatus } from '../../domain/money/payment-contract.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { checkoutState, openCheckout, portalAddress, receiptAddress, toldByWebhook } from '../gateways/stripe.ts';
import { answers, leadsOn } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { anyone, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { balanceOf } from '../models/money/ledger.ts';
import {
  noteSession,
  openPayment,
  type Payment,
  paymentOfId,
  paymentOfSession,
  settlePayment,
} from '../models/money/payments.ts';
import { uncoveredOf } from '../models/money/reversals.ts';
import { heed } from '../services/payments/settle-payments.ts';

/** Everything here that a user makes us ask of Stripe. */
const asking = limitedByUser('PAYMENT_USER');

const originOf = (context: Context): string => new URL(context.req.url).origin;

/** Sends a browser on to a page of Stripe's; one that Stripe does not answer for is sent back with the reason. */
async function sendOn(context: Context<UserEnv>, address: () => Promise<string | null>): Promise<Response> {
  try {
    const url = await address();
    if (!url) throw notFound('page at Stripe');
    return context.redirect(url, 303);
  } catch (error) {
    const browser = context.req.header('accept')?.includes('text/html');
    if (browser && error instanceof Refusal && error.code === 'unavailable')
      return context.redirect('/account/balance?stripe=unreachable', 303);
    throw error;
  }
}

export const payments = new Hono<UserEnv>({ strict: false })
  .post(
    '/payment/checkout',
    signedIn,
    asking,
    validate('header', idempotent),
    validate('json', checkout),
    answers(checkoutOpened),
    async (context) => {
      const [db, user] = [context.get('db'), context.get('user')];
      const { amount } = context.req.valid('json');
      const requestKey = context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID();
      const opened = await openPayment(db, { userId: user.id, amount, requestKey });
      if (opened.outcome === 'key_reused')
        throw new Refusal('conflict', 'Idempotency-Key: was used for another amount. Use a new one.');
      const { payment } = opened;
      if (payment.state !== 'open') throw new Refusal('conflict', 'Idempotency-Key: this payment has ended already.');
      const { session_id, url } = await openCheckout(context.env, {
        payment_id: payment.id,
        amount,
        user,
        origin: originOf(context),
      });
      await noteSession(db, payment.id, session_id);
      return answer(context, { url, session_id });
    },
  )
  .post(
    '/payment/status',
    signedIn,
    asking,
    validate('json', paymentStatus),
    answers(paymentAnswer),
    async (context) => {
      const [db, user] = [context.get('db'), context.get('user')];
      const { session_id } = context.req.valid('json');
      const mine = (found: Payment | null): Payment => {
        if (found?.user_id !== user.id) throw notFound('payment');
        return found;
      };
      let payment = await paymentOfSession(db, session_id);
      if (payment) mine(payment);
      if (payment?.state !== 'paid') {
        const told = await checkoutState(context.env, session_id);
        if (!told?.payment_id) throw notFound('payment');
        payment = mine(payment ?? (await paymentOfId(db, told.payment_id)));
        await settlePayment(db, payment, told);
        payment = mine(await paymentOfId(db, payment.id));
      }
      return answer(context, {
        state: payment.state,
        amount: dollars(payment.amount_cents),
        balance: dollars(await balanceOf(db, user.id)),
        uncovered: dollars(await uncoveredOf(db, user.id)),
      });
    },
  )
  .post('/payment/webhook', anyone, answers(done), async (context) => {
    const signature = context.req.header('stripe-signature') ?? '';
    const told = await toldByWebhook(context.env, await context.req.text(), signature);
    await heed(context.get('db'), context.env, told);
    return answer(context, {});
  })
  .get('/payment/portal', signedIn, asking, leadsOn, (context) =>
    sendOn(context, async () => {
      const customer = context.get('user').stripe_customer_id;
      if (!customer) throw notFound('billing portal');
      return portalAddress(context.env, customer, `${originOf(context)}/account`);
    }),
  )
  .get('/payment/receipt/:payment_id', signedIn, asking, leadsOn, (context) =>
    sendOn(context, async () => {
      const payment = await paymentOfId(context.get('db'), context.req.param('payment_id'));
      if (payment?.user_id !== context.get('user').id || !payment.payment_intent) throw notFound('receipt');
      return receiptAddress(context.env, payment.payment_intent);
    }),
  );
