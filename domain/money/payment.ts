import { message, type Sentence, sentence } from '../language/text.ts';
import type { Cents } from './money.ts';

/** Limits and texts of top-ups and the statement, for browser and server. */

/** The specification's minimum (section 9). */
export const MIN_TOP_UP: Cents = 500;
export const MAX_TOP_UP: Cents = 100_000;

/** Amounts that the form offers, besides a custom one. */
export const TOP_UP_PRESETS: readonly Cents[] = [500, 1_000, 2_500, 5_000, 10_000];

/** Returns what is wrong with a top-up, as the end of a sentence, or null. Null cents are not an amount. */
export function topUpFlaw(cents: Cents | null): Sentence | null {
  if (cents === null) return { message: message('must be dollars and whole cents, such as 12.50.') };
  if (cents < MIN_TOP_UP) return sentence('the smallest top-up is {amount} USD.', { amount: { cents: MIN_TOP_UP } });
  if (cents > MAX_TOP_UP) return sentence('the largest top-up is {amount} USD.', { amount: { cents: MAX_TOP_UP } });
  return null;
}

/** Returns the top-up for a missing amount, within the limits of one top-up. */
export const topUpFor = (missing: Cents): Cents => Math.min(MAX_TOP_UP, Math.max(MIN_TOP_UP, missing));

/** `open`: not paid (yet). `paid`: credited to the balance. The other two are final without a payment. */
export const PAYMENT_STATES = ['open', 'paid', 'failed', 'expired'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The highest threshold of a low-balance warning. */
export const MAX_WARNING: Cents = 1_000_000;

/** Money that Stripe took back, by a refund in its dashboard or a dispute at the payer's bank. */
export const REVERSAL_KINDS = ['refund', 'dispute'] as const;
export type ReversalKind = (typeof REVERSAL_KINDS)[number];

/**
 * Stages of a reversal. Stripe's events arrive in any order, so the stage only increases. A failed refund or a won
 * dispute returns the money for good.
 */
export const TAKEN = 1;
export const GIVEN_BACK = 2;
export type ReversalStage = typeof TAKEN | typeof GIVEN_BACK;

/** Returns why a team cannot pay an order, as a sentence. */
export const teamUnpaidSentence = (name: string, { balance, total }: { balance: Cents; total: Cents }): Sentence =>
  balance < total
    ? sentence('The balance of {name}, {balance} USD, does not cover the price of {price} USD.', {
        name,
        balance: { cents: balance },
        price: { cents: total },
      })
    : sentence('Orders of {name} are blocked: a bank or Stripe took back money of its owner. They must top up first.', {
        name,
      });

/** Returns why an order cannot be paid, as a sentence. */
export const unpaidSentence = ({
  balance,
  total,
  uncovered,
}: {
  balance: Cents;
  total: Cents;
  uncovered: Cents;
}): Sentence =>
  uncovered > 0
    ? sentence(
        'Orders are blocked: {amount} USD that your bank or Stripe took back is not covered. Please top up first.',
        { amount: { cents: uncovered } },
      )
    : sentence('Your balance of {balance} USD does not cover the price of {price} USD.', {
        balance: { cents: balance },
        price: { cents: total },
      });
