import { type Cents, centsOf, formatCents } from './money.ts';

/** Top-ups and the statement: bounds and words of both, for browser and server. */

/** The specification's minimum (section 9). */
export const MIN_TOP_UP: Cents = 500;
export const MAX_TOP_UP: Cents = 100_000;

/** Amounts that the form offers beside an amount of one's own. */
export const TOP_UP_PRESETS: readonly Cents[] = [500, 1_000, 2_500, 5_000, 10_000];

/** What is wrong with a top-up of so many dollars, as a sentence, or null. */
export function topUpFlaw(amount: number): string | null {
  const cents = centsOf(amount);
  if (cents === null) return 'must be dollars and whole cents, such as 12.50.';
  if (cents < MIN_TOP_UP) return `the smallest top-up is ${formatCents(MIN_TOP_UP)} USD.`;
  if (cents > MAX_TOP_UP) return `the largest top-up is ${formatCents(MAX_TOP_UP)} USD.`;
  return null;
}

/** What to top up for so much that is missing, within the bounds of one top-up; what is missing beyond takes another. */
export const topUpFor = (missing: Cents): Cents => Math.min(MAX_TOP_UP, Math.max(MIN_TOP_UP, missing));

/** `open`: not paid (yet). `paid`: on the balance. The other two end a payment that brought nothing. */
export const PAYMENT_STATES = ['open', 'paid', 'failed', 'expired'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The most that a low-balance warning can be set to. */
export const MAX_WARNING: Cents = 1_000_000;

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
    ? `Orders are blocked: ${formatCents(uncovered)} USD that your bank or Stripe took back is not covered. Please top up first.`
    : `Your balance of ${formatCents(balance)} USD does not cover the price of ${formatCents(total)} USD.`;
