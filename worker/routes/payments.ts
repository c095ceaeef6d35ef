import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { done } from '../../domain/answers.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import { checkout, checkoutOpened, paymentAnswer, paymentStatus } from '../../domain/money/payment-contract.ts';
import { notFound, Refusal } from '../errors.ts';
import { portalAddress } from '../gateways/stripe.ts';
import { answer } from '../http/answer.ts';
import { answers, leadsOn } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { siteOrigin } from '../middleware/origin.ts';
import { reads } from '../middleware/reads.ts';
import { anyone, signedIn, type UserEnv, userOf } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { checkPayment } from '../services/payments/check-payment.ts';
import { openPaymentPage } from '../services/payments/open-payment-page.ts';
import { openReceipt } from '../services/payments/show-balance.ts';
import { takeWebhook } from '../services/payments/take-webhook.ts';

/** Limits calls that make us call Stripe. */
const asking = limitedByUser('PAYMENT_USER');

/** Redirects to a page at Stripe. If Stripe does not answer, redirects browsers back with the reason. */
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

export const payments = new Hono<UserEnv>()
  .post(
    '/payment/checkout',
    signedIn,
    asking,
    validate('header', idempotent),
    validate('json', checkout),
    answers('Start a top-up', checkoutOpened),
    async (context) => {
      const topUp = {
        user: await userOf(context),
        amount: context.req.valid('json').amount,
        key: context.req.valid('header')['idempotency-key'],
        origin: siteOrigin(context),
        back: context.req.valid('json').back,
      };
      return answer(context, await openPaymentPage(context.get('db'), context.env, topUp));
    },
  )
  .post(
    '/payment/status',
    signedIn,
    asking,
    validate('json', paymentStatus),
    answers('State of a top-up', paymentAnswer),
    async (context) => {
      const asked = { userId: context.get('userId'), sessionId: context.req.valid('json').session_id };
      return answer(context, await checkPayment(context.get('db'), context.env, asked));
    },
  )
  .post(
    '/payment/webhook',
    anyone,
    reads(['application/json']),
    answers('Webhook of the payment service: signed events', done),
    async (context) => {
      const signature = context.req.header('stripe-signature') ?? '';
      await takeWebhook(context.get('db'), context.env, { body: await context.req.text(), signature });
      return answer(context, {});
    },
  )
  .get('/payment/portal', signedIn, asking, leadsOn('The billing portal'), (context) =>
    sendOn(context, async () => {
      const customer = (await userOf(context)).stripe_customer_id;
      if (!customer) throw notFound('billing portal');
      return portalAddress(context.env, customer, `${siteOrigin(context)}/account`);
    }),
  )
  .get(
    '/payment/receipt/:payment_id',
    signedIn,
    asking,
    validate(
      'param',
      z.object({ payment_id: z.string().describe('A top-up: `payment_id` of GET /v1/account/statement.') }),
    ),
    leadsOn('The receipt of a top-up'),
    (context) =>
      sendOn(context, () =>
        openReceipt(context.get('db'), context.env, context.get('userId'), context.req.valid('param').payment_id),
      ),
  );
