import { exact } from '../figures.ts';

/** Money is whole cents of a US dollar everywhere inside; dollars appear only on the wire and on the screen. */
export type Cents = number;

/** Dollars as the specification's calls carry them (0.5, 1.5) for whole cents. */
export const dollars = (cents: Cents): number => cents / 100;

/** Whole cents of a price that a client sent, or null where it is not a whole number of cents. */
export function centsOf(price: number): Cents | null {
  const cents = Math.round(price * 100);
  return Number.isSafeInteger(cents) && Math.abs(price * 100 - cents) < 1e-6 ? cents : null;
}

/** '1,234.50': comma thousands and two decimals, as the specification shows a balance. */
export function formatCents(cents: Cents): string {
  const whole = Math.round(Math.abs(cents));
  return `${cents < 0 ? '-' : ''}${exact(Math.floor(whole / 100))}.${String(whole % 100).padStart(2, '0')}`;
}
