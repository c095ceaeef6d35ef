import * as z from 'zod';
import { type Cents, centsOf, formatCents } from './money.ts';

/** Top-ups and the statement: bounds, payloads and the words of both, for browser and server. */

/** The specification's minimum (section 9). */
export const MIN_TOP_UP: Cents = 500;
export const MAX_TOP_UP: Cents = 100_000;

/** Amounts that the form offers beside an amount of one's own. */
export const TOP_UP_PRESETS: readonly Cents[] = [500, 1_000, 2_500, 5_000, 10_000];

/** What is wrong with a top-up of so many dollars, as a sentence, or null. */
export function topUpFlaw(amount: number): string | null {
  const cents = centsOf(amount);
  if (cents === null) return 'must be dollars and whole cents, such as 12.50.';
  if (cents < MIN_TOP_UP) return `the least that can be added at a time is ${formatCents(MIN_TOP_UP)} USD.`;
  if (cents > MAX_TOP_UP) return `the most that can be added at a time is ${formatCents(MAX_TOP_UP)} USD.`;
  return null;
}

export const checkout = z.object({
  /** Dollars. */
  amount: z
    .number('must be a number of dollars, such as 25 or 12.50.')
    .superRefine((amount, context) => {
      const flaw = topUpFlaw(amount);
      if (flaw) context.addIssue({ code: 'custom', message: flaw });
    })
    .transform((amount) => centsOf(amount) ?? 0),
  currency: z.literal('usd', 'balances are kept in usd only.').optional(),
});

export const paymentStatus = z.object({
  session_id: z.string().regex(/^cs_\w{8,200}$/, 'is not the id of a payment.'),
});

/** `open`: not paid (yet). `paid`: on the balance. The other two end a payment that brought nothing. */
export const PAYMENT_STATES = ['open', 'paid', 'failed', 'expired'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What an entry of the ledger is, by where its money comes from or goes to. */
export const ENTRY_KINDS = ['top_up', 'charge', 'return', 'adjustment'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const ENTRY_TITLES: Record<EntryKind, string> = {
  top_up: 'Top-up',
  charge: 'Order',
  return: 'Returned',
  adjustment: 'Adjustment',
};

const day = z.iso.date('must be a day, such as 2026-11-21.').optional();

export const statementQuery = z.object({
  kind: z.enum(ENTRY_KINDS, `must be one of ${ENTRY_KINDS.join(', ')}.`).optional(),
  /** Days in UTC, both included. */
  from: day,
  to: day,
  /** Entries older than this one. */
  before: z.coerce.number('must be a number').int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

export type StatementQuery = z.infer<typeof statementQuery>;

/** The most that a low-balance warning can be set to. */
export const MAX_WARNING: Cents = 1_000_000;

export const lowBalance = z.object({
  /** Dollars; null switches the warning off. */
  threshold: z
    .number('must be a number of dollars, or null.')
    .min(0.01, 'must be above zero.')
    .max(MAX_WARNING / 100, `must be ${formatCents(MAX_WARNING)} or less.`)
    .refine((amount) => centsOf(amount) !== null, 'must be dollars and whole cents, such as 12.50.')
    .transform((amount) => centsOf(amount) ?? 0)
    .nullable(),
});

export const adjustment = z.object({
  username: z.string().trim().min(1).max(100),
  /** Dollars, signed: above zero gives, below takes. */
  amount: z
    .number('must be a number of dollars.')
    .refine((amount) => centsOf(amount) !== null && centsOf(amount) !== 0, 'must be whole cents and not zero.')
    .refine((amount) => Math.abs(amount) <= 10_000, 'must be 10,000.00 at most.')
    .transform((amount) => centsOf(amount) ?? 0),
  /** A sentence that the user reads in the statement. */
  reason: z.string().trim().min(5, 'say why, in 5 characters or more.').max(200),
});

/** Money that Stripe took back: by a refund made in its dashboard, or by a dispute at the payer's bank. */
export const REVERSAL_KINDS = ['refund', 'dispute'] as const;
export type ReversalKind = (typeof REVERSAL_KINDS)[number];

/**
 * How far a reversal has come. Stripe's events arrive in any order, so a stage is only ever raised: a refund that
 * failed, or a dispute that was won, gives the money back for good.
 */
export const TAKEN = 1;
export const GIVEN_BACK = 2;
export type ReversalStage = typeof TAKEN | typeof GIVEN_BACK;

/** Why an order cannot be paid, as a sentence. */
export const unpaidSentence = ({ balance, total, uncovered }: { balance: Cents; total: Cents; uncovered: Cents }) =>
  uncovered > 0
    ? `Orders are blocked until ${formatCents(uncovered)} USD that your bank or Stripe took back are on your balance again. Please top up.`
    : `Your balance of ${formatCents(balance)} USD does not cover the price of ${formatCents(total)} USD.`;
