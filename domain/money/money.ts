import { centsText, leftToRight } from '../language/formats.ts';

/** Whole cents of a US dollar. Dollars appear only in the API and on the screen. */
export type Cents = number;

/** Converts to the dollars that the specification's calls carry (0.5, 1.5). */
export const dollars = (cents: Cents): number => cents / 100;

/** Converts a client's price to cents, or returns null if it is not a whole number of cents. */
export function centsOf(price: number): Cents | null {
  const cents = Math.round(price * 100);
  return Number.isSafeInteger(cents) && Math.abs(price * 100 - cents) < 1e-6 ? cents : null;
}

/** Formats '1,234.50', as the specification shows a balance. */
export const formatCents: (cents: Cents) => string = centsText;

/** Formats '$1,234.50' or '-$5.00'. */
export const money = (cents: Cents): string => leftToRight(`${cents < 0 ? '-' : ''}$${formatCents(Math.abs(cents))}`);
