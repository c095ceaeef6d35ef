import { separated } from '../amounts.ts';
import { formats } from '../language/formats.ts';
import { centsOf } from './money.ts';

/**
 * Returns the dollars in a text field, with the separators of the reader's language; null if it is not an amount. A
 * decimal separator before three digits is refused, because it may be meant for thousands.
 */
export function dollarsIn(text: string): number | null {
  const [, sign = '', digits = ''] = /^\s*(-?)(\d(?:[\d.,]*\d)?)\s*$/.exec(text) ?? [];
  const { decimal } = formats();
  const [, whole = '', mark] = /^(\d+)([.,])\d{3}$/.exec(digits) ?? [];
  const isUnclear = mark === decimal || whole.length > 3;
  const amount = digits === '' || isUnclear ? null : separated(digits, decimal);
  if (amount === null || centsOf(amount) === null) return null;
  return sign === '' ? amount : -amount;
}
