import * as z from 'zod';
import { ENTRY_KINDS } from './ledger.ts';
import { centsOf, formatCents } from './money.ts';
import { MAX_WARNING, PAYMENT_STATES, REVERSAL_KINDS, topUpFlaw } from './payment.ts';
import { PAYMENT_FILTERS } from './payment-filters.ts';

/**
 * Payloads of the calls about money. They are separate from payment.ts so that pages can import its texts without zod.
 */

export const checkout = z.object({
  amount: z
    .number('must be a number of dollars, such as 25 or 12.50.')
    .superRefine((amount, context) => {
      const flaw = topUpFlaw(amount);
      if (flaw) context.addIssue({ code: 'custom', message: flaw });
    })
    .transform((amount) => centsOf(amount) ?? 0)
    .describe('Dollars.'),
  currency: z.literal('usd', 'balances are kept in usd only.').optional(),
  back: z
    .literal('order', 'must be order.')
    .optional()
    .describe('`order` if the payer was filling in an order and should return to it.'),
});

export const paymentStatus = z.object({
  session_id: z.string().regex(/^cs_\w{8,200}$/, 'is not the id of a payment.'),
});

const day = z.iso.date('must be a day, such as 2026-11-21.').optional();

export const statementQuery = z.object({
  kind: z.enum(ENTRY_KINDS, `must be one of ${ENTRY_KINDS.join(', ')}.`).optional(),
  from: day.describe('First and last day in UTC, both included.'),
  to: day,
  before: z.coerce
    .number()
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Entries older than this one.'),
});

export type StatementQuery = z.infer<typeof statementQuery>;

export const lowBalance = z.object({
  threshold: z
    .number('must be a number of dollars, or null.')
    .min(0.01, 'must be above zero.')
    .max(MAX_WARNING / 100, `must be ${formatCents(MAX_WARNING)} or less.`)
    .refine((amount) => centsOf(amount) !== null, 'must be dollars and whole cents, such as 12.50.')
    .transform((amount) => centsOf(amount) ?? 0)
    .nullable()
    .describe('Dollars; null switches the warning off.'),
});

// --- Answers: amounts in dollars, times in epoch milliseconds
// -------------------------------------------------------

/** The payment page's address, and the id for asking about its outcome. */
export const checkoutOpened = z.object({ url: z.string(), session_id: z.string() });

export const paymentAnswer = z.object({
  state: z.enum(PAYMENT_STATES),
  amount: z.number(),
  balance: z.number(),
  uncovered: z
    .number()
    .describe('Amount that Stripe took back beyond the balance. While it is above zero, nothing can be ordered.'),
});

export const balanceAnswer = z.object({
  balance: z.number(),
  uncovered: z.number(),
  threshold: z.number().nullable().describe('Balance below which a warning mail is sent; null for no warning.'),
  takes_payments: z.boolean(),
});

export const warningSet = z.object({ threshold: z.number().nullable() });

export const statementPage = z.object({
  lines: z.array(
    z.object({
      entry_id: z.int(),
      created_at: z.number(),
      kind: z.enum(ENTRY_KINDS),
      amount: z.number().describe('Signed.'),
      balance: z.number().describe("The account's balance after this entry, regardless of the filter."),
      note: z.string(),
      order_id: z.int().nullable(),
      payment_id: z.string().nullable(),
    }),
  ),
  next: z.int().nullable().describe('`before` of the next page; null on the last page.'),
});

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
  state: z
    .enum(PAYMENT_FILTERS, `must be one of ${PAYMENT_FILTERS.join(', ')}.`)
    .optional()
    .describe('`taken_back`: Stripe took money of the payment back.'),
  before: z.string().max(64).optional().describe('Payments older than the one with this id'),
});
export type AdminPaymentsQuery = z.output<typeof adminPaymentsQuery>;

/** Top-ups of all users with what Stripe said about them. */
export const adminPaymentList = z.object({
  payments: z
    .array(
      z.object({
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
      }),
    )
    .describe('Payments, newest first.'),
  next: z.string().nullable().describe('`before` of the next page; null on the last page.'),
});
