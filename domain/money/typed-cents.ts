import { separated } from '../amounts.ts';
import { formats } from '../language/formats.ts';
import { ungrouped } from '../narrow.ts';
import { type Cents, centsOf } from './money.ts';

/**
 * Returns the amount in a text field, typed in dollars with the separators of the reader's language; null if it is not
 * an amount. A decimal separator before three digits is refused, because it may be meant for thousands.
 */
export function centsIn(text: string): Cents | null {
  const [, sign = '', digits = ''] = /^(-?)(\d(?:[\d.,]*\d)?)$/.exec(ungrouped(text)) ?? [];
  const { decimal } = formats();
  const [, whole = '', mark] = /^(\d+)([.,])\d{3}$/.exec(digits) ?? [];
  const isUnclear = mark === decimal || whole.length > 3;
  const amount = digits === '' || isUnclear ? null : separated(digits, decimal);
  return amount === null ? null : centsOf(sign === '' ? amount : -amount);
}
