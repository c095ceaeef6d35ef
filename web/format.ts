import { date, monthDay } from '../domain/figures.ts';
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
export const dateTime = (epochMs: number): string => `${date(epochMs)}, ${hourOf(epochMs)} UTC`;

const hourOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(11, 16);

/**
 * The reader's own clock: the moment that UTC would have to be for its clock to show the same, and how far the two are
 * apart ('UTC', 'UTC+1', 'UTC−3:30'). So whoever plans with others by UTC can count; and what knows the zones' names
 * takes a phone a tenth of a second to make.
 */
function ownClock(epochMs: number): { shown: number; zone: string } {
  const ahead = -new Date(epochMs).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const apart = `${ahead < 0 ? '−' : '+'}${hours}${minutes > 0 ? `:${String(minutes).padStart(2, '0')}` : ''}`;
  return { shown: epochMs + ahead * 60_000, zone: ahead === 0 ? 'UTC' : `UTC${apart}` };
}

/** A moment on the reader's own clock: '21 Nov 2026, 19:00 UTC+1'. */
export function ownTime(epochMs: number): string {
  const { shown, zone } = ownClock(epochMs);
  return `${date(shown)}, ${hourOf(shown)} ${zone}`;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A moment of these days on the reader's own clock, by which he plans his evening: 'Sat, 21 Nov, 19:00 UTC+1'. */
export function ownMoment(epochMs: number): string {
  const { shown, zone } = ownClock(epochMs);
  return `${WEEKDAYS[new Date(shown).getUTCDay()]}, ${monthDay(shown)}, ${hourOf(shown)} ${zone}`;
}
