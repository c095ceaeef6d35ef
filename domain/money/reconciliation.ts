import { DAY_MS, dayOf } from '../days.ts';
import { type Cents, formatCents } from './money.ts';
import { GIVEN_BACK } from './payment.ts';

/** Compares a day's ledger with Stripe's movements and reports differences to admins. */

/** A movement at Stripe that belongs to payments, from its balance transactions. */
export interface Movement {
  id: string;
  /** Signed; payments are positive. */
  amount: Cents;
  currency: string;
  payment_intent: string | null;
  /** Stripe's id of the refund or dispute; null for a payment. */
  reversal: string | null;
}

/** What the ledger knows about the movements. */
export interface Books {
  /** Payment intent → credited amount. */
  credited: ReadonlyMap<string, Cents>;
  /** Id of refund or dispute → amount taken, and its stage. */
  reversed: ReadonlyMap<string, { amount: Cents; stage: number }>;
}

const usd = (cents: Cents): string => `${formatCents(Math.abs(cents))} USD`;

function paymentFlaw({ id, amount, currency, payment_intent }: Movement, { credited }: Books): string | null {
  if (currency !== 'usd') return `Stripe received ${amount} in ${currency} (${id}), which is not our currency.`;
  const booked = payment_intent === null ? undefined : credited.get(payment_intent);
  if (booked === undefined)
    return `Stripe received ${usd(amount)} (${payment_intent ?? id}) that nobody was credited with.`;
  if (booked !== amount) return `Stripe received ${usd(amount)} (${payment_intent}), but ${usd(booked)} were credited.`;
  return null;
}

function reversalFlaw(id: string, moved: Cents, { reversed }: Books): string | null {
  if (moved === 0) return null;
  const booked = reversed.get(id);
  const way = moved < 0 ? `took back ${usd(moved)}` : `gave back ${usd(moved)}`;
  if (!booked) return `Stripe ${way} (${id}), which the ledger does not know of.`;
  if (moved > 0)
    return booked.stage === GIVEN_BACK ? null : `Stripe ${way} (${id}), which the ledger still holds back.`;
  if (booked.stage === GIVEN_BACK || booked.amount === -moved) return null;
  return `Stripe ${way} (${id}), but the ledger took ${usd(booked.amount)}.`;
}

/**
 * Returns the differences between a day's movements and the ledger, one sentence each; empty if every cent is
 * explained.
 */
export function differencesOf(movements: readonly Movement[], books: Books): string[] {
  const payments = movements.filter(({ reversal }) => reversal === null).map((each) => paymentFlaw(each, books));
  const byReversal = Map.groupBy(
    movements.filter(({ reversal }) => reversal !== null),
    ({ reversal }) => reversal ?? '',
  );
  const reversals = [...byReversal].map(([id, moves]) =>
    reversalFlaw(
      id,
      moves.reduce((sum, { amount }) => sum + amount, 0),
      books,
    ),
  );
  return [...payments, ...reversals].filter((flaw) => flaw !== null);
}

/** Reports a credit that Stripe does not know of. */
export const unknownToStripe = (paymentIntent: string, credited: Cents, received: Cents): string =>
  `The ledger was credited with ${usd(credited)} (${paymentIntent}), but Stripe received ${usd(received)}.`;

/** Reports a payment that only the comparison credited. */
export const creditedLate = (paymentIntent: string, amount: Cents): string =>
  `Stripe received ${usd(amount)} (${paymentIntent}) that was credited by this comparison only: no webhook had arrived.`;

/**
 * Returns the past days ('YYYY-MM-DD', UTC) without a comparison, oldest first: within the last `most` days, since the
 * first comparison or payment (epoch ms) ever. Only yesterday if there was neither.
 */
export function daysToCompare(
  compared: readonly string[],
  firstPayment: number | null,
  now: number,
  most = 7,
): string[] {
  const today = Date.parse(dayOf(now));
  const begun = [...compared, ...(firstPayment === null ? [] : [dayOf(firstPayment)])].map((day) => Date.parse(day));
  const first = Math.min(today - DAY_MS, ...begun);
  const days: string[] = [];
  for (let at = Math.max(today - most * DAY_MS, first); at < today; at += DAY_MS)
    if (!compared.includes(dayOf(at))) days.push(dayOf(at));
  return days;
}
