import { date } from '../domain/figures.ts';
import { type Cents, formatCents } from '../domain/money/money.ts';

export {
  amountOf,
  capital,
  compact,
  counted,
  date,
  exact,
  inUnit,
  nameOr,
  shortened,
  UNITS,
} from '../domain/figures.ts';

/** How figures, money and moments are written everywhere. English; moments in UTC, or by the reader's clock with its zone. */

/** $1,234.50 of whole cents; a negative amount is -$5.00. */
export const money = (cents: Cents): string => `${cents < 0 ? '-' : ''}$${formatCents(Math.abs(cents))}`;

/** 21 Nov 2026, 03:32 UTC: players of one kingdom live in many time zones and plan in the game's own, which is UTC. */
export const dateTime = (epochMs: number): string =>
  `${date(epochMs)}, ${new Date(epochMs).toISOString().slice(11, 16)} UTC`;

/** What writes moments on the reader's own clock; made at the first of them, since only `Intl` knows the zone's name. */
let own: Intl.DateTimeFormat | null = null;

/** A moment on the reader's own clock: '21 Nov 2026, 19:00 CET'. */
export function ownTime(epochMs: number): string {
  own ??= new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return own.format(epochMs);
}
