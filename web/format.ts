import { exact, UNITS } from '../domain/figures.ts';
import { type Cents, formatCents } from '../domain/money/money.ts';

export { capital, compact, date, exact, inUnit, nameOr, shortened, UNITS } from '../domain/figures.ts';

/** How figures, money and moments are written everywhere. English, UTC, and the same on every machine. */

/** The figure that somebody wrote in digits or in short: 12,400,000, 12.4M, 1.5 b; null where it is none. */
export function amountOf(text: string): number | null {
  const [, digits = '', suffix = ''] = /^([\d,'\s]*\d(?:\.\d+)?)\s*([tbmk]?)$/i.exec(text.trim()) ?? [];
  if (digits === '') return null;
  const size = UNITS.find((unit) => unit.suffix === suffix.toUpperCase())?.size ?? 1;
  return Math.round(Number(digits.replace(/[,'\s]/g, '')) * size);
}

/** $1,234.50 of whole cents; a negative amount is -$5.00. */
export const money = (cents: Cents): string => `${cents < 0 ? '-' : ''}$${formatCents(Math.abs(cents))}`;

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** 21 Nov 2026, 03:32 UTC: players of one kingdom live in many time zones and plan in the game's own, which is UTC. */
export const dateTime = (epochMs: number): string => `${moment.format(epochMs)} UTC`;

/** '1 item', '3 items'; the plural is regular unless given. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${exact(count)} ${count === 1 ? one : many}`;
