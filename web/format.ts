import { type Cents, formatCents } from '../domain/money.ts';

/** How figures, money and moments are written everywhere. English, UTC, and the same on every machine. */

/** Units of large figures, largest first. */
export const UNITS = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'K' },
] as const;

/** Three significant digits and a unit: 12.4B, 853M, 1.20K, 940. Never more than the value (no rounding up). */
export function compact(value: number): string {
  const unit = UNITS.find(({ size }) => Math.abs(value) >= size);
  if (!unit) return String(value);
  const scaled = Math.abs(value) / unit.size;
  const decimals = scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  const factor = 10 ** decimals;
  // A governor with 99,999,999 power has not reached 100M, so figures are cut, not rounded.
  const cut = Math.floor(scaled * factor + 1e-9) / factor;
  return `${value < 0 ? '-' : ''}${cut.toFixed(decimals)}${unit.suffix}`;
}

/** Two decimals of a fixed unit, cut: 0.85B, 12.40B. Rows that are compared share it. */
export function inUnit(value: number, suffix: (typeof UNITS)[number]['suffix']): string {
  const size = UNITS.find((unit) => unit.suffix === suffix)?.size ?? 1;
  return `${(Math.floor((value / size) * 100 + 1e-9) / 100).toFixed(2)}${suffix}`;
}

/** Every digit, in groups of three: 12,400,123. */
export const exact = (value: number): string => value.toLocaleString('en-US');

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

const calendar = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** 21 Nov 2026, of a day ('2026-11-21') or a moment. */
export const date = (day: string | number): string => calendar.format(new Date(day));

/** '1 item', '3 items'; the plural is regular unless given. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${exact(count)} ${count === 1 ? one : many}`;

/** What of a text fits into `length` characters, whole ones (an emoji is never cut in half), with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
