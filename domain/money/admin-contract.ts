import * as z from 'zod';
import { reason } from '../reason.ts';
import { ENTRY_KINDS } from './ledger.ts';
import { PAYMENT_STATES, REVERSAL_KINDS } from './payment.ts';
import { PAYMENT_FILTERS } from './payment-filters.ts';

/** Calls of admins about money, and their answers. Amounts are in dollars, times in epoch milliseconds. */

/** False if the key was used before, so that nothing was adjusted again. */
export const adjusted = z.object({ adjusted: z.boolean() });

/** What Stripe received on a day, what the ledger recorded, and each difference as a sentence. */
export const reconciliationList = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      ran_at: z.number(),
      stripe: z.number(),
      ledger: z.number(),
      differences: z.array(z.string()),
    }),
  ),
});

export const adminPaymentsQuery = z.object({
  search: z
    .string()
    .trim()
    .max(255)
    .optional()
    .describe("A part of a username, or an id: the payment's, or Stripe's of its session, payment intent or reversal"),
  state: z.enum(PAYMENT_FILTERS).optional().describe('`taken_back`: Stripe took money of the payment back.'),
  before: z.string().max(64).optional().describe('Payments older than the one with this id'),
});
export type AdminPaymentsQuery = z.output<typeof adminPaymentsQuery>;

const payment = z.object({
  payment_id: z.string(),
  user_id: z.string().describe('Id of the account.'),
  username: z.string(),
  amount: z.number(),
  state: z.enum(PAYMENT_STATES),
  created_at: z.number(),
  paid_at: z.number().nullable().describe('When it was credited; null if it was not.'),
  session_id: z.string().nullable().describe("Stripe's Checkout Session; null if Stripe has not answered."),
  payment_intent: z.string().nullable().describe("Stripe's payment intent; null before the payment."),
  reversals: z
    .array(
      z.object({
        id: z.string().describe("Stripe's id of the refund or dispute."),
        kind: z.enum(REVERSAL_KINDS),
        amount: z.number().describe('Amount that Stripe keeps; 0 once it was given back.'),
        uncovered: z.number().describe('What the balance has not covered of it yet.'),
        given_back: z.boolean().describe('True if the refund failed or the dispute was won.'),
        created_at: z.number(),
      }),
    )
    .describe('What Stripe took back, oldest first.'),
});

/** Top-ups of all users with what Stripe said about them. */
export const adminPaymentList = z.object({
  payments: z.array(payment).describe('Payments, newest first.'),
  next: z.string().nullable().describe('`before` of the next page; null on the last page.'),
});

export const adminPaymentParam = z.object({
  payment_id: z.string().max(64).describe('A top-up: `payment_id` of GET /v1/admin/payments.'),
});

const atStripe = z.object({
  session: z.string().describe("Status of the Checkout Session in Stripe's words."),
  payment: z.string().describe("Status of its payment in Stripe's words."),
  amount: z.number(),
  currency: z.string(),
  customer: z.string().nullable().describe("Stripe's customer; null before the first payment."),
  intent: z
    .object({
      status: z.string().describe("In Stripe's words."),
      received: z.number().describe('Amount that Stripe received.'),
      failure: z.string().nullable().describe('Why the last attempt failed; null if none did.'),
      receipt: z.string().nullable().describe("Address of Stripe's receipt; null before the payment."),
    })
    .nullable()
    .describe('The payment intent; null before the payer began to pay.'),
  reversals: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(REVERSAL_KINDS),
        amount: z.number(),
        status: z.string().describe("In Stripe's words."),
        reason: z.string().nullable().describe("In Stripe's words; null if none was given."),
        due_at: z.number().nullable().describe('Until when a dispute can be answered; null if there is no deadline.'),
        created_at: z.number(),
      }),
    )
    .describe('Refunds and disputes, newest first.'),
});
export type AtStripe = z.infer<typeof atStripe>;

/** One top-up: what the service holds of it, and what Stripe says now. */
export const adminPayment = payment.extend({
  ledger: z
    .array(
      z.object({
        entry_id: z.int(),
        created_at: z.number(),
        kind: z.enum(ENTRY_KINDS),
        amount: z.number().describe('Signed.'),
        note: z.string(),
      }),
    )
    .describe('Ledger entries of the top-up and of what was taken back, oldest first.'),
  stripe: atStripe.nullable().describe('Null if Stripe does not know the payment, or does not answer.'),
  stripe_trouble: z.string().nullable().describe('Why Stripe was not asked or did not answer; null if it did.'),
});

export const paymentSettled = z.object({ state: z.enum(PAYMENT_STATES), msg: z.string() });
export const paymentAct = z.strictObject({ reason });
