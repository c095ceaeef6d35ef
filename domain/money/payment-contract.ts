import * as z from 'zod';
import { flawIssue } from '../flaw-issue.ts';
import { headersOption } from '../language/locale-option.ts';
import { day } from '../moment-contract.ts';
import { ENTRY_KINDS } from './ledger.ts';
import { centsOf, formatCents } from './money.ts';
import { MAX_WARNING, PAYMENT_STATES, topUpFlaw } from './payment.ts';

/**
 * Payloads of the calls about money. They are separate from payment.ts so that pages can import its texts without zod.
 */

export const checkout = z.object({
  amount: z
    .number('must be a number of dollars, such as 25 or 12.50.')
    .superRefine((amount, context) => {
      const flaw = topUpFlaw(centsOf(amount));
      if (flaw) context.addIssue(flawIssue(flaw));
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

export const statementQuery = z.object({
  kind: z.enum(ENTRY_KINDS).optional(),
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
export const statementFileQuery = statementQuery.extend({ headers: headersOption });

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
